import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { changeText } from "../../src/provider/schema/audit";
import { SIGNATURE } from "../../src/provider/schema/unknown";
import { compareThree, isDrift } from "../../src/tools/drift/comparison";
import type { Findings } from "../../src/tools/drift/drift";
import { namedUrns } from "../../src/tools/drift/take-over";
import type { Resource } from "../../src/tools/stack/resources";
import { rule } from "./desk";
import { api, deskForEachTest } from "./each-test";

deskForEachTest();

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
  const { comparisons } = await api.compare();
  return comparisons.flatMap(({ differences }) =>
    differences.map(({ label, standing }) => `${label} ${standing}`),
  );
}

/** Accepts what the console has of the resource that is called so. */
async function acceptedByName(findings: Findings, name: string): Promise<void> {
  await api.accept(findings, namedUrns(findings, [name]));
}

test("a person's edit and then a run of the pipeline: the person, in drift, as history shows it", async () => {
  await api.apply(gateWith("Old"));
  api.later();
  await api.asAna("PATCH", "/gates/flag", { rules: [staff, rule("Everyone", 25)] });
  api.later();
  await api.apply(gateWith("Next"));
  api.later();
  await api.edit("flag", { tags: ["theirs"] });
  const text = await api.told();
  expect(text).toContain("changed in the console: ana@example.com, 2026-11-22 10:04 UTC\n");
  api.emulator.addFaults([{ times: 9, path: "/gates/flag/versions", status: 403 }]);
  const unread = await api.told();
  expect(unread).toMatch(/passPercentage .* changed in the console\n/);
  expect(api.progress.at(-1)).toContain(
    'The versions of gate "flag" were not read, so authors are missing: ',
  );
});

test("a run of the pipeline that changes another rule, or the rest of the rule, takes no author's place", async () => {
  const staffAt = (share: number) =>
    gateWith("Old", 20).replace("passPercentage: 100", `passPercentage: ${share}`);
  await api.apply(gateWith("Old"));
  api.later();
  await api.asAna("PATCH", "/gates/flag", { rules: [rule("Staff", 50), everyone] });
  api.later();
  await api.apply(gateWith("Old", 20));
  expect(await api.raw.gate.get({ id: "flag" })).toMatchObject({
    rules: [{ passPercentage: 50 }, { passPercentage: 20 }],
  });
  expect(await api.told()).toMatch(
    /rules\[0\]\.passPercentage +100 +50 +100 +changed in the console: ana@example\.com, 2026-11-22 10:04 UTC\n/,
  );
  api.write(staffAt(80));
  await expect(api.up()).rejects.toThrow(
    '(changed by ana@example.com, 2026-11-22 10:04 UTC): rules[0].passPercentage of "Staff" was 100, is 50 now',
  );
});

test("a rule that a person renamed is that person's, whatever a pipeline changes in it later", async () => {
  await api.apply(gateWith("Old"));
  api.later();
  await api.asAna("PATCH", "/gates/flag", { rules: [staff, rule("All of them", 10)] });
  api.later();
  await api.apply(gateWith("Old", 20));
  expect(await api.raw.gate.get({ id: "flag" })).toMatchObject({
    rules: [{ name: "Staff" }, { name: "All of them", passPercentage: 20 }],
  });
  const text = await api.told();
  expect(text.match(/changed in the console: ana@example\.com, 2026-11-22 10:04 UTC/g)).toHaveLength(2);
  expect(text).not.toContain("a key");
});

test("each of several people is named for what they changed", async () => {
  await api.apply(gateWith("Old"));
  api.later();
  await api.edit("flag", fresh);
  api.sign("gate", "flag", "ana@example.com");
  api.later();
  await api.edit("flag", { rules: [staff, rule("Everyone", 25)] });
  api.sign("gate", "flag", "ben@example.com");
  const findings = await api.compare();
  const [one] = findings.comparisons as [Findings["comparisons"][number]];
  const who = (name: string) => {
    const [found] = one.differences.filter((difference) => difference.name === name);
    return changeText(found?.author ?? { by: null, at: 0 });
  };
  expect(who("description")).toBe("ana@example.com, 2026-11-22 10:04 UTC");
  expect(who("rules")).toBe("ben@example.com, 2026-11-22 10:05 UTC");
  const text = await api.told(findings);
  expect(text).toMatch(/description +"Old" +"New" +"Old" +changed in the console: ana@example\.com/);
  expect(text).toContain(
    'rules: 10 % → 25 % of everyone, without effect: nobody reaches it: rule "Staff" before it takes everyone; rule "Staff" unchanged',
  );
  const description = {
    ...{ path: "description", standing: "changed", applied: "Old", console: "New", program: "Old" },
    ...{ changedBy: "ana@example.com", changedAt: "2026-11-22T10:04:00.000Z" },
  };
  const flag = { kind: "Gate", name: "flag", id: "flag", what: "differs", drift: true };
  expect(api.toldAsJson(findings)).toMatchObject({
    ...{ resources: 1, drift: 1, objects: [{ ...flag, differences: [description, {}] }] },
  });
});

test("a change of the program alone is no drift, is told in its direction, and is not taken back", async () => {
  await api.apply(gateWith("Old"));
  api.write(gateWith("Old", 50));
  expect(await standings()).toEqual(["rules[1].passPercentage pending"]);
  const findings = await api.compare();
  expect((await api.planned(findings)).changes.size).toBe(0);
  const text = await api.told(findings);
  expect(text).toContain(
    'rules, not applied yet: 10 % → 50 % of everyone, without effect: nobody reaches it: rule "Staff" before it takes everyone; rule "Staff" unchanged',
  );
  expect(text).not.toContain("50 → 10");
  expect(text).toContain("0 changed in the console");
});

test("where console and program change one argument, only its name accepts it", async () => {
  await api.apply(gateWith("Old"));
  api.write(gateWith("Old", 50));
  await api.edit("flag", { rules: [rule("Staff", 90), everyone] });
  const findings = await api.compare();
  expect(await standings()).toEqual(["rules[0].passPercentage changed", "rules[1].passPercentage pending"]);
  const { outcomes } = await api.accept(findings);
  const why = expect.stringContaining("the program has changed it too");
  expect(outcomes).toMatchObject([{ how: "refused", why }]);
  expect(api.program).toContain("passPercentage: 50");
  await acceptedByName(findings, "flag");
  expect(api.program).toContain('"Staff", passPercentage: 90');
  expect(api.program).toContain('"Everyone", passPercentage: 10');
  expect(await api.changes()).toEqual({});
});

test("where both changed the same value, it is told so, and only its name accepts the console's", async () => {
  await api.apply(gateWith("Old", 50));
  api.write(gateWith("Old", 80));
  await api.edit("flag", { rules: [staff, rule("Everyone", 0)] });
  const findings = await api.compare();
  const text = await api.told(findings);
  expect(text).toContain(
    'rules: 50 % → 0 % of everyone, without effect: nobody reaches it: rule "Staff" before it takes everyone; rule "Staff" unchanged',
  );
  expect(text).toContain(
    'rules, not applied yet: 50 % → 80 % of everyone, without effect: nobody reaches it: rule "Staff" before it takes everyone; rule "Staff" unchanged',
  );
  expect(text).toMatch(
    /rules\[1\]\.passPercentage +50 +0 +80 +changed in the console: a key, .* UTC; the program changes it too/,
  );
  await expect(api.up()).rejects.toThrow(/is 0 now, and the program sets 80\. Nothing was sent/);
  expect((await api.accept(findings)).outcomes).toMatchObject([{ how: "refused" }]);
  expect(api.program).toContain("passPercentage: 80");
  await acceptedByName(findings, "flag");
  expect(api.program).toContain("passPercentage: 0");
  expect(await api.changes()).toEqual({});
});

test.each([
  ["gate", 'fc.Gate("flag", { description: "Ours" });'],
  ["dynamicConfig", 'fc.DynamicConfig("flag", { description: "Ours" });'],
] as const)(
  "a %s that somebody archived and a refresh has seen: the update brings it back, drift says so, and its name accepts it",
  async (kind, made) => {
    await api.apply(`new ${made}\n`);
    await api.raw[kind].archive({ id: "flag" });
    await api.refresh();
    const findings = await api.compare();
    const text = await api.told(findings);
    expect(text).toMatch(
      /status +"Archived" +"Archived" +- +not applied yet: it comes back from the archive$/m,
    );
    expect(text).toContain(
      "1 resource, 0 changed in the console; 1 with values of the program that are not applied yet.",
    );
    expect(findings.comparisons.some(isDrift)).toBe(false);
    await acceptedByName(findings, "flag");
    expect([api.program.includes('status: "Archived"'), await api.changes()]).toEqual([true, {}]);
    expect((await standings()).length).toBe(0);
  },
);

test("an argument that the program sets for the first time is not applied yet, whatever the console has", async () => {
  await api.apply('new fc.Gate("flag", {});\n');
  await api.edit("flag", { description: "Theirs", tags: ["a"] });
  await api.refresh();
  api.write('new fc.Gate("flag", { description: "Ours" });\n');
  expect(await standings()).toEqual(["description pending"]);
  await api.edit("flag", { description: "Theirs again" });
  expect(await standings()).toEqual(["description changed"]);
});

test("an argument that the program no longer sets, and that no update clears, stays", async () => {
  const flag = (more: string) => `new fc.Gate("flag", { description: "A"${more} });\n`;
  await api.apply(flag(", isEnabled: true"));
  api.write(flag(""));
  expect(await standings()).toEqual(["isEnabled kept"]);
  const text = await api.told();
  expect(text).toMatch(
    /isEnabled +true +true +- +stays: the program no longer sets it, and no update clears it\n/,
  );
  expect(text).toMatch(/1 resource, 0 changed in the console\.\n/);
});

test("the console stores no option of a program", async () => {
  await api.apply('new fc.Gate("flag", { onDelete: "retain" });\n');
  api.write('new fc.Gate("flag", { onDelete: "archive", owns: { rollout: "console" } });\n');
  const text = await api.told();
  expect(text).toMatch(/onDelete +"retain" +- +"archive" +not applied yet\n/);
  expect(text).toMatch(/owns +- +- +\{"rollout":"console"\} +not applied yet\n/);
});

test("a resource that the program no longer has shows no line of the program", async () => {
  const three = 'new fc.Gate("three", {});\n';
  const two = 'new fc.Gate("two", { description: "2", onDelete: "retain" });\n';
  await api.apply(`new fc.Gate("one", { description: "1" });\n${two}${three}`);
  api.write(three);
  const text = await api.told();
  const gone = 'is in state and not in the program any more; "pulumi up"';
  expect(text).toContain(`gate "one" ${gone} archives it\n`);
  expect(text).toContain(`gate "two" ${gone} leaves it in the console\n`);
  expect(text).not.toContain("index.ts");
});

test("an object that somebody deleted comes back by a refresh and an up, as the report says; accepting it says what to do", async () => {
  await api.apply('new fc.Gate("flag", { description: "Old" });\n');
  await api.raw.gate.delete({ id: "flag" });
  const findings = await api.compare();
  expect(await api.changes()).toEqual({});
  const { outcomes } = await api.accept(findings);
  expect(await api.told({ ...findings, outcomes })).toContain(
    'refused  index.ts:2:1  gate "flag" (the whole of it): it was deleted in the console; remove the resource from the program, or run "pulumi up --refresh", which makes it again',
  );
});

test.each(["isEnabled: true, ", ""])(
  "a gate that somebody switched off stays drift through an up of a share, where the program says {%s}",
  async (said) => {
    const program = (share: number) =>
      `new fc.Gate("flag", { ${said}rules: ${JSON.stringify([rule("Everyone", share)])} });\n`;
    await api.apply(program(50));
    await api.raw.gate.disable({ id: "flag" });
    await api.apply(program(80));
    expect(await api.raw.gate.get({ id: "flag" })).toMatchObject({ isEnabled: false });
    const findings = await api.compare();
    expect(findings.comparisons.map(isDrift)).toEqual([true]);
    expect(await api.told(findings)).toMatch(/(isEnabled +true +false|status +"In Progress" +"Disabled")/);
    await api.up();
    expect((await api.compare()).comparisons.map(isDrift)).toEqual([true]);
  },
);

test("both changed alike: nothing is drift, and state learns it", async () => {
  await api.apply(gateWith("Old"));
  api.write(gateWith("New"));
  await api.edit("flag", fresh);
  expect(await standings()).toEqual(["description settled"]);
  await api.accept();
  expect(await api.changes()).toEqual({});
});

test("the patch is one that git applies, and writes nothing by itself", async () => {
  await api.apply(gateWith("Old"));
  await api.edit("flag", { rules: [everyone] });
  const findings = await api.compare();
  const before = api.program;
  const patch = await api.patch(findings);
  expect(api.program).toBe(before);
  writeFileSync(path.join(api.folder, "drift.patch"), patch);
  execFileSync("git", ["apply", "drift.patch"], { cwd: api.folder });
  const applied = api.program;
  writeFileSync(api.file, before);
  await api.accept(findings);
  expect(api.program).toBe(applied);
  expect(applied).not.toContain("Staff");
});

test("what is called a secret is never shown", async () => {
  await api.apply(gateWith("Old"));
  await api.edit("flag", { description: "Something private" });
  const description = { [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", plaintext: '"Old"' };
  const { resources } = await api.stack.exported();
  const { steps } = await api.stack.preview();
  const stored = resources.map((one) => ({ ...one, inputs: { ...one.inputs, description } }));
  const masked = steps.map((step) => {
    const inputs = { ...step.newState?.inputs, description: "[secret]" };
    return { ...step, newState: { ...step.newState, inputs } };
  });
  const findings = await api.compare({
    ...api.stack,
    exported: () => Promise.resolve({ resources: stored }),
    preview: () => Promise.resolve({ steps: masked as never }),
  });
  const { outcomes } = await api.planned(findings);
  expect(outcomes).toMatchObject([{ how: "refused", why: expect.stringContaining("secret") }]);
  const patch = await api.patch(findings);
  const said = [
    await api.told(findings),
    JSON.stringify(await api.toldAsJson(findings)),
    patch,
    JSON.stringify(outcomes),
  ].join("\n");
  expect(said).toContain("[secret]");
  expect(said).not.toContain("private");
  expect(said).not.toContain('"Old"');
});

test("a large set of ids that an earlier version hashed otherwise has changed where its number has", () => {
  const applied = { count: 30_000, hash: "0123456789abcdef" };
  const inputs = { ids: applied };
  const resource = {
    ...{ definition: catalog.segment, applied: { inputs, outputs: { ...inputs, __managed: ["ids"] } } },
    ...{ wanted: inputs, secrets: [], ignored: [] },
  } as unknown as Resource;
  const differences = (count: number) =>
    compareThree(resource, { ids: { count, hash: "0123456789abcdef0123456789abcdef" } }).differences;
  expect(differences(30_000)).toEqual([]);
  expect(differences(30_001)).toMatchObject([{ label: "ids" }]);
});
