import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, changesTo, nameOf, openBench, toldInAll } from "./bench";

// Rows 6, 9 and 10 of the table of faults: states that the program says, says no more, or never said.

jest.setTimeout(120_000);

let bench: Bench;

interface Said {
  /** What the program says of the state, by the name of the object; left out: nothing. */
  readonly [name: string]: string;
}

/** The same objects each time. */
function program(said: Said): string {
  const gates = ["back_launched", "back_off", "off", "launched", "silent", "silent_off", "held"];
  const configs = ["back_config", "off_config", "silent_config"];
  const group = (name: string) => `{ name: "${name}", size: 50, parameterValues: {} }`;
  return [
    ...gates.map((name) => `new fc.Gate("${name}", { ${said[name] ?? ""} });`),
    ...configs.map((name) => `new fc.DynamicConfig("${name}", { ${said[name] ?? ""} });`),
    `new fc.Experiment("back_trial", { groups: [${group("Control")}, ${group("Test")}], ${said.back_trial ?? ""} });`,
  ].join("\n");
}

const off = "isEnabled: false";
const launched = `status: "Launched"`;
// What has run has results: only the program may let go of them.
const always = { held: `status: "In Progress"`, back_trial: "allowReset: true" };
const later = { off, launched, off_config: off, ...always };

/** States in the console by the name of the object. */
async function states(...names: string[]): Promise<Record<string, unknown>> {
  const { gate, dynamicConfig, experiment } = bench.raw;
  const found = names.map(async (id) => {
    const kind = id.endsWith("config") ? dynamicConfig : id.endsWith("trial") ? experiment : gate;
    return [id, (await kind.get({ id })).status];
  });
  return Object.fromEntries(await Promise.all(found));
}

beforeAll(async () => {
  bench = await openBench();
  const first = { back_launched: launched, back_off: off, back_config: off, back_trial: `status: "active"` };
  await bench.write(program({ ...later, ...first }));
  await bench.stack.up();
  await bench.stack.destroy();
  expect(await states("back_launched", "back_config", "back_trial")).toEqual({
    ...{ back_launched: "Archived", back_config: "Archived", back_trial: "archived" },
  });
  await bench.write(program(later));
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

test("destroyed and declared again without a state, an object begins as a new one does", async () => {
  expect(await states("back_launched", "back_off", "back_config", "back_trial")).toEqual({
    ...{ back_launched: "In Progress", back_off: "In Progress" },
    ...{ back_config: "Enabled", back_trial: "setup" },
  });
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("a state that leaves the program is no update: it stays as it is, and a line says what to say instead", async () => {
  await bench.write(program(always));
  const foretold = await bench.stack.preview({ args: ["--expect-no-changes"], mayFail: true });
  const steps = foretold.steps.map(({ op, urn }) => `${op} ${nameOf(urn)}`);
  expect(steps.filter((step) => !step.startsWith("same "))).toEqual([]);
  expect(foretold.code).toBe(0);
  const text = toldInAll(foretold);
  expect(text).toMatch(/gate "off".*stays Disabled.*isEnabled: true/);
  expect(text).toMatch(/dynamic config "off_config".*stays Disabled.*isEnabled: true/);
  expect(text).toMatch(/gate "launched".*stays Launched/);
  bench.emulator.clearRequests();
  await bench.stack.up();
  expect(changesTo(bench.emulator)).toEqual([]);
  expect(await states("off", "launched", "off_config")).toEqual({
    ...{ off: "Disabled", launched: "Launched", off_config: "Disabled" },
  });
});

test("launched or disabled by hand: a check finds it and names it, though the program says nothing of states", async () => {
  await bench.raw.gate.launch({ id: "silent" });
  await bench.raw.gate.disable({ id: "silent_off" });
  await bench.raw.dynamicConfig.disable({ id: "silent_config" });
  const found = await bench.stack.run(["refresh", "--preview-only", "--expect-no-changes"]);
  expect(found.code).toBe(7);
  expect(found.stdout).toMatch(/gate "silent".*Launched/);
  expect(found.stdout).toMatch(/gate "silent_off".*Disabled/);
  expect(found.stdout).toMatch(/dynamic config "silent_config".*Disabled/);
});

test("after a refresh, up leaves alone what the program does not say, and brings back what it says", async () => {
  await bench.raw.gate.launch({ id: "held" });
  await bench.stack.refresh();
  bench.emulator.clearRequests();
  const result = await bench.stack.up();
  expect(changesTo(bench.emulator).filter((write) => !write.includes("/gates/held"))).toEqual([]);
  expect(toldInAll(result)).not.toMatch(/"silent/);
  expect(await states("silent", "silent_off", "silent_config", "held")).toEqual({
    ...{ silent: "Launched", silent_off: "Disabled", silent_config: "Disabled", held: "In Progress" },
  });
  await bench.stack.preview({ args: ["--expect-no-changes"] });
  await bench.stack.refresh({ args: ["--expect-no-changes"] });
});
