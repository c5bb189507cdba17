import { rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import {
  type Bench,
  changesTo,
  openBench,
  openSecondStack,
  readsOf,
  told,
  toldInAll,
  writesTo,
} from "./bench";

// Rows 4, 5, 8 and 21 of the table of faults: objects of another stack, of people, and of this stack from former times.

jest.setTimeout(120_000);

let bench: Bench;
let second: Bench;

const everyone = (name: string, passPercentage = 100) => ({
  ...{ name, passPercentage },
  conditions: [{ type: "public" }],
});

const shared = `
new fc.Gate("shared_gate", { description: "Ours", rules: [${JSON.stringify(everyone("All", 10))}] } as fc.GateArgs);
new fc.DynamicConfig("shared_config", { defaultValue: { most: 3 } });
new fc.Segment("shared_rules", { type: "rule_based" });
new fc.Segment("shared_ids", { type: "id_list", ids: ["u1", "u2"] });
new fc.Layer("shared_layer", { idType: "userID" });
`;
const sharedNames = ["shared_config", "shared_gate", "shared_ids", "shared_layer", "shared_rules"];

/** Everything that both stacks declare, as the console shows it. */
const sharedObjects = async () => [
  await bench.raw.gate.get({ id: "shared_gate" }),
  await bench.raw.dynamicConfig.get({ id: "shared_config" }),
  await bench.raw.segment.get({ id: "shared_rules" }),
  await bench.raw.segment.get({ id: "shared_ids" }),
  await bench.raw.segment.getIdList({ id: "shared_ids" }),
  await bench.raw.layer.get({ id: "shared_layer" }),
];

const gate = (id: string, query = {}) => bench.raw.gate.get({ id, query });

beforeAll(async () => {
  bench = await openBench();
  second = await openSecondStack(bench, "second");
  await bench.write(shared);
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await second?.close();
  await bench?.close();
});

test("a second stack with the same program is refused, with what to type, and touches nothing", async () => {
  const before = await sharedObjects();
  await second.write(shared);
  bench.emulator.clearRequests();
  const result = await second.stack.up({ mayFail: true, args: ["--continue-on-error"] });
  expect(changesTo(bench.emulator)).toEqual([]);
  expect(result.code).not.toBe(0);
  const { "": _, ...messages } = told(result);
  expect(Object.keys(messages).sort()).toEqual(sharedNames);
  for (const [name, lines] of Object.entries(messages))
    expect([name, lines]).toEqual([
      name,
      [expect.stringMatching(/^(?=.*exists already)(?=.*adopt: true)(?=.*FEATURE_CONSOLE_TAKE_OVER=1)/s)],
    ]);
  expect(toldInAll(result)).not.toMatch(/interrupted/);
  expect(await sharedObjects()).toEqual(before);
});

test("the second stack's destroy touches nothing of the first", async () => {
  const before = await sharedObjects();
  bench.emulator.clearRequests();
  await second.stack.destroy();
  expect(writesTo(bench.emulator)).toEqual([]);
  expect(await sharedObjects()).toEqual(before);
});

test("with FEATURE_CONSOLE_TAKE_OVER=1 the second stack takes over what is equal, and says so", async () => {
  const before = await sharedObjects();
  await second.write(shared);
  bench.emulator.clearRequests();
  const result = await second.stack.up({ env: { FEATURE_CONSOLE_TAKE_OVER: "1" } });
  expect(changesTo(bench.emulator)).toEqual([]);
  expect(toldInAll(result)).toMatch(/gate "shared_gate".*taken over/);
  expect(toldInAll(result)).not.toMatch(/interrupted/);
  expect(Object.keys(await second.state()).sort()).toEqual(sharedNames);
  expect(await sharedObjects()).toEqual(before);
});

test("archived by hand: brought back where it is equal in meaning, and refused where it differs", async () => {
  for (const id of ["hand_equal", "hand_differs"]) {
    await bench.raw.gate.create({ body: { id, name: id, description: "Theirs" } });
    await bench.raw.gate.archive({ id, body: { archiveReason: "Not needed any more" } });
  }
  const before = await gate("hand_differs");
  await bench.write(`${shared}
new fc.Gate("hand_equal", { description: "Theirs" });
new fc.Gate("hand_differs", { description: "Ours" });`);
  const result = await bench.stack.up({ mayFail: true, args: ["--continue-on-error"] });
  expect(await gate("hand_differs")).toEqual(before);
  expect(result.code).not.toBe(0);
  expect(told(result).hand_differs).toEqual([
    expect.stringMatching(
      /^(?=.*gate "hand_differs" exists)(?=.*archived)(?=.*description)(?=.*adopt: true)/s,
    ),
  ]);
  expect(await gate("hand_equal")).toMatchObject({ status: "In Progress", description: "Theirs" });
});

test("archived by this stack's own destroy: brought back, though the program differs and the folder is gone", async () => {
  const ours = (description: string) => `new fc.Gate("ours_again", { description: "${description}" });`;
  await bench.write(shared + ours("One"));
  await bench.stack.up();
  await bench.write(shared);
  await bench.stack.up();
  expect(await gate("ours_again", { includeArchiveMetadata: true })).toMatchObject({
    ...{ status: "Archived", archiveReason: expect.stringMatching(/\btest\b/) },
  });
  await rm(path.join(bench.project.folder, ".feature-console"), { recursive: true, force: true });
  await bench.write(shared + ours("Two"));
  const result = await bench.stack.up();
  expect(await gate("ours_again")).toMatchObject({ status: "In Progress", description: "Two" });
  expect(toldInAll(result)).toMatch(/gate "ours_again".*brought back/);
});

const adopting = `
new fc.Gate("adopted", { description: "Ours", rules: [${JSON.stringify(everyone("Keep"))}], adopt: true } as fc.GateArgs);
new fc.Gate("mine", { description: "Theirs" }, { import: "imported" });
new fc.Gate("edited", { description: "Ours" }, { import: "edited" });`;

test("a preview of what would be taken over looks once at each and says what would change", async () => {
  for (const [id, rules] of Object.entries({
    adopted: [everyone("Keep"), everyone("Drop")],
    imported: [],
    edited: [],
  }))
    await bench.raw.gate.create({ body: { id, name: id, description: "Theirs", rules } });
  await bench.write(shared + adopting);
  bench.emulator.clearRequests();
  const result = await bench.stack.preview();
  expect(toldInAll(result)).toMatch(
    /gate "adopted" exists: would change (?=.*\brules \(−1\))(?=.*\bdescription\b)/,
  );
  expect(toldInAll(result)).toMatch(/gate "edited" exists: would change description/);
  expect(toldInAll(result)).not.toMatch(/gate "imported" exists: would change/);
  // A gate of the test before goes: one list of each kind whose objects may need it.
  const lists = ["dynamic_configs", "experiments", "gates", "segments"].map((path) => `GET /${path}`);
  const looks = ["adopted", "edited", "imported"].map((id) => `GET /gates/${id}`);
  const asked = readsOf(bench.emulator).filter((one) => one !== "GET /project");
  expect(asked.sort()).toEqual([...lists, ...looks].sort());
  expect(writesTo(bench.emulator)).toEqual([]);
});

test("an import of what is not there fails in the preview", async () => {
  await bench.write(`${shared}\nnew fc.Gate("absent", {}, { import: "no_such_gate" });`);
  bench.emulator.clearRequests();
  const result = await bench.stack.preview({ mayFail: true });
  expect(result.code).not.toBe(0);
  expect(result.errors.join("\n")).toMatch(/There is no gate "no_such_gate" to import/);
  expect(writesTo(bench.emulator)).toEqual([]);
});

test("a refresh of what was taken over shows the drift and nothing of ours", async () => {
  await bench.write(shared + adopting);
  await bench.stack.up();
  expect(await gate("adopted")).toMatchObject({ description: "Ours", rules: [{ name: "Keep" }] });
  for (const id of ["adopted", "imported"])
    await bench.raw.gate.patch({ id, body: { description: "Drift" } });
  const shown = await bench.stack.run(["refresh", "--preview-only", "--diff"]);
  expect(shown.stdout).toMatch(/"Ours" => "Drift"/);
  expect(shown.stdout).not.toContain("__");
  const { events } = await bench.stack.refresh();
  const drift = events.flatMap(({ resourcePreEvent, resOutputsEvent }) =>
    [resourcePreEvent, resOutputsEvent].flatMap((event) => pathsOf(event)),
  );
  expect(drift).toContain("description");
  expect(drift.filter((name) => name.includes("__"))).toEqual([]);
});

/** The paths that an event of the engine says have changed. */
function pathsOf(event: unknown): string[] {
  type Changes = { metadata?: { detailedDiff?: object | null; diffs?: string[] | null } };
  const { detailedDiff, diffs } = (event as Changes | undefined)?.metadata ?? {};
  return [...Object.keys(detailedDiff ?? {}), ...(diffs ?? [])];
}
