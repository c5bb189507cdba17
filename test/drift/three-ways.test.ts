import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { changeText } from "../../src/provider/schema/audit";
import { isDrift, namedUrns, reportJson, reportText } from "../../src/tools/drift";
import { Desk } from "./desk";

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk?.close());

const everyone = { name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] };
const staff = { name: "Staff", passPercentage: 100, conditions: [{ type: "public" }] };
const gateWith = (description: string, share = 10) => `new fc.Gate("flag", {
  description: "${description}",
  rules: [
    { name: "Staff", passPercentage: 100, conditions: [{ type: "public" }] },
    { name: "Everyone", passPercentage: ${share}, conditions: [{ type: "public" }] },
  ],
});
`;

async function standings() {
  const { comparisons } = await desk.compare();
  return comparisons.flatMap(({ differences }) =>
    differences.map(({ label, standing }) => [label, standing]),
  );
}

test("each of several people is named for what they changed", async () => {
  desk.write(gateWith("Old"));
  await desk.up();
  desk.now += 60_000;
  await desk.raw.gate.patch({ id: "flag", body: { description: "New" } });
  desk.sign("gate", "flag", "ana@example.com");
  desk.now += 60_000;
  await desk.raw.gate.patch({ id: "flag", body: { rules: [staff, { ...everyone, passPercentage: 25 }] } });
  desk.sign("gate", "flag", "ben@example.com");
  const findings = await desk.compare();
  const [one] = findings.comparisons;
  if (one === undefined) throw new Error("no comparison");
  const who = (name: string) => changeText(findings.changeOf(one, name) ?? { by: null, at: 0 });
  expect(who("description")).toBe("ana@example.com, 2026-11-22 10:04 UTC");
  expect(who("rules")).toBe("ben@example.com, 2026-11-22 10:05 UTC");
  const text = reportText(findings);
  expect(text).toMatch(/description +"Old" +"New" +"Old" +changed in the console: ana@example\.com/);
  expect(text).toContain('rules: "Everyone" 10 → 25 %; 1 unchanged');
});

test("a change of the program alone is no drift, and is not taken back", async () => {
  desk.write(gateWith("Old"));
  await desk.up();
  desk.write(gateWith("Mine"));
  expect(await standings()).toEqual([["description", "pending"]]);
  const { changes } = await desk.planned(await desk.compare());
  expect(changes.size).toBe(0);
});

test("where console and program change one argument, only its name accepts it", async () => {
  desk.write(gateWith("Old"));
  await desk.up();
  desk.write(gateWith("Old", 50));
  await desk.raw.gate.patch({ id: "flag", body: { rules: [{ ...staff, passPercentage: 90 }, everyone] } });
  const findings = await desk.compare();
  expect(await standings()).toEqual([
    ["rules[0].passPercentage", "changed"],
    ["rules[1].passPercentage", "pending"],
  ]);
  const { outcomes } = await desk.accept(findings);
  expect(outcomes).toMatchObject([
    { how: "refused", why: expect.stringContaining("the program has changed it too") },
  ]);
  expect(desk.program).toContain("passPercentage: 50");
  const urns = namedUrns(findings, ["flag"]);
  if ("unknown" in urns) throw new Error("unknown");
  await desk.accept(findings, urns);
  expect(desk.program).toContain('"Staff", passPercentage: 90');
  expect(desk.program).toContain('"Everyone", passPercentage: 10');
  expect(await desk.changes()).toEqual({});
});

test("where both changed the same value, it is told so, and only its name accepts the console's", async () => {
  desk.write(gateWith("Old", 50));
  await desk.up();
  desk.write(gateWith("Old", 80));
  await desk.raw.gate.patch({ id: "flag", body: { rules: [staff, { ...everyone, passPercentage: 0 }] } });
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
  const urns = namedUrns(findings, ["flag"]);
  if ("unknown" in urns) throw new Error("unknown");
  await desk.accept(findings, urns);
  expect(desk.program).toContain("passPercentage: 0");
  expect(await desk.changes()).toEqual({});
});

test("a change of the program that was not applied yet is told in its direction, and is nobody's in the console", async () => {
  desk.write(gateWith("Old"));
  await desk.up();
  desk.write(gateWith("Old", 50));
  const text = reportText(await desk.compare());
  expect(text).toContain('rules, not applied yet: "Everyone" 10 → 50 %; 1 unchanged');
  expect(text).not.toContain("50 → 10");
  expect(text).toContain("0 changed in the console");
});

test("an argument that the program sets for the first time is not applied yet, whatever the console has", async () => {
  desk.write('new fc.Gate("flag", {});\n');
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { description: "Theirs", tags: ["a"] } });
  await desk.stack.refresh((await desk.stack.exported()).resources.map(({ urn }) => urn));
  desk.write('new fc.Gate("flag", { description: "Ours" });\n');
  expect(await standings()).toEqual([["description", "pending"]]);
  await desk.raw.gate.patch({ id: "flag", body: { description: "Theirs again" } });
  expect(await standings()).toEqual([["description", "changed"]]);
});

test("a resource that the program no longer has shows no line of the program", async () => {
  desk.write(
    'new fc.Gate("one", { description: "1" });\nnew fc.Gate("two", { description: "2", onDelete: "retain" });\nnew fc.Gate("three", {});\n',
  );
  await desk.up();
  desk.write('new fc.Gate("three", {});\n');
  const text = reportText(await desk.compare());
  expect(text).toContain('gate "one" is in state and not in the program any more; an up ends it\n');
  expect(text).toContain(
    'gate "two" is in state and not in the program any more; an up leaves it in the console\n',
  );
  expect(text).not.toContain("index.ts");
});

test("an object that somebody deleted comes back by a refresh and an up, as the report says; accepting it says what to do", async () => {
  desk.write('new fc.Gate("flag", { description: "Old" });\n');
  await desk.up();
  await desk.raw.gate.delete({ id: "flag" });
  const findings = await desk.compare();
  expect(reportText(findings)).toContain(
    'gate "flag" (index.ts:2:1) was deleted in the console (CONSOLE API, 2026-11-22 10:03 UTC); "pulumi up" alone does not see that, "pulumi up --refresh" makes it again',
  );
  expect(await desk.changes()).toEqual({});
  const { outcomes } = await desk.accept(findings);
  expect(reportText({ ...findings, outcomes })).toContain(
    'refused  index.ts:2:1  gate "flag" (the whole of it): it was deleted in the console; remove the resource from the program, or run "pulumi up --refresh", which makes it again',
  );
});

test.each([["isEnabled: true, "], [""]])(
  "a gate that somebody switched off stays drift through an up of a share, where the program says {%s}",
  async (said) => {
    const program = (share: number) =>
      `new fc.Gate("flag", { ${said}rules: [{ name: "Everyone", passPercentage: ${share}, conditions: [{ type: "public" }] }] });\n`;
    desk.write(program(50));
    await desk.up();
    await desk.raw.gate.disable({ id: "flag" });
    desk.write(program(80));
    await desk.up();
    expect(await desk.raw.gate.get({ id: "flag" })).toMatchObject({ isEnabled: false });
    const findings = await desk.compare();
    expect(findings.comparisons.map(isDrift)).toEqual([true]);
    expect(reportText(findings)).toMatch(/(isEnabled +true +false|status +"In Progress" +"Disabled")/);
    await desk.up();
    expect((await desk.compare()).comparisons.map(isDrift)).toEqual([true]);
  },
);

test("both changed alike: nothing is drift, and state learns it", async () => {
  desk.write(gateWith("Old"));
  await desk.up();
  desk.write(gateWith("New"));
  await desk.raw.gate.patch({ id: "flag", body: { description: "New" } });
  expect(await standings()).toEqual([["description", "settled"]]);
  await desk.accept(await desk.compare());
  expect(await desk.changes()).toEqual({});
});

test("names lead to resources, and one that leads to none is said", async () => {
  desk.write(
    'new fc.Gate("flag", { key: "the_key", description: "Old" });\nnew fc.Gate("hall", { description: "Old" });\n',
  );
  await desk.up();
  for (const id of ["the_key", "hall"]) await desk.raw.gate.patch({ id, body: { description: "New" } });
  const findings = await desk.compare();
  expect(namedUrns(findings, ["flag", "nobody"])).toEqual({ unknown: "nobody" });
  const urns = namedUrns(findings, ["the_key"]);
  if ("unknown" in urns) throw new Error("unknown");
  await desk.accept(findings, urns);
  expect(desk.program).toContain('key: "the_key", description: "New"');
  expect(desk.program).toContain('"hall", { description: "Old" }');
});

test("many accepted at once in two files: each literal, and no half of a file", async () => {
  desk.write(
    Array.from({ length: 30 }, (_, at) => `new fc.Gate("flag${at}", { description: "Old ${at}" });`).join(
      "\n",
    ),
  );
  await desk.up();
  for (let at = 0; at < 30; at += 1)
    await desk.raw.gate.patch({ id: `flag${at}`, body: { description: `New and longer ${at}` } });
  desk.emulator.clearRequests();
  const findings = await desk.compare();
  expect(desk.emulator.requests.length).toBeLessThan(10);
  const { outcomes } = await desk.accept(findings);
  expect(outcomes.filter(({ how }) => how === "accepted")).toHaveLength(30);
  expect(desk.program.match(/New and longer/g)).toHaveLength(30);
  expect(readdirSync(desk.folder).filter((name) => name.includes("new"))).toEqual([]);
  expect(await desk.changes()).toEqual({});
});

test("the patch is one that git applies, and writes nothing by itself", async () => {
  desk.write(gateWith("Old"));
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { rules: [everyone] } });
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

test("a file keeps its line ends, its tabs and its quotes", async () => {
  desk.write("new fc.Gate('flag', {\r\n\tdescription: 'Old',\r\n\ttags: [\r\n\t\t'a',\r\n\t],\r\n});\r\n");
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { description: "It's new", tags: ["a", "b"] } });
  await desk.accept(await desk.compare());
  expect(desk.program).toContain(
    "new fc.Gate('flag', {\r\n\tdescription: 'It\\'s new',\r\n\ttags: [\r\n\t\t'a',\r\n\t\t'b',\r\n\t],\r\n});\r\n",
  );
});

test("JSON tells the same, with times that programs can read", async () => {
  desk.write(gateWith("Old"));
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { description: "New" } });
  desk.sign("gate", "flag", "ana@example.com");
  expect(JSON.parse(reportJson(await desk.compare()))).toMatchObject({
    ...{ resources: 1, drift: 1 },
    objects: [
      {
        ...{ kind: "Gate", name: "flag", id: "flag", what: "differs", drift: true },
        differences: [
          {
            ...{ path: "description", standing: "changed", applied: "Old", console: "New", program: "Old" },
            ...{ changedBy: "ana@example.com", changedAt: "2026-11-22T10:03:00.000Z" },
          },
        ],
      },
    ],
  });
});

test("what is called a secret is never shown", async () => {
  desk.write(gateWith("Old"));
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { description: "Something private" } });
  const exported = await desk.stack.exported();
  const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
  const secret = (text: string) => ({ ...mark, plaintext: JSON.stringify(text) });
  const [one] = exported.resources;
  if (one === undefined) throw new Error("no resource");
  const hiding = {
    ...desk.stack,
    exported: () =>
      Promise.resolve({ resources: [{ ...one, inputs: { ...one.inputs, description: secret("Old") } }] }),
    preview: async () => {
      const { steps } = await desk.stack.preview();
      return { steps: steps.map((step) => masked(step as never)) };
    },
  };
  const findings = await desk.compare(hiding);
  const said = [reportText(findings), reportJson(findings), await desk.patch(findings)].join("\n");
  expect(said).toContain("[secret]");
  expect(said).not.toContain("private");
  expect(said).not.toContain('"Old"');
  const { outcomes } = await desk.planned(findings);
  expect(outcomes).toMatchObject([{ how: "refused", why: expect.stringContaining("secret") }]);
  expect(JSON.stringify(outcomes)).not.toContain("private");
  expect(existsSync(desk.file)).toBe(true);
});

function masked<T extends { newState: { inputs: object } }>(step: T): T {
  return {
    ...step,
    newState: { ...step.newState, inputs: { ...step.newState.inputs, description: "[secret]" } },
  };
}
