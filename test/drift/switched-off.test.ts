import { expect, test } from "@jest/globals";
import { compareThree, isDrift } from "../../src/tools/drift/comparison";
import { api, deskForEachTest } from "./each-test";

deskForEachTest();

async function drift() {
  const findings = await api.compare();
  return {
    findings,
    isDrift: findings.comparisons.some(isDrift),
    text: await api.told(findings),
  };
}

/** A gate with these arguments, which somebody switches off. */
async function switchedOff(args = ""): Promise<void> {
  await api.apply(`new fc.Gate("flag", {${args}});\n`);
  await api.raw.gate.disable({ id: "flag" });
}

test.each([
  ["gate", 'fc.Gate("flag", { description: "Imported"'],
  ["dynamicConfig", 'fc.DynamicConfig("flag", { description: "x"'],
  ["holdout", 'fc.Holdout("flag", { passPercentage: 5'],
] as const)("a %s that was switched off by hand is drift until somebody decides", async (kind, start) => {
  const name = "isEnabled";
  await api.apply(`new ${start} });\n`);
  expect((await drift()).isDrift).toBe(false);
  const [made] = (await api.stack.exported()).resources;
  await api.raw[kind].patch({ id: made?.id ?? "", body: { isEnabled: false } });
  expect((await drift()).isDrift).toBe(true);
  for (const _again of [1, 2]) {
    await api.upWithRefresh();
    const { isDrift: is, text, findings } = await drift();
    expect(is).toBe(true);
    expect(text).toContain(
      `${name} is off, and the program does not set it: set it to false to keep it off, or to true and run "pulumi up"`,
    );
    expect(text).toMatch(/isEnabled +false +false +- +off in the console(: a key, .* UTC)?$/m);
    expect(text).toContain("1 resource, 1 changed in the console.");
    const differences = [{ path: name, standing: "changed", console: false }];
    expect(api.toldAsJson(findings)).toMatchObject({
      drift: 1,
      objects: [{ differences }],
    });
  }

  await api.accept();
  expect(api.program).toContain(`${name}: false`);
  expect([(await drift()).isDrift, await api.changes()]).toEqual([false, {}]);
  for (const decided of [", isEnabled: true", ""]) {
    await api.apply(`new ${start}${decided} });\n`);
    expect((await drift()).isDrift).toBe(false);
  }
});

test("switched on again in the console, it is no drift any more", async () => {
  await switchedOff();
  await api.upWithRefresh();
  expect((await drift()).isDrift).toBe(true);
  await api.raw.gate.enable({ id: "flag" });
  expect((await drift()).text).not.toContain("is off");
  await api.upWithRefresh();
  expect((await drift()).isDrift).toBe(false);
});

test("switched off and not refreshed yet, it is told once, as a change of the console", async () => {
  await switchedOff();
  const { text, findings } = await drift();
  expect(findings.comparisons.flatMap(({ differences }) => differences)).toHaveLength(1);
  expect(text).toMatch(/status +"In Progress" +"Disabled" +- +changed in the console/);
});

test.each(['owns: { status: "console" }', "isEnabled: false", 'status: "Disabled"'])(
  "being off is no drift, where the program says { %s }",
  async (args) => {
    await switchedOff(args);
    await api.upWithRefresh();
    expect((await drift()).isDrift).toBe(false);
  },
);

test.each(["isEnabled", "status", "*"])("ignoreChanges: [%j] leaves it to the console", async (path) => {
  await switchedOff();
  await api.upWithRefresh();
  const [found] = (await drift()).findings.comparisons;
  if (found === undefined) throw new Error("no comparison");
  const ignoring = (ignored: readonly string[]) =>
    isDrift(compareThree({ ...found.resource, ignored }, found.live));
  expect([ignoring([]), ignoring([path])]).toEqual([true, false]);
});

test.each(["launch", "archive"] as const)("%s is no switch", async (action) => {
  await api.apply('new fc.Gate("flag", { description: "x" });\n');
  await api.raw.gate[action]({ id: "flag" } as never);
  expect((await drift()).text).not.toContain("is off");
});
