import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { allOf } from "../support/raw-client";
import { type Bench, openBench } from "./bench";

jest.setTimeout(300_000);

let bench: Bench;

const program = (baseKey: string) => `
const base = new fc.Gate("base", { key: "${baseKey}" });
const rules = [{ name: "In", passPercentage: 100, conditions: [{ type: "passes_gate" as const, targetValue: base }] }];
new fc.Gate("dependent", { rules });
new fc.DynamicConfig("limits", { rules: rules.map((rule) => ({ ...rule, returnValue: { most: 3 } })) });
new fc.Experiment("trial", { targetingGateID: base });
`;

beforeAll(async () => {
  bench = await openBench();
  await bench.write(program("base_one"));
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);

afterAll(() => bench?.close());

const referred = async () => {
  const users = [
    await bench.raw.gate.get({ id: "dependent" }),
    await bench.raw.dynamicConfig.get({ id: "limits" }),
  ] as { rules: { conditions: { targetValue: unknown }[] }[] }[];
  const targets = users.map(({ rules }) => rules[0]?.conditions[0]?.targetValue);
  return [...targets.flat(), (await bench.raw.experiment.get({ id: "trial" })).targetingGateID];
};

test("the key of a gate changes while others of the program refer to it: they follow", async () => {
  await bench.write(program("base_two"));
  await bench.stack.up();
  expect((await bench.raw.gate.get({ id: "base_one" })).status).toBe("Archived");
  expect(await referred()).toEqual(["base_two", "base_two", "base_two"]);
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("what says the old key itself does not follow: the change is refused, with a refresh in the same run too", async () => {
  const literal = (text: string) =>
    text.replace(
      "const base",
      `new fc.Gate("literal", { rules: [{ name: "In", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: "base_two" }] }] });
const base`,
    );
  await bench.write(literal(program("base_two")));
  await bench.stack.up();
  await bench.write(literal(program("base_three")));
  for (const words of [[], ["--refresh"]]) {
    const { code, stdout, stderr } = await bench.stack.run(["up", "--yes", "--skip-preview", ...words]);
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`).toContain("literal");
    expect((await bench.raw.gate.get({ id: "base_two" })).status).toBe("In Progress");
  }
  await bench.write(program("base_two"));
  await bench.stack.up();
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("what is not of the stack is not hurt: the change is refused, and nothing is lost", async () => {
  const rules = [
    { name: "In", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: "base_two" }] },
  ];
  await bench.raw.gate.create({ body: { name: "stranger", rules } });
  await bench.write(program("base_three"));
  const { code, stdout, stderr } = await bench.stack.run(["up", "--yes", "--skip-preview"]);
  expect(code).not.toBe(0);
  expect(`${stdout}${stderr}`).toContain("stranger");
  expect(await bench.raw.gate.get({ id: "base_two" })).toMatchObject({
    status: "In Progress",
    name: "base_two",
  });
  expect(await referred()).toEqual(["base_two", "base_two", "base_two"]);

  await bench.raw.gate.delete({ id: "stranger" });
  await bench.stack.up({ args: ["--refresh"] });
  expect(await referred()).toEqual(["base_three", "base_three", "base_three"]);
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("a layer gets another name with its experiments, where they may be replaced; otherwise all stays, and the error says so", async () => {
  const inLayer = (name: string, more = "") => `
const page = new fc.Layer("page", { name: "${name}", idType: "userID", parameters: [{ name: "c", type: "string", defaultValue: "blue" }] });
new fc.Experiment("in_page", { layerID: page, ${more} groups: [
  { name: "A", size: 50, parameterValues: { c: "a" } }, { name: "B", size: 50, parameterValues: { c: "b" } } ] });`;
  const write = (text: string) => bench.write(program("base_two") + text);
  await write(inLayer("page one"));
  await bench.stack.up();
  await write(inLayer("page two"));
  const failed = await bench.stack.up({ mayFail: true });
  expect(failed.errors.join("\n")).toContain(
    'To give it another name, set onImmutableChange: "replace" on each of its experiments, run "pulumi up", and rename it then',
  );
  const layers = async () => (await allOf(bench.raw.layer.list())).map(({ id }) => id);
  expect(await layers()).toEqual(["page_one"]);
  const replaced = 'onImmutableChange: "replace",';
  await write(inLayer("page one", replaced));
  await bench.stack.up();
  await write(inLayer("page two", replaced));
  await bench.stack.up();
  expect(await layers()).toEqual(["page_two"]);
  expect(await bench.raw.experiment.get({ id: "in_page" })).toMatchObject({ layerID: "page_two" });
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});
