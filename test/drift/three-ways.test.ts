import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { changeText } from "../../src/provider/schema/audit";
import { SIGNATURE } from "../../src/provider/schema/unknown";
import { type Findings, isDrift, namedUrns, reportJson, reportText } from "../../src/tools/drift";
import { placesOf } from "../../src/tools/drift/three-ways";
import { Desk } from "./desk";

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk?.close());

const rule = (name: string, passPercentage: number) => ({
  ...{ name, passPercentage, conditions: [{ type: "public" }] },
});
const everyone = rule("Everyone", 10);
const staff = rule("Staff", 100);
const gateWith = (description: string, share = 10) => `new fc.Gate("flag", {
  description: "${description}",
  rules: [
    { name: "Staff", passPercentage: 100, conditions: [{ type: "public" }] },
    { name: "Everyone", passPercentage: ${share}, conditions: [{ type: "public" }] },
  ],
});
`;
const fresh = { description: "New" };

/** Each difference and how program, state and console stand to each other there. */
async function standings(): Promise<string[]> {
  const { comparisons } = await desk.compare();
  return comparisons.flatMap(({ differences }) =>
    differences.map(({ label, standing }) => `${label} ${standing}`),
  );
}

/** Accepts what the console has of the resource that is called so. */
async function acceptedByName(findings: Findings, name: string): Promise<void> {
  const urns = namedUrns(findings, [name]);
  if ("unknown" in urns) throw new Error("unknown");
  await desk.accept(findings, urns);
}

test("each of several people is named for what they changed", async () => {
  await desk.apply(gateWith("Old"));
  desk.later();
  await desk.edit("flag", fresh);
  desk.sign("gate", "flag", "ana@example.com");
  desk.later();
  await desk.edit("flag", { rules: [staff, rule("Everyone", 25)] });
  desk.sign("gate", "flag", "ben@example.com");
  const findings = await desk.compare();
  const [one] = findings.comparisons as [Findings["comparisons"][number]];
  const who = (name: string) => changeText(findings.changeOf(one, name) ?? { by: null, at: 0 });
  expect(who("description")).toBe("ana@example.com, 2026-11-22 10:04 UTC");
  expect(who("rules")).toBe("ben@example.com, 2026-11-22 10:05 UTC");
  const text = reportText(findings);
  expect(text).toMatch(/description +"Old" +"New" +"Old" +changed in the console: ana@example\.com/);
  expect(text).toContain('rules: "Everyone" 10 → 25 %; 1 unchanged');
  const description = {
    ...{ path: "description", standing: "changed", applied: "Old", console: "New", program: "Old" },
    ...{ changedBy: "ana@example.com", changedAt: "2026-11-22T10:04:00.000Z" },
  };
  const flag = { kind: "Gate", name: "flag", id: "flag", what: "differs", drift: true };
  expect(JSON.parse(reportJson(findings))).toMatchObject({
    ...{ resources: 1, drift: 1, objects: [{ ...flag, differences: [description, {}] }] },
  });
});

test("a change of the program alone is no drift, is told in its direction, and is not taken back", async () => {
  await desk.apply(gateWith("Old"));
  desk.write(gateWith("Old", 50));
  expect(await standings()).toEqual(["rules[1].passPercentage pending"]);
  const findings = await desk.compare();
  expect((await desk.planned(findings)).changes.size).toBe(0);
  const text = reportText(findings);
  expect(text).toContain('rules, not applied yet: "Everyone" 10 → 50 %; 1 unchanged');
  expect(text).not.toContain("50 → 10");
  expect(text).toContain("0 changed in the console");
});

test("where console and program change one argument, only its name accepts it", async () => {
  await desk.apply(gateWith("Old"));
  desk.write(gateWith("Old", 50));
  await desk.edit("flag", { rules: [rule("Staff", 90), everyone] });
  const findings = await desk.compare();
  expect(await standings()).toEqual(["rules[0].passPercentage changed", "rules[1].passPercentage pending"]);
  const { outcomes } = await desk.accept(findings);
  const why = expect.stringContaining("the program has changed it too");
  expect(outcomes).toMatchObject([{ how: "refused", why }]);
  expect(desk.program).toContain("passPercentage: 50");
  await acceptedByName(findings, "flag");
  expect(desk.program).toContain('"Staff", passPercentage: 90');
  expect(desk.program).toContain('"Everyone", passPercentage: 10');
  expect(await desk.changes()).toEqual({});
});

test("where both changed the same value, it is told so, and only its name accepts the console's", async () => {
  await desk.apply(gateWith("Old", 50));
  desk.write(gateWith("Old", 80));
  await desk.edit("flag", { rules: [staff, rule("Everyone", 0)] });
  const findings = await desk.compare();
  const text = reportText(findings);
  expect(text).toContain('rules: "Everyone" 50 → 0 %; 1 unchanged');
  expect(text).toContain('rules, not applied yet: "Everyone" 50 → 80 %; 1 unchanged');
  expect(text).toMatch(
    /rules\[1\]\.passPercentage +50 +0 +80 +changed in the console: a key, .* UTC; the program changes it too/,
  );
  await expect(desk.up()).rejects.toThrow(/is 0 now, and the program sets 80\. Nothing was sent/);
  expect((await desk.accept(findings)).outcomes).toMatchObject([{ how: "refused" }]);
  expect(desk.program).toContain("passPercentage: 80");
  await acceptedByName(findings, "flag");
  expect(desk.program).toContain("passPercentage: 0");
  expect(await desk.changes()).toEqual({});
});

test("an argument that the program sets for the first time is not applied yet, whatever the console has", async () => {
  await desk.apply('new fc.Gate("flag", {});\n');
  await desk.edit("flag", { description: "Theirs", tags: ["a"] });
  await desk.refresh();
  desk.write('new fc.Gate("flag", { description: "Ours" });\n');
  expect(await standings()).toEqual(["description pending"]);
  await desk.edit("flag", { description: "Theirs again" });
  expect(await standings()).toEqual(["description changed"]);
});

test("a resource that the program no longer has shows no line of the program", async () => {
  const three = 'new fc.Gate("three", {});\n';
  const two = 'new fc.Gate("two", { description: "2", onDelete: "retain" });\n';
  await desk.apply(`new fc.Gate("one", { description: "1" });\n${two}${three}`);
  desk.write(three);
  const text = reportText(await desk.compare());
  const gone = "is in state and not in the program any more; an up";
  expect(text).toContain(`gate "one" ${gone} ends it\n`);
  expect(text).toContain(`gate "two" ${gone} leaves it in the console\n`);
  expect(text).not.toContain("index.ts");
});

test("an object that somebody deleted comes back by a refresh and an up, as the report says; accepting it says what to do", async () => {
  await desk.apply('new fc.Gate("flag", { description: "Old" });\n');
  await desk.raw.gate.delete({ id: "flag" });
  const findings = await desk.compare();
  expect(await desk.changes()).toEqual({});
  const { outcomes } = await desk.accept(findings);
  expect(reportText({ ...findings, outcomes })).toContain(
    'refused  index.ts:2:1  gate "flag" (the whole of it): it was deleted in the console; remove the resource from the program, or run "pulumi up --refresh", which makes it again',
  );
});

test.each([
  ["", ["isEnabled", "rules[0].passPercentage"]],
  ['owns: { rollout: "console" },', ["isEnabled"]],
  ['owns: { rollout: "console", status: "console" },', []],
])("a ramp and a stop in the console are drift but for what the console owns: %s", async (owns, expected) => {
  await desk.apply(
    `new fc.Gate("flag", { isEnabled: true, ${owns} rules: ${JSON.stringify([everyone])} });\n`,
  );
  await desk.edit("flag", { rules: [rule("Everyone", 60)] });
  await desk.raw.gate.disable({ id: "flag" });
  const { comparisons } = await desk.compare();
  const labels = comparisons.flatMap(({ differences }) => differences.map(({ label }) => label));
  expect(labels.map((label) => (label === "status" ? "isEnabled" : label)).sort()).toEqual(expected);
  expect(comparisons.map(({ what }) => what)).toEqual([expected.length === 0 ? "same" : "differs"]);
});

test.each(["isEnabled: true, ", ""])(
  "a gate that somebody switched off stays drift through an up of a share, where the program says {%s}",
  async (said) => {
    const program = (share: number) =>
      `new fc.Gate("flag", { ${said}rules: ${JSON.stringify([rule("Everyone", share)])} });\n`;
    await desk.apply(program(50));
    await desk.raw.gate.disable({ id: "flag" });
    await desk.apply(program(80));
    expect(await desk.raw.gate.get({ id: "flag" })).toMatchObject({ isEnabled: false });
    const findings = await desk.compare();
    expect(findings.comparisons.map(isDrift)).toEqual([true]);
    expect(reportText(findings)).toMatch(/(isEnabled +true +false|status +"In Progress" +"Disabled")/);
    await desk.up();
    expect((await desk.compare()).comparisons.map(isDrift)).toEqual([true]);
  },
);

test("both changed alike: nothing is drift, and state learns it", async () => {
  await desk.apply(gateWith("Old"));
  desk.write(gateWith("New"));
  await desk.edit("flag", fresh);
  expect(await standings()).toEqual(["description settled"]);
  await desk.accept();
  expect(await desk.changes()).toEqual({});
});

test("the patch is one that git applies, and writes nothing by itself", async () => {
  await desk.apply(gateWith("Old"));
  await desk.edit("flag", { rules: [everyone] });
  const findings = await desk.compare();
  const before = desk.program;
  const patch = await desk.patch(findings);
  expect(desk.program).toBe(before);
  writeFileSync(path.join(desk.folder, "drift.patch"), patch);
  execFileSync("git", ["apply", "drift.patch"], { cwd: desk.folder });
  const applied = desk.program;
  writeFileSync(desk.file, before);
  await desk.accept(findings);
  expect(desk.program).toBe(applied);
  expect(applied).not.toContain("Staff");
});

test("what is called a secret is never shown", async () => {
  await desk.apply(gateWith("Old"));
  await desk.edit("flag", { description: "Something private" });
  const description = { [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", plaintext: '"Old"' };
  const { resources } = await desk.stack.exported();
  const { steps } = await desk.stack.preview();
  const stored = resources.map((one) => ({ ...one, inputs: { ...one.inputs, description } }));
  const masked = steps.map((step) => {
    const inputs = { ...step.newState?.inputs, description: "[secret]" };
    return { ...step, newState: { ...step.newState, inputs } };
  });
  const findings = await desk.compare({
    ...desk.stack,
    exported: () => Promise.resolve({ resources: stored }),
    preview: () => Promise.resolve({ steps: masked as never }),
  });
  const { outcomes } = await desk.planned(findings);
  expect(outcomes).toMatchObject([{ how: "refused", why: expect.stringContaining("secret") }]);
  const patch = await desk.patch(findings);
  const said = [reportText(findings), reportJson(findings), patch, JSON.stringify(outcomes)].join("\n");
  expect(said).toContain("[secret]");
  expect(said).not.toContain("private");
  expect(said).not.toContain('"Old"');
});

test("a large set of ids that an earlier version hashed otherwise has changed where its number has", () => {
  const applied = { count: 30_000, hash: "0123456789abcdef" };
  const places = (count: number) =>
    placesOf(catalog.segment, "ids", { applied, live: { count, hash: "0123456789abcdef0123456789abcdef" } });
  expect(places(30_000)).toEqual([]);
  expect(places(30_001)).toMatchObject([{ label: "ids" }]);
});
