import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { isDrift, reportJson, reportText } from "../../src/tools/drift";
import { withSwitchedOff } from "../../src/tools/drift/switched-off";
import { Desk } from "./desk";

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk?.close());

const advice = (name: string) =>
  `${name} is off, and the program does not set it: set it to false to keep it off, or to true and run "pulumi up"`;

/** What `pulumi up --refresh` does. */
async function upWithRefresh() {
  const { resources } = await desk.stack.exported();
  await desk.stack.refresh(resources.map(({ urn }) => urn));
  await desk.up();
}

async function drift() {
  const findings = await desk.compare();
  return { findings, isDrift: findings.comparisons.some(isDrift), text: reportText(findings) };
}

const kinds: readonly [string, keyof typeof catalog, string, string, string, JsonObject][] = [
  ["gate", "gate", 'fc.Gate("flag", { description: "Imported"', "isEnabled", "flag", { isEnabled: false }],
  [
    "dynamic config",
    "dynamicConfig",
    'fc.DynamicConfig("flag", { description: "x"',
    "isEnabled",
    "flag",
    { isEnabled: false },
  ],
  ["holdout", "holdout", 'fc.Holdout("flag", { passPercentage: 5', "isEnabled", "flag", { isEnabled: false }],
];

test.each(kinds)(
  "a %s that was switched off by hand is drift until somebody decides",
  async (_, kind, start, name, id, off) => {
    desk.write(`new ${start} });\n`);
    await desk.up();
    expect((await drift()).isDrift).toBe(false);
    const { resources } = await desk.stack.exported();
    const live = resources[0]?.id ?? id;
    await (desk.raw as unknown as Record<string, { patch(input: object): Promise<void> }>)[kind]?.patch({
      id: live,
      body: off,
    });
    expect((await drift()).isDrift).toBe(true);
    await upWithRefresh();
    for (const _again of [1, 2]) {
      const { isDrift: is, text, findings } = await drift();
      expect(is).toBe(true);
      expect(text).toContain(advice(name));
      expect(text).toMatch(new RegExp(`${name} +- +false +- +off in the console$`, "m"));
      expect(text).toContain("1 resource, 1 changed in the console.");
      expect(JSON.parse(reportJson(findings))).toMatchObject({
        drift: 1,
        objects: [{ differences: [{ path: name, standing: "changed", console: false }] }],
      });
      await upWithRefresh();
    }

    await desk.accept((await drift()).findings);
    expect(desk.program).toContain(`${name}: false`);
    expect((await drift()).isDrift).toBe(false);
    expect(await desk.changes()).toEqual({});

    desk.write(`new ${start}, ${name}: true });\n`);
    await desk.up();
    expect((await drift()).isDrift).toBe(false);
    desk.write(`new ${start} });\n`);
    await desk.up();
    expect((await drift()).isDrift).toBe(false);
  },
);

test("switched on again in the console, it is no drift any more", async () => {
  desk.write('new fc.Gate("flag", {});\n');
  await desk.up();
  await desk.raw.gate.disable({ id: "flag" });
  await upWithRefresh();
  expect((await drift()).isDrift).toBe(true);
  await desk.raw.gate.enable({ id: "flag" });
  expect((await drift()).text).not.toContain("is off");
  await upWithRefresh();
  expect((await drift()).isDrift).toBe(false);
});

test("switched off and not refreshed yet, it is told once, as a change of the console", async () => {
  desk.write('new fc.Gate("flag", {});\n');
  await desk.up();
  await desk.raw.gate.disable({ id: "flag" });
  const { text, findings } = await drift();
  expect(findings.comparisons.flatMap(({ differences }) => differences)).toHaveLength(1);
  expect(text).toMatch(/status +"In Progress" +"Disabled" +- +changed in the console/);
});

test.each([
  ["the console owns it", '{ owns: { status: "console" } }'],
  ["the program says that it is off", "{ isEnabled: false }"],
  ["the program says so by its state", '{ status: "Disabled" }'],
])("%s: being off is no drift", async (_, args) => {
  desk.write(`new fc.Gate("flag", ${args});\n`);
  await desk.up();
  await desk.raw.gate.disable({ id: "flag" });
  await upWithRefresh();
  expect((await drift()).isDrift).toBe(false);
});

test.each([["isEnabled"], ["status"], ["*"]])(
  "ignoreChanges: [%j] leaves it to the console",
  async (path) => {
    desk.write('new fc.Gate("flag", {});\n');
    await desk.up();
    await desk.raw.gate.disable({ id: "flag" });
    await upWithRefresh();
    const [found] = (await drift()).findings.comparisons;
    if (found === undefined) throw new Error("no comparison");
    const silent = { ...found, what: "same" as const, differences: [], words: [], values: [] };
    expect(isDrift(withSwitchedOff(silent))).toBe(true);
    const ignoring = { ...silent, resource: { ...found.resource, ignored: [path] } };
    expect(isDrift(withSwitchedOff(ignoring))).toBe(false);
  },
);

test.each([["launch"], ["archive"]] as const)("%s is no switch", async (action) => {
  desk.write('new fc.Gate("flag", { description: "x" });\n');
  await desk.up();
  await desk.raw.gate[action]({ id: "flag" } as never);
  expect((await drift()).text).not.toContain("is off");
});
