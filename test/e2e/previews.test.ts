import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench, testKey, toldInAll, writesTo } from "./bench";

// What a preview says is held against what the up after it does.

jest.setTimeout(300_000);

let bench: Bench;

const gate = (name: string, more = "") => `new fc.Gate("${name}", { description: "Ours", ${more} });`;
const asked = () => bench.emulator.requests.map(({ method, path }) => `${method} ${path.slice(11)}`);
const untried =
  'The key was not tried: nothing in this preview has asked the console so far. "npx feature-console doctor --for up" tries it.';

beforeAll(async () => {
  bench = await openBench();
  await bench.raw.gate.create({ body: { name: "taken", description: "Theirs" } });
  await bench.write(`export const shown = ${gate("shown")}\n${gate("asked")}\n${gate("other")}`);
  await bench.stack.up();
  const conditions = [{ type: "passes_gate", targetValue: "asked" }];
  await bench.raw.gate.create({
    body: { name: "theirs", rules: [{ name: "In", passPercentage: 100, conditions }] },
  });
}, FIRST_CLI_TIMEOUT_MS);

afterAll(() => bench?.close());

test("an exported gate is its id, its URN and its status", async () => {
  const { shown } = await bench.stack.outputs();
  expect(shown).toEqual({ id: "shown", urn: expect.stringMatching(/::shown$/), status: "In Progress" });
  await bench.write(
    `export const shown = ${gate("shown")}\nexport const more = ${gate("more")}\n${gate("asked")}\n${gate("other")}`,
  );
  const { stdout } = await bench.stack.run(["preview"]);
  const outputs = stdout.slice(stdout.indexOf("Outputs:"));
  expect(outputs).toMatch(/\+ more +: \{/);
  expect(outputs).not.toMatch(/creatorName|description|isEnabled|rules/);
});

test("a key that is taken, and one that is free: one read each, and the up fails as was said", async () => {
  await bench.write(
    `${gate("shown")}\n${gate("asked")}\n${gate("other")}\n${gate("taken")}\n${gate("free")}`,
  );
  bench.emulator.clearRequests();
  const said = toldInAll(await bench.stack.preview());
  expect(asked().sort()).toEqual(["GET /gates/free", "GET /gates/taken", "GET /project"]);
  expect(said).toMatch(/This update will fail: gate "taken" exists already\. It differs in description\./);
  expect(said).not.toContain(untried);
  const up = await bench.stack.up({ mayFail: true });
  expect(up.errors.join("\n")).toContain('gate "taken" exists already. It differs in description.');
});

test("a gate that another project's gate asks: the preview names it, and the up fails as was said", async () => {
  await bench.write(`${gate("shown")}\n${gate("free")}`);
  const preview = await bench.stack.preview();
  expect(preview.warnings.map((text) => text.trim())).toEqual([
    'This update will fail: gate "asked" is no longer in the program, and "pulumi up" cannot archive it while gate "theirs" ' +
      "refers to it (a run with --target, or retainOnDelete, leaves it alone). Take the reference away first; or put it back with " +
      'forceArchive: true, run "pulumi up", then take it out.',
    expect.stringMatching(
      /^gate "other" is no longer in the program, and this preview cannot know whether another stack has adopted it\./,
    ),
  ]);
  const up = await bench.stack.up({ mayFail: true });
  expect(up.errors.join("\n")).toMatch(/gate "asked".*in use by gate theirs/);
});

test("where only things go, and where only values change, one line says that the key was not tried", async () => {
  await bench.write(`${gate("shown")}\n${gate("asked")}\nnew fc.DynamicConfig("prices", {});`);
  await bench.stack.up();
  await bench.write(`${gate("shown")}\n${gate("asked")}`);
  bench.emulator.clearRequests();
  const lines = (text: string) => text.split("\n").filter((line) => line.includes("key was not tried"));
  expect(lines(toldInAll(await bench.stack.preview()))).toEqual([untried]);
  await bench.write(
    `${gate("shown").replace("Ours", "New")}\n${gate("asked")}\nnew fc.DynamicConfig("prices", {});`,
  );
  expect(lines(toldInAll(await bench.stack.preview()))).toEqual([untried]);
  expect(asked()).toEqual([]);
  await bench.write(`${gate("shown")}\n${gate("asked")}\nnew fc.DynamicConfig("prices", {});`);
  expect(toldInAll(await bench.stack.preview({ args: ["--expect-no-changes"] }))).not.toContain(untried);
});

test("a revoked key: new objects are counted, and so is what nobody looked for", async () => {
  await bench.write(`${gate("new_one")}\n${gate("new_two")}`);
  const env = { FEATURE_CONSOLE_API_KEY: `${testKey}-revoked` };
  const said = toldInAll(await bench.stack.preview({ env }));
  expect(said).toMatch(/2 new objects not checked: GET \/gates\/new_\w+ answered 401/);
  expect(said).toMatch(/Not known who else in the console refers to gate "\w+", gate "\w+", .*answered 401/);
  expect(said).not.toContain(`${testKey}-revoked`);
});

test("a key that stands in the configuration in the clear is refused before anything is asked", async () => {
  await bench.stack.setConfig("feature-console:apiKey", testKey);
  bench.emulator.clearRequests();
  const result = await bench.stack.preview({ mayFail: true });
  expect(result.code).not.toBe(0);
  expect(result.errors.join("\n")).toContain(
    "feature-console:apiKey stands in the stack's configuration in the clear",
  );
  expect(JSON.stringify(result.errors)).not.toContain(testKey);
  expect([...asked(), ...writesTo(bench.emulator)]).toEqual([]);
  await bench.stack.setConfig("feature-console:apiKey", testKey, { secret: true });
  expect((await bench.stack.preview()).code).toBe(0);
});

test("overrides that name a group by its id stay whole in the preview of a change of their experiment", async () => {
  const program = (hypothesis: string) => `${gate("asked")}
const button = new fc.Experiment("green_button", { hypothesis: "${hypothesis}", groups: [
  { name: "Control", size: 50, parameterValues: {} }, { name: "Green", size: 50, parameterValues: {} } ] });
new fc.ExperimentOverrides("testers", {
  experiment: button,
  userIDOverrides: [{ groupID: button.groups.apply((groups) => groups[1]?.id ?? ""), ids: ["qa_1"] }],
});`;
  await bench.write(program("A green button is pressed more often"));
  await bench.stack.up();
  const overrides = () => bench.raw.experiment.getOverrides({ id: "green_button" });
  const before = await overrides();
  expect(before).toMatchObject({ userIDOverrides: [{ ids: ["qa_1"] }] });
  await bench.write(program("Green is pressed more often"));
  const preview = await bench.stack.preview();
  expect(preview.changeSummary).toMatchObject({ update: expect.any(Number) });
  await bench.stack.up();
  expect(await overrides()).toEqual(before);
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});
