import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { managed } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { jsonText } from "../../src/provider/texts/issue-text";
import { areSame, differencesText, stackDifferences } from "../../src/tools/review";
import { type Exported, exportedStacks } from "../../src/tools/stack/stack";

const type = (kind: string) => `pulumi-nodejs:dynamic/feature-console:${kind}`;

/** A state as `pulumi stack export --show-secrets` prints it. */
function stateOf(
  stack: string,
  objects: readonly [kind: keyof typeof managed, name: string, inputs: JsonObject][],
): Exported {
  return {
    resources: objects.map(([name, called, inputs]) => {
      const { kind } = managed[name];
      const given = { key: called, name: called, ...inputs };
      return {
        ...{
          urn: `urn:pulumi:${stack}::shop::${type(kind)}::${called}`,
          type: type(kind),
          id: String(given.key),
        },
        ...{ inputs: given, outputs: { ...given, __managed: Object.keys(given) } },
      };
    }),
  };
}

const rule = (passPercentage: number) => ({
  name: "Oceania",
  ...{ passPercentage, environments: ["production"] },
  conditions: [{ type: "country", operator: "any", targetValue: ["NZ", "AU"] }],
});
const staff = {
  name: "Staff",
  passPercentage: 100,
  conditions: [{ type: "passes_segment", targetValue: "staff" }],
};
const secret = (text: string) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(text),
});

const dev = stateOf("dev", [
  ["gate", "checkout_v2", { rules: [staff, rule(50)] }],
  ["gate", "brand_new", {}],
  ["gate", "same", { tags: ["b", "a"] }],
  ["gate", "hidden", { description: secret("one") }],
  ["gate", "told", { description: secret("one") }],
]);
const prod = stateOf("prod", [
  ["gate", "checkout_v2", { rules: [staff, rule(10)] }],
  ["gate", "same", { tags: ["a", "b"] }],
  ["gate", "hidden", { description: secret("other") }],
  ["gate", "told", { description: secret("one") }],
]);

test("what differs is told in the words of the report, and secrets are not", () => {
  const differences = stackDifferences({ name: "dev", exported: dev }, { name: "prod", exported: prod });
  expect(differencesText(differences)).toBe(`dev → prod

gate "checkout_v2"
  production: 50 % → 10 % of other users in AU, NZ (rule "Oceania")
  rule "Staff" unchanged

gate "hidden"
  description: a secret changes

only in dev: gate "brand_new"

2 objects differ, 1 only in dev, 2 the same.
`);
  expect(readFileSync(path.join(repositoryRoot, "docs/review.md"), "utf8")).toContain(
    differencesText(differences),
  );
  const told = jsonText(differences) + differencesText(differences, true);
  expect(told).toContain("<b>checkout_v2</b> (gate) · production: 50 % → 10 %");
  expect(told).not.toMatch(/"one"|"other"/);
  expect(areSame(differences)).toBe(false);
});

test("a stack is as itself, and one whose keys differ is matched by the names of the program", () => {
  expect(areSame(stackDifferences({ name: "dev", exported: dev }, { name: "dev", exported: dev }))).toBe(
    true,
  );
  const other = stateOf("prod", [["gate", "brand_new", { key: "prod_brand_new" }]]);
  const { differing, onlyIn } = stackDifferences(
    { name: "dev", exported: stateOf("dev", [["gate", "brand_new", {}]]) },
    { name: "prod", exported: other },
  );
  expect(differing).toEqual([expect.objectContaining({ headline: "key brand_new → prod_brand_new" })]);
  expect(onlyIn).toEqual({ from: [], to: [] });
});

test("a state that nobody's program says counts as well", () => {
  const [launched] = dev.resources;
  const outputs = (status: string) =>
    ({ resources: [{ ...launched, outputs: { ...launched?.outputs, status } }] }) as Exported;
  const told = stackDifferences(
    { name: "dev", exported: outputs("In Progress") },
    { name: "prod", exported: outputs("Launched") },
  );
  expect(told.differing).toEqual([
    expect.objectContaining({
      headline:
        'is launched: all users in segment "staff" and 50 % of other users in NZ, AU in production → everyone',
    }),
  ]);
});

test.each<[there: string[], asked: [string, string], says: string]>([
  [["dev", "prod"], ["dev", "nope"], 'this project has no stack "nope"; it has dev, prod'],
  [["acme/shop/dev"], ["dev", "nope"], 'this project has no stack "nope"; it has acme/shop/dev'],
  [
    [],
    ["dev", "nope"],
    'this project has no stack "dev" and no stack "nope"; it has none: `pulumi stack init dev` makes one',
  ],
  [["dev", "nope"], ["dev", "nope"], "pulumi stack failed: error: the backend is on fire"],
])("compare among %j of %j says what there is", async (there, asked, says) => {
  const pulumi = ([, verb = ""]: readonly string[]) =>
    Promise.resolve(
      verb === "ls"
        ? { status: 0, stdout: JSON.stringify(there.map((name) => ({ name }))), stderr: "" }
        : { status: 255, stdout: "", stderr: "error: the backend is on fire" },
    );
  await expect(exportedStacks(pulumi, asked)).rejects.toThrow(says);
});

test("what one stack does not set is told as not set, and a name that follows from the key is no difference", () => {
  const one = stateOf("dev", [["gate", "wallet", { description: "Pays" }]]);
  const other = stateOf("prod", [["gate", "wallet", {}]]);
  const [unnamed] = one.resources.map(({ inputs: { name: _, ...inputs } = {}, ...rest }) => ({
    ...rest,
    inputs,
  }));
  const differences = stackDifferences(
    { name: "dev", exported: { resources: [unnamed as never] } },
    { name: "prod", exported: other },
  );
  expect(differences.differing.map(({ headline }) => headline)).toEqual(["description: Pays → not set"]);
});

test("an id of each console that stands for the same object of the two stacks is no difference", () => {
  const stackWith = (stack: string, id: string, asked: string) => {
    const { resources } = stateOf(stack, [
      ["releasePipeline", "slow", {}],
      ["gate", "wallet", { releasePipelineID: asked }],
    ]);
    return { resources: resources.map((one) => (one.id === "slow" ? { ...one, id } : one)) };
  };
  const between = (asked: string) =>
    stackDifferences(
      { name: "dev", exported: stackWith("dev", "4kdUh", "4kdUh") },
      { name: "prod", exported: stackWith("prod", "9xPqz", asked) },
    ).differing.map(({ name, headline }) => [name, headline]);
  expect(between("9xPqz")).toEqual([]);
  expect(between("other")).toEqual([["wallet", expect.stringContaining("9xPqz")]]);
});
