import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, lookupsOfNew, openBench, told } from "./bench";

jest.setTimeout(120_000);

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  for (const id of ["present", "other", "foreign"])
    await bench.raw.gate.create({
      body: { id, name: `The ${id} one`, description: "Theirs", tags: ["theirs"] },
    });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

test("what cannot be created, imported or read is refused with the way out, and the console stays as it is", async () => {
  bench.emulator.clearRequests();
  const refused: [string, string][] = [
    [
      'new fc.Gate("absent", {}, { import: "no_such_gate" });',
      'There is no gate "no_such_gate" to import. Correct the id, or remove the import option to create a new one.',
    ],
    [
      'new fc.Gate("misnamed", { key: "misnamed" }, { import: "present" });',
      '"misnamed" is not the object to import, which is "present"; make them agree',
    ],
    [
      'new fc.Gate("one", { key: "twice" });\nnew fc.Gate("two", { key: "twice" });',
      "of this program; give one of the two another key",
    ],
  ];
  for (const [lines, message] of refused) {
    await bench.write(lines);
    const result = await bench.stack.preview({ mayFail: true });
    expect(result.code).toBe(1);
    expect(result.errors.join("\n")).toContain(message);
  }
  await bench.write(`
new fc.Gate("foreign", { description: "Ours", tags: ["ours"], rules: [{ name: "A", passPercentage: 1, conditions: [] }] });
`);
  const messages = told(await bench.stack.up({ mayFail: true }));
  expect(messages.foreign).toEqual([
    expect.stringMatching(
      /^Cannot create gate "foreign": gate "foreign" exists already\. It differs in .*\. Set adopt: true to take it over and bring it in line, or choose another key\. If its resource was renamed, set aliases: .*\.$/,
    ),
  ]);
  const [differing = ""] =
    /differs in ([^.]*(\.\w[^.]*)*)\. Set/.exec(messages.foreign?.[0] ?? "")?.slice(1) ?? [];
  expect(differing.split(", ").map((path) => path.replace(/\W.*/, ""))).toEqual(
    expect.arrayContaining(["description", "name", "rules", "tags"]),
  );
  expect(bench.emulator.requests.filter(({ method, status }) => method !== "GET" && status < 400)).toEqual(
    [],
  );
  expect(await bench.raw.gate.get({ id: "foreign" })).toMatchObject({ description: "Theirs", version: 1 });
});

test("get of an absent object fails with one message", async () => {
  await bench.write(`fc.Gate.get("reader", "no_such_gate");`);
  const { reader = [], ...elsewhere } = told(await bench.stack.up({ mayFail: true }));
  expect(reader).toEqual([
    'Cannot read gate "no_such_gate": There is no gate "no_such_gate" in the console. Correct the id, or create the object.',
  ]);
  expect(JSON.stringify(elsewhere)).not.toContain("There is no gate");
});

test("a preview knows nothing of what a program looks up of an object that does not exist yet", async () => {
  await bench.write(`${lookupsOfNew}export { seen };`);
  const { code, stdout } = await bench.stack.run(["preview"]);
  expect(stdout).not.toContain("error");
  expect(code).toBe(0);
});

test("import of what is equal sends nothing, adopt of what differs sends the difference, get changes nothing", async () => {
  const rest = `
new fc.Gate("other", { name: "The other one", description: "Ours", adopt: true });
const reader = fc.Gate.get("reader", "foreign");
export const read = [reader.description, reader.tags, reader.key];`;
  bench.emulator.clearRequests();
  await bench.write(`new fc.Gate("mine", { description: "Theirs" }, { import: "present" });${rest}`);
  await bench.stack.up();
  const written = bench.emulator.requests.filter(
    ({ method, path }) => method !== "GET" && !path.includes("twice"),
  );
  expect(written).toMatchObject([{ route: "patch", path: "/console/v1/gates/other" }]);
  expect((await bench.stack.outputs()).read).toEqual(["Theirs", ["theirs"], "foreign"]);
  expect(await bench.raw.gate.get({ id: "other" })).toMatchObject({ description: "Ours", tags: ["theirs"] });

  await bench.stack.preview({ args: ["--expect-no-changes"] });
  await bench.write(`new fc.Gate("mine", { description: "Theirs" });${rest.replace(", adopt: true", "")}`);
  await bench.stack.preview({ args: ["--expect-no-changes"] });
  await bench.stack.refresh({ args: ["--expect-no-changes"] });
  expect(await bench.raw.gate.get({ id: "present" })).toMatchObject({ name: "The present one", version: 1 });
});

test("renamed without an alias, the object goes from the old resource to the new one and lives on", async () => {
  await bench.write(`new fc.Gate("yours", { key: "present", description: "Theirs", adopt: true });`);
  const result = await bench.stack.up();
  expect(result.changeSummary).toMatchObject({ create: 1, delete: 2 });
  expect(await bench.raw.gate.get({ id: "present" })).toMatchObject({ status: "In Progress", version: 1 });
  expect(await bench.raw.gate.get({ id: "other" })).toMatchObject({ status: "Archived" });
  await bench.stack.refresh({ args: ["--expect-no-changes"] });
});

test("a preview names each resource whose stored code is neither this package's nor the program's", async () => {
  await bench.write(`
const mine: pulumi.dynamic.ResourceProvider = { create: async () => ({ id: "mine", outs: {} }) };
class Mine extends pulumi.dynamic.Resource {
  constructor(name: string) {
    super(mine, name, {});
  }
}
new Mine("of_the_program");
new fc.Gate("yours", { key: "present", description: "Theirs" });`);
  await bench.stack.up();
  expect((await bench.stack.run(["preview"])).stdout).not.toContain("The state holds code");

  const exported = await bench.stack.exportStack();
  const urn = "urn:pulumi:test::packed::pulumi-nodejs:dynamic/other:Thing::planted";
  const values = { __provider: "exports.handler = () => ({ read: async (id, props) => ({ id, props }) });" };
  const { resources = [] } = exported.deployment;
  const like = resources.find(({ urn: one }) => one.endsWith("::of_the_program"));
  const planted = {
    ...like,
    urn,
    type: "pulumi-nodejs:dynamic/other:Thing",
    id: "x",
    inputs: values,
    outputs: values,
  };
  const state = { ...exported, deployment: { ...exported.deployment, resources: [...resources, planted] } };
  await bench.project.write("state.json", JSON.stringify(state));
  const imported = await bench.stack.run([
    "stack",
    "import",
    "--file",
    path.join(bench.project.folder, "state.json"),
  ]);
  expect(imported).toMatchObject({ code: 0 });

  const { code, stdout } = await bench.stack.run(["preview"]);
  expect(code).toBe(0);
  expect(stdout).toContain(
    `The state holds code that is neither this package's nor this program's, as the provider of ${urn}: `,
  );
  expect(stdout).not.toContain("::of_the_program, ");
});
