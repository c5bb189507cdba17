import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { managed } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { SIGNATURE } from "../../src/provider/schema/unknown";
import { rendered } from "../../src/tools/render/report";
import { areSame, compareReport, stackDifferences } from "../../src/tools/review";
import { type Exported, exportedStacks, stackOf } from "../../src/tools/stack/stack";

type Declared = readonly [kind: keyof typeof managed, name: string, inputs?: JsonObject];

/** A state as `pulumi stack export --show-secrets` prints it. */
const stateOf = (stack: string, ...objects: Declared[]): Exported => ({
  resources: objects.map(([name, called, given = {}]) => {
    const inputs = { key: called, name: called, ...given };
    const type = `pulumi-nodejs:dynamic/feature-console:${managed[name].kind}`;
    const urn = `urn:pulumi:${stack}::shop::${type}::${called}`;
    return { urn, type, id: inputs.key, inputs, outputs: { ...inputs, __managed: Object.keys(inputs) } };
  }),
});
const differencesOf = (from: Exported, to: Exported) =>
  stackDifferences({ name: "dev", exported: from }, { name: "prod", exported: to });

const rule = (passPercentage: number) => ({
  name: "Oceania",
  ...{ passPercentage, environments: ["production"] },
  conditions: [{ type: "country", operator: "any", targetValue: ["NZ", "AU"] }],
});
const conditions = [{ type: "passes_segment", targetValue: "staff" }];
const staff = { name: "Staff", passPercentage: 100, conditions };
const described = (text: string) => ({
  description: { [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", plaintext: JSON.stringify(text) },
});

const dev = stateOf(
  "dev",
  ["gate", "checkout_v2", { rules: [staff, rule(50)] }],
  ["gate", "brand_new"],
  ["gate", "same", { tags: ["b", "a"] }],
  ["gate", "hidden", described("one")],
  ["gate", "told", described("one")],
);
const prod = stateOf(
  "prod",
  ["gate", "checkout_v2", { rules: [staff, rule(10)] }],
  ["gate", "same", { tags: ["a", "b"] }],
  ["gate", "hidden", described("other")],
  ["gate", "told", described("one")],
);

test("what differs is told in the words of the report, and secrets are not", () => {
  const differences = differencesOf(dev, prod);
  expect(rendered(compareReport(differences), "text")).toBe(`dev → prod

gate "checkout_v2"
  production: 50 % → 10 % of other users in AU, NZ (rule "Oceania")
  rule "Staff" unchanged

gate "hidden"
  description: a secret changes

only in dev: gate "brand_new"

2 objects differ, 1 only in dev, 2 the same.
`);
  expect(readFileSync(path.join(repositoryRoot, "docs/review.md"), "utf8")).toContain(
    rendered(compareReport(differences), "text"),
  );
  const told =
    rendered(compareReport(differences), "json") + rendered(compareReport(differences), "markdown");
  expect(told).toContain('<b>gate "checkout_v2"</b></summary>\n\n- production: 50 % → 10 %');
  expect(told).not.toMatch(/"one"|"other"/);
  expect(areSame(differences)).toBe(false);
});

test("a stack is as itself, and one whose keys differ is matched by the names of the program", () => {
  expect(areSame(differencesOf(dev, dev))).toBe(true);
  const other = stateOf("prod", ["gate", "brand_new", { key: "prod_brand_new" }]);
  const { differing, onlyIn } = differencesOf(stateOf("dev", ["gate", "brand_new"]), other);
  expect(differing).toMatchObject([{ headline: "key brand_new → prod_brand_new" }]);
  expect(onlyIn).toEqual({ from: [], to: [] });
});

test("a state that nobody's program says counts as well", () => {
  const [launched] = dev.resources;
  const stated = (status: string) =>
    ({ resources: [{ ...launched, outputs: { ...launched?.outputs, status } }] }) as Exported;
  expect(differencesOf(stated("In Progress"), stated("Launched")).differing).toMatchObject([
    {
      headline:
        'is launched: all users in segment "staff" and 50 % of other users in NZ, AU in production → everyone',
    },
  ]);
});

test.each<[there: string[], asked: [string, string], says: string]>([
  [["dev", "prod"], ["dev", "nope"], 'this project has no stack "nope"; it has dev, prod'],
  [["acme/shop/dev"], ["dev", "nope"], 'this project has no stack "nope"; it has acme/shop/dev'],
  [[], ["dev", "nope"], 'no stack "dev" and no stack "nope"; it has none: `pulumi stack init dev` makes one'],
  [["dev", "nope"], ["dev", "nope"], "failed: error: the backend is on fire"],
  [["dev"], ["dev", "acme/shop/dev"], "failed: error: the backend is on fire"],
  [["dev"], ["dev", "acme/dev"], "failed: error: the backend is on fire"],
  [["acme/dev"], ["acme/dev", "acme/shop/dev"], "failed: error: the backend is on fire"],
  [["dev"], ["dev", "acme/web/nope"], "failed: error: the backend is on fire"],
])("compare among %j of %j says what there is", async (there, asked, says) => {
  const pulumi = ([, verb = ""]: readonly string[]) =>
    Promise.resolve(
      verb === "ls"
        ? { status: 0, stdout: JSON.stringify(there.map((name) => ({ name }))), stderr: "" }
        : { status: 255, stdout: "", stderr: "error: the backend is on fire" },
    );
  await expect(exportedStacks(pulumi, asked)).rejects.toThrow(says);
  // So does every command of one stack.
  const one = stackOf(pulumi, asked[1]);
  await expect(one.preview()).rejects.toThrow(says.replace(/^no stack "dev" and /, "this project has "));
});

test("what one stack does not set is told as not set, and a name that follows from the key is no difference", () => {
  const [named] = stateOf("dev", ["gate", "wallet", { description: "Pays" }]).resources;
  const { name: _, ...inputs } = named?.inputs ?? {};
  const unnamed = { resources: [{ ...named, inputs }] } as Exported;
  const { differing } = differencesOf(unnamed, stateOf("prod", ["gate", "wallet"]));
  expect(differing.map(({ headline }) => headline)).toEqual(["description: Pays → not set"]);
});

test("an id of each console that stands for the same object of the two stacks is no difference", () => {
  const stackWith = (stack: string, id: string, asked: string) => {
    const wallet: Declared = ["gate", "wallet", { releasePipelineID: asked }];
    const { resources } = stateOf(stack, ["releasePipeline", "slow"], wallet);
    return { resources: resources.map((one) => (one.id === "slow" ? { ...one, id } : one)) };
  };
  const between = (asked: string) =>
    differencesOf(stackWith("dev", "4kdUh", "4kdUh"), stackWith("prod", "9xPqz", asked)).differing;
  expect(between("9xPqz")).toEqual([]);
  expect(between("other")).toMatchObject([{ name: "wallet", headline: expect.stringContaining("9xPqz") }]);
});
