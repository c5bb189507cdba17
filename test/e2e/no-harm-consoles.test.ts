import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench, settingsFor, testKey, told, toldInAll, writesTo } from "./bench";

// Rows 11, 12 and 16 of the table of faults: another console than before, none that can be told, one that answers nobody.

jest.setTimeout(120_000);

let bench: Bench;
let another: RunningEmulator;
/** A console that goes down, and a stack that needs it. */
let doomed: RunningEmulator;
let stranded: Bench;

const objects = `
new fc.Gate("moved_gate", { description: "Ours" });
new fc.DynamicConfig("moved_config", { defaultValue: { most: 3 } });
new fc.Segment("moved_segment", { type: "id_list", ids: ["u1"] });
`;
const names = ["moved_config", "moved_gate", "moved_segment"];

/** Settings that say nothing. */
const unset = { FEATURE_CONSOLE_PROFILE: "", FEATURE_CONSOLE_BASE_URL: "", FEATURE_CONSOLE_API_KEY: "" };
const embedded = { ...unset, FEATURE_CONSOLE_PROFILE: "embedded" };
const elsewhere = () => settingsFor(another);

const movedObjects = async () => [
  await bench.raw.gate.get({ id: "moved_gate" }),
  await bench.raw.dynamicConfig.get({ id: "moved_config" }),
  await bench.raw.segment.get({ id: "moved_segment" }),
];

/** Previews what must be refused before any console is asked. */
async function refusedPreview(env: Record<string, string>): Promise<string> {
  bench.emulator.clearRequests();
  another.clearRequests();
  const result = await bench.stack.preview({ mayFail: true, env });
  expect(result.code).not.toBe(0);
  expect([...bench.emulator.requests, ...writesTo(another)]).toEqual([]);
  return [...result.warnings, ...result.errors].join("\n");
}

beforeAll(async () => {
  bench = await openBench();
  another = await startEmulator({ key: testKey });
  doomed = await startEmulator({ key: testKey });
  stranded = await openBench(settingsFor(doomed));
  await bench.write(objects);
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await bench?.close();
  await another?.close();
  await stranded?.close();
  await doomed?.close().catch(() => {});
});

const choices = /(?=.*\bembedded\b)(?=.*\bstatsig\b)(?=.*\bcustom\b)/s;

test("without a profile the preview fails, and names the setting and the choices", async () => {
  const text = await refusedPreview(unset);
  expect(text).toMatch(/feature-console:profile/);
  expect(text).toMatch(choices);
});

test("an unknown profile fails in the preview, with the choices", async () => {
  const text = await refusedPreview({ ...elsewhere(), FEATURE_CONSOLE_PROFILE: "costum" });
  expect(text).toMatch(/"costum"/);
  expect(text).toMatch(choices);
});

test("a misspelt setting fails in the preview, with the one that is meant", async () => {
  await bench.stack.setConfig("feature-console:profil", "custom");
  const text = await refusedPreview(elsewhere());
  expect(text).toMatch(/feature-console:profil\b(?=.*feature-console:profile\b)/s);
  await bench.stack.run(["config", "rm", "feature-console:profil"]);
});

test("from the embedded console to another: the preview names what is not there, and what to do", async () => {
  await bench.stack.up({ env: embedded });
  try {
    const text = await refusedPreview(elsewhere());
    for (const name of names) expect(text).toContain(`"${name}"`);
    expect(text).toContain("FEATURE_CONSOLE_MOVE=1");
  } finally {
    await bench.stack.destroy({ env: embedded });
  }
});

test("from one address to another: preview and refresh name what is not there, and the state keeps it", async () => {
  await bench.stack.up();
  const before = await bench.state();
  expect(Object.keys(before).sort()).toEqual(names);
  const text = await refusedPreview(elsewhere());
  for (const name of names) expect(text).toContain(`"${name}"`);
  expect(text).toContain("FEATURE_CONSOLE_MOVE=1");
  const refreshed = await bench.stack.refresh({ mayFail: true, env: elsewhere() });
  expect(await bench.state()).toEqual(before);
  expect(refreshed.code).not.toBe(0);
  expect(toldInAll(refreshed)).toContain("FEATURE_CONSOLE_MOVE=1");
});

test("with FEATURE_CONSOLE_MOVE=1 up makes them there, and leaves the former console alone", async () => {
  const before = await movedObjects();
  bench.emulator.clearRequests();
  another.clearRequests();
  await bench.stack.up({ env: { ...elsewhere(), FEATURE_CONSOLE_MOVE: "1" } });
  expect(writesTo(another)).toEqual(
    expect.arrayContaining(["POST /dynamic_configs", "POST /gates", "POST /segments"]),
  );
  expect(bench.emulator.requests).toEqual([]);
  expect(await movedObjects()).toEqual(before);
  await bench.stack.preview({ env: elsewhere(), args: ["--expect-no-changes"] });
  await bench.stack.refresh({ env: elsewhere(), args: ["--expect-no-changes"] });
});

const many = 30;

test("a refresh with a wrong key, or of a console that is down, says so once, counts the rest and loses nothing", async () => {
  await stranded.write(
    `for (let index = 1; index <= ${many}; index += 1) new fc.Gate(\`one_of_many_\${index}\`);`,
  );
  await stranded.stack.up();
  const before = await stranded.state();
  expect(Object.keys(before)).toHaveLength(many);

  const wrongKey = { FEATURE_CONSOLE_API_KEY: `${testKey}-wrong` };
  const unauthorised = await timed(() => stranded.stack.refresh({ mayFail: true, env: wrongKey }));
  await doomed.close();
  const down = await timed(() => stranded.stack.refresh({ mayFail: true }));
  expect(await stranded.state()).toEqual(before);
  for (const [reason, { result, ms }] of [
    [/answered 401/, unauthorised],
    [/no answer/, down],
  ] as const) {
    expect(result.code).not.toBe(0);
    const lines = Object.values(told(result)).flat();
    expect(lines.filter((line) => reason.test(line))).toHaveLength(1);
    expect(lines.join("\n")).toMatch(new RegExp(`\\b${many - 1}\\b`));
    expect(lines.length).toBeLessThan(5);
    expect(ms).toBeLessThan(15_000);
  }
});

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const start = Date.now();
  const result = await work();
  return { result, ms: Date.now() - start };
}
