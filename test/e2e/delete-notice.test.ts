import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench, settingsFor, testKey } from "./bench";

jest.setTimeout(300_000);

let bench: Bench;
let other: RunningEmulator;

const asking = (key: string) => `rules: [{ name: "In", passPercentage: 100,
  conditions: [{ type: "passes_segment", targetValue: "${key}" }] }]`;
const gates = {
  old: 'new fc.Gate("old", { key: "flag_one", name: "Flag one" });',
  checkout: `new fc.Gate("checkout", { ${asking("vip")} });`,
};
const seen = 'fc.Gate.get("seen", "by_hand");';
const segments = (...names: string[]) =>
  names.map((name) => `new fc.Segment("${name}", { type: "rule_based" });`).join("\n");
const whole = [gates.old, gates.checkout, seen, segments("vip", "old_wave", "wave")].join("\n");

beforeAll(async () => {
  bench = await openBench();
  other = await startEmulator({ key: testKey });
  await bench.raw.segment.create({ body: { id: "by_hand", name: "by_hand", type: "rule_based" } });
  await bench.raw.gate.create({ body: { name: "by_hand" } });
  await bench.write(whole);
  await bench.stack.up();
  await bench.raw.gate.patch({
    id: "by_hand",
    body: {
      rules: [
        {
          name: "In",
          passPercentage: 100,
          conditions: [{ type: "passes_segment", targetValue: "wave" }],
        },
      ],
    },
  });
}, FIRST_CLI_TIMEOUT_MS);

afterAll(async () => {
  await bench?.close();
  await other?.close();
});

const warningsOf = ({ warnings }: { warnings: readonly string[] }) => warnings.map((text) => text.trim());

const forGood = (name: string) =>
  `segment "${name}" is no longer in the program. Deleting it is for good: the console cannot bring it back. ` +
  'To leave it there, put it back with onDelete: "retain", run "pulumi up", then take it out.';
const unknowable = (object: string) =>
  `${object} is no longer in the program, and this preview cannot know whether another stack has adopted it. If it is to stay, ` +
  'run "pulumi state move" or "pulumi state delete" before "pulumi up"; onDelete: "retain" counts once an "up" has put it into state.';
const inUse = (name: string, user: string) =>
  `This update will fail: segment "${name}" is no longer in the program, and "pulumi up" cannot delete it while gate "${user}" ` +
  "refers to it (a run with --target, or retainOnDelete, leaves it alone). Take the reference away first; or put it back with " +
  'forceDelete: true, run "pulumi up", then take it out.';

test("a preview in which nothing goes says nothing and asks nobody", async () => {
  bench.emulator.clearRequests();
  const preview = await bench.stack.preview({ args: ["--expect-no-changes"] });
  expect(preview.code).toBe(0);
  expect(warningsOf(preview)).toEqual([]);
  // The one object is that of `get`; the program and the provider each ask for the project first.
  const asked = bench.emulator.requests.map(({ path }) => path);
  expect(asked.filter((path) => path !== "/console/v1/project")).toEqual(["/console/v1/gates/by_hand"]);
  expect(asked.length).toBeLessThanOrEqual(3);
});

test("segments that the program drops: which are for good, and what still asks for which", async () => {
  await bench.write(`${gates.old}\n${gates.checkout}`);
  const preview = await bench.stack.preview();
  expect(preview.changeSummary.delete).toBe(3);
  expect(warningsOf(preview)).toEqual([
    inUse("vip", "checkout"),
    inUse("wave", "by_hand"),
    forGood("old_wave"),
    unknowable('segment "old_wave"'),
  ]);
});

test("up refuses what the preview said it will refuse, and says nothing beforehand", async () => {
  const up = await bench.stack.up({ mayFail: true });
  expect(up.errors.join()).toContain('segment "vip" is in use by gate "checkout"');
  expect(up.errors.join()).toContain('segment "wave" is in use by gate "by_hand"');
  expect(warningsOf(up).filter((text) => text.includes("no longer in the program"))).toEqual([]);
});

test("a gate that got another resource name: the alias that is missing; with it, nothing", async () => {
  const rest = `${gates.checkout}\n${segments("vip", "wave")}`;
  await bench.write(`${gates.old.replace('"old"', '"renamed"')}\n${rest}`);
  expect(warningsOf(await bench.stack.preview())).toEqual([
    'This update will fail: gate "flag_one": state has it under the resource name "old", the program under "renamed". ' +
      'If it was renamed, set aliases: [{ name: "old" }].',
  ]);
  const aliased = gates.old
    .replace('"old"', '"renamed"')
    .replace(" });", ' }, { aliases: [{ name: "old" }] });');
  await bench.write(`${aliased}\n${rest}`);
  expect(warningsOf(await bench.stack.preview({ args: ["--expect-no-changes"] }))).toEqual([]);
});

test("a component that got another name, with an alias: its parts are not gone", async () => {
  const component = (name: string, options = "{}") => `
class Shop extends pulumi.ComponentResource {
  constructor(name: string, options: pulumi.ComponentResourceOptions = {}) {
    super("my:index:Shop", name, {}, options);
    new fc.Segment("part", { type: "rule_based" }, { parent: this });
  }
}
class Store extends pulumi.ComponentResource {
  constructor(name: string, options: pulumi.ComponentResourceOptions = {}) {
    super("my:index:Store", name, {}, options);
    new fc.Segment("part", { type: "rule_based" }, { parent: this });
  }
}
new ${name}("shop", ${options});
${gates.old}\n${gates.checkout}\n${segments("vip", "wave")}`;
  await bench.write(component("Shop"));
  await bench.stack.up();
  await bench.write(component("Store", '{ aliases: [{ type: "my:index:Shop" }] }'));
  expect(warningsOf(await bench.stack.preview())).toEqual([]);
  await bench.write(component("Store"));
  expect(warningsOf(await bench.stack.preview()).join()).toContain("If it was moved, set aliases");
});

test("a program that fails says its error and nothing else", async () => {
  await bench.write('throw new pulumi.RunError("no programs today");');
  const preview = await bench.stack.preview({ mayFail: true });
  expect(preview.code).not.toBe(0);
  expect(preview.errors.join()).toContain("no programs today");
  expect(warningsOf(preview)).toEqual([]);
});

test("a preview against another console names what is elsewhere before it fails", async () => {
  await bench.write(`${gates.old}\n${gates.checkout}\n${segments("vip", "wave")}`);
  const preview = await bench.stack.preview({ env: settingsFor(other), mayFail: true });
  expect(preview.code).not.toBe(0);
  const said = warningsOf(preview).filter((text) => text.includes("is in another console"));
  expect(said).toHaveLength(1);
  for (const name of ['gate "flag_one"', 'gate "checkout"', 'segment "vip"', 'segment "wave"'])
    expect(said[0]).toContain(name);
  expect(said[0]).toContain("FEATURE_CONSOLE_MOVE=1");
});
