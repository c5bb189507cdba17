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

const status = async (id: string) => (await bench.raw.gate.get({ id })).status;

/** The writes to the console that are not about the dependents. */
const writesOfBase = () =>
  bench.emulator.requests
    .filter(({ method, path }) => method !== "GET" && /\/gates$|base_/.test(path))
    .map(({ method, path }) => `${method} ${path.replace("/console/v1", "")}`);

const referred = async () => {
  const users = [
    await bench.raw.gate.get({ id: "dependent" }),
    await bench.raw.dynamicConfig.get({ id: "limits" }),
  ] as { rules: { conditions: { targetValue: unknown }[] }[] }[];
  const targets = users.map(({ rules }) => rules[0]?.conditions[0]?.targetValue);
  return [...targets.flat(), (await bench.raw.experiment.get({ id: "trial" })).targetingGateID];
};

test("the console refuses the gate of the new key: the old one stays, and the next up goes on", async () => {
  await bench.write(program("base_two"));
  bench.emulator.addFaults([
    { method: "POST", path: "/gates", status: 403, body: { message: "not now" }, times: 1 },
  ]);
  const { code, stdout, stderr } = await bench.stack.run(["up", "--yes"]);
  expect(code).not.toBe(0);
  expect(`${stdout}${stderr}`).toContain("not now");
  expect(`${stdout}${stderr}`).toContain(
    'gate "base_two" is created first; gate "base_one" is archived after what uses it has moved.',
  );
  expect(await status("base_one")).toBe("In Progress");
  expect(await referred()).toEqual(["base_one", "base_one", "base_one"]);
});

test("the key of a gate changes while others of the program refer to it: they follow", async () => {
  bench.emulator.clearRequests();
  await bench.stack.up();
  // What refers to it has moved in between.
  expect(writesOfBase()).toEqual(["POST /gates", "PUT /gates/base_one/archive"]);
  expect(bench.emulator.requests.filter(({ method }) => method !== "GET").at(-1)?.path).toContain(
    "base_one/archive",
  );
  expect((await bench.raw.gate.get({ id: "base_one" })).status).toBe("Archived");
  expect(await referred()).toEqual(["base_two", "base_two", "base_two"]);
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("what says the old key itself does not follow: the old gate stays, and the program can go back to it", async () => {
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
    expect([await status("base_two"), await status("base_three")]).toEqual(["In Progress", "In Progress"]);
    expect(await referred()).toEqual(["base_three", "base_three", "base_three"]);
  }
  await bench.write(literal(program("base_two")));
  await bench.stack.up();
  expect([await status("base_two"), await status("base_three")]).toEqual(["In Progress", "Archived"]);
  expect(await referred()).toEqual(["base_two", "base_two", "base_two"]);
  await bench.stack.preview({ args: ["--expect-no-changes"] });
  await bench.write(program("base_two"));
  await bench.stack.up();
});

test("what is not of the stack is not hurt: the old gate stays while it is asked for, and the next up finishes", async () => {
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
  expect(await referred()).toEqual(["base_three", "base_three", "base_three"]);

  await bench.raw.gate.delete({ id: "stranger" });
  await bench.stack.up({ args: ["--refresh"] });
  expect(await status("base_two")).toBe("Archived");
  expect(await referred()).toEqual(["base_three", "base_three", "base_three"]);
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("a layer gets another name with its experiments, where they may be replaced; otherwise they stay in the old one", async () => {
  const inLayer = (name: string, more = "") => `
const page = new fc.Layer("page", { name: "${name}", idType: "userID", parameters: [{ name: "c", type: "string", defaultValue: "blue" }] });
new fc.Experiment("in_page", { layerID: page, ${more} groups: [
  { name: "A", size: 50, parameterValues: { c: "a" } }, { name: "B", size: 50, parameterValues: { c: "b" } } ] });`;
  const write = (text: string) => bench.write(program("base_two") + text);
  await write(inLayer("page one"));
  await bench.stack.up();
  await write(inLayer("page two"));
  const failed = await bench.stack.up({ mayFail: true });
  expect(failed.errors.join("\n")).toMatch(/layerID .*cannot change.*set onImmutableChange: "replace"/s);
  const layers = async () => (await allOf(bench.raw.layer.list())).map(({ id }) => id);
  expect(await layers()).toContain("page_one");
  expect(await bench.raw.experiment.get({ id: "in_page" })).toMatchObject({ layerID: "page_one" });
  const replaced = 'onImmutableChange: "replace",';
  await write(inLayer("page one", replaced));
  await bench.stack.up();
  expect(await layers()).toEqual(["page_one"]);
  await write(inLayer("page two", replaced));
  await bench.stack.up();
  expect(await layers()).toEqual(["page_two"]);
  expect(await bench.raw.experiment.get({ id: "in_page" })).toMatchObject({ layerID: "page_two" });
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});
