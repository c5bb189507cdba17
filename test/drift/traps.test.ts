import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import ts from "typescript";
import { writeWholeFile } from "../../src/provider/pulumi/runs/whole-file";
import type { JsonObject } from "../../src/provider/schema/json";
import { outcomeText, reportText, settle } from "../../src/tools/drift";
import { Desk } from "./desk";

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk?.close());

const publicRule = (name: string, passPercentage: number) => ({
  name,
  passPercentage,
  conditions: [{ type: "public" }],
});

/** Applies a program, changes a gate in the console and accepts that. */
async function accepting(program: string, body: object) {
  desk.write(program);
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body });
  const before = desk.program;
  const { outcomes } = await desk.accept(await desk.compare());
  return { outcomes: outcomes.map(outcomeText), isTouched: desk.program !== before };
}

test.each([
  [
    "a class of the program's own that is called like a kind and makes something else of its arguments",
    'class Gate { constructor(name, { description }) { new fc.Gate(name, { description: "The " + description }); } }\nnew Gate("flag", { description: "Old" });\n',
    /computed/,
  ],
  [
    "arguments that are spread into the call",
    'const all = ["flag", { description: "Old" }];\nnew fc.Gate(...all);\n',
    /computed/,
  ],
  [
    "options that are spread into the call behind the name",
    'const all = [{ description: "Old" }];\nnew fc.Gate("flag", ...all);\n',
    /computed/,
  ],
  [
    "a value that the program changes after it has said it",
    'const said = { description: "Old" };\nnew fc.Gate("flag", Object.assign({}, said));\n',
    /computed/,
  ],
])("%s are not written over", async (_, program, why) => {
  const { outcomes, isTouched } = await accepting(program, { description: "New" });
  expect(isTouched).toBe(false);
  expect(outcomes).toEqual([expect.stringMatching(why)]);
});

test("a class in between that is named like a kind: what stands there is not what the program makes of it", async () => {
  const { outcomes, isTouched } = await accepting(
    'class Gate extends fc.Gate { constructor(name, args) { super(name, { ...args, description: "The " + args.description }); } }\nnew Gate("flag", { description: "Old" });\n',
    { description: "New" },
  );
  expect(isTouched).toBe(false);
  expect(outcomes).toHaveLength(1);
});

test.each([
  [
    "a text",
    'new fc.Gate("flag", { description: "Old" });\n',
    ({ description }: JsonObject) => ({ description: `The ${String(description)}` }),
    { description: "New" },
  ],
  [
    "a set of which most is computed",
    'const [zoo, ant] = ["zoo", "ant"];\nnew fc.Gate("flag", { tags: ["mid", zoo, ant] });\n',
    ({ tags }: JsonObject) => ({ tags: [...(tags as string[]), "auto"] }),
    { tags: ["mid", "zoo", "ant", "auto", "new"] },
  ],
])(
  "%s of which a transform makes something else is not written over",
  async (_, program, transform, body) => {
    desk.transform = transform;
    const { outcomes, isTouched } = await accepting(program, body);
    expect(isTouched).toBe(false);
    expect(outcomes).toEqual([expect.stringMatching(/not what the program makes of it/)]);
  },
);

test("a resource that is made inside of another one's rule, both changed: the file stays a program", async () => {
  desk.write(
    'new fc.Gate("flag", {\n  rules: [\n    { name: "A", passPercentage: 1, conditions: [{ type: "passes_gate", targetValue: new fc.Gate("inner", { description: "Old" }) }] },\n    { name: "B", passPercentage: 2, conditions: [{ type: "public" }] },\n  ],\n});\n',
  );
  await desk.up();
  const inner = { name: "A", passPercentage: 1, conditions: [{ type: "passes_gate", targetValue: "inner" }] };
  await desk.raw.gate.patch({ id: "flag", body: { rules: [publicRule("B", 2), inner] } });
  await desk.raw.gate.patch({ id: "inner", body: { description: "New and longer" } });
  const { outcomes } = await desk.accept(await desk.compare());
  expect(outcomes.map(({ how }) => how).sort()).toEqual(["accepted", "refused"]);
  await desk.accept(await desk.compare());
  expect(await desk.changes()).toEqual({});
  expect(desk.program).toContain('"New and longer"');
});

test("a rule in which another resource is made is not taken out", async () => {
  const { outcomes, isTouched } = await accepting(
    'new fc.Gate("flag", { rules: [{ name: "A", passPercentage: 1, conditions: [{ type: "passes_gate", targetValue: new fc.Gate("inner") }] }] });\n',
    { rules: [] },
  );
  expect(outcomes).toEqual([expect.stringContaining("a resource is made inside")]);
  expect(isTouched).toBe(false);
});

test("resources of one name under two parents are two", async () => {
  desk.write(
    'new fc.Gate("flag", { key: "one", description: "Old" });\nnew fc.Segment("flag", { key: "flag", type: "rule_based" });\n',
  );
  await desk.up();
  await desk.raw.gate.patch({ id: "one", body: { description: "New" } });
  await desk.accept(await desk.compare());
  expect(desk.program).toContain('{ key: "one", description: "New" }');
});

test("a condition that is unusual stays sayable: the compiler takes what was accepted", async () => {
  const rule = (conditions: object[]) => ({ name: "A", passPercentage: 1, conditions });
  const odd = (targetValue: string) => ({ type: "user_id", operator: "str_matches", targetValue });
  const { outcomes } = await accepting(
    'new fc.Gate("flag", { rules: [{ name: "A", passPercentage: 1, conditions: [fc.unusual({ type: "user_id", operator: "str_matches", targetValue: "a" }), { type: "country", operator: "any", targetValue: ["DE"] }] }] });\n',
    {
      rules: [rule([odd("b"), { type: "country", operator: "is_null", targetValue: ["DE"] }, odd("c")])],
    },
  );
  expect(outcomes).toEqual([expect.stringMatching(/^accepted/)]);
  expect(desk.program).toContain(
    '[fc.unusual({ type: "user_id", operator: "str_matches", targetValue: "b" }), fc.unusual({ type: "country", operator: "is_null", targetValue: ["DE"] }), fc.unusual({ type: "user_id", operator: "str_matches", targetValue: "c" })]',
  );
  expect(await desk.changes()).toEqual({});
});

test("ids that are in a file are not written into the program", async () => {
  desk.write('new fc.Segment("people", { type: "id_list", ids: ["u1"] });\n');
  await desk.up();
  const list = path.join(desk.folder, "people.txt");
  writeFileSync(list, "u1\n");
  desk.write(`new fc.Segment("people", { type: "id_list", ids: { file: ${JSON.stringify(list)} } });\n`);
  await desk.raw.segment.addIds({ id: "people", body: { ids: ["u2"] } });
  const before = desk.program;
  const { outcomes } = await desk.accept(await desk.compare());
  expect(outcomes.map(outcomeText)).toEqual([expect.stringContaining("the ids are not written here")]);
  expect(desk.program).toBe(before);
});

test.each([
  ["the last element, behind a comment", '["a", // x\n "b"]', ["a"]],
  ["the first, with a comment behind it", '["a", // x\n "b"]', ["b"]],
  ["all, with comments everywhere", '[/* 1 */ "a" /* 2 */, // 3\n /* 4 */ "b" // 5\n]', []],
  ["one of one line, at the end", '[ // first\n"a", "b" ]', ["b"]],
  ["the last, where its comma has a comment", '["a" // x\n, "b"]', ["a"]],
  ["one more behind a comment", '["a", "b" // x\n]', ["a", "b", "c"]],
  ["one more in a list in one line with a trailing comma", '["a", "b",]', ["a", "b", "c"]],
  ["one more behind a comment without a comma", '["a", "b" /* x */]', ["a", "b", "c"]],
])("comments and commas of a list stay where they are: %s", async (_, list, tags) => {
  const { outcomes } = await accepting(`new fc.Gate("flag", { tags: ${list} });\n`, { tags });
  expect(outcomes).toEqual([expect.stringMatching(/^accepted/)]);
  const comments = (text: string) => text.match(/\/\*.*?\*\/|\/\/.*/g) ?? [];
  expect(comments(desk.program).map((one) => one.trim())).toEqual(comments(list));
  expect(await desk.changes()).toEqual({});
});

test("an argument in place of `undefined`", async () => {
  const { outcomes } = await accepting('new fc.Gate("flag", undefined);\n', {});
  expect(outcomes).toEqual([]);
  await desk.raw.gate.archive({ id: "flag" });
  await desk.accept(await desk.compare());
  expect(desk.program).toContain('new fc.Gate("flag", { status: "Archived" });');
});

test("numbers are what they mean", async () => {
  const program = `new fc.Gate("flag", { rules: [
  { name: "A", passPercentage: 1e1, conditions: [{ type: "public" }] },
  { name: "B", passPercentage: +0.5, conditions: [{ type: "public" }] },
  { name: "C", passPercentage: 0x1_0, conditions: [{ type: "public" }] },
] });\n`;
  await accepting(program, { rules: [publicRule("A", 10), publicRule("B", 0.01), publicRule("C", 16)] });
  expect(desk.program).toContain(program.replace("+0.5", "0.01"));
});

test("a file that is not UTF-8 is left alone", async () => {
  desk.write('new fc.Gate("flag", { description: "Old" }); // Gr\u00fc\u00dfe\n');
  await desk.up();
  const latin = Buffer.from(desk.program, "latin1");
  await desk.raw.gate.patch({ id: "flag", body: { description: "New" } });
  const findings = await desk.compare();
  writeFileSync(desk.file, latin);
  const { outcomes, changes } = await desk.planned(findings);
  expect(outcomes.map(outcomeText)).toEqual([expect.stringContaining("index.ts is not UTF-8")]);
  expect(changes.size).toBe(0);
});

test("a byte order mark stays", async () => {
  desk.write('new fc.Gate("flag", { description: "Old" });\n');
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { description: "New" } });
  const findings = await desk.compare();
  writeFileSync(desk.file, `\ufeff${desk.program}`);
  const { changes } = await desk.planned(findings);
  expect(changes.get("index.ts")?.after).toMatch(/^\ufeffimport.*\n.*"New"/);
});

test("what a build has made is left alone, and its source is changed", async () => {
  desk.write('new fc.Gate("flag", { description: "Old" });\n');
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { description: "New" } });
  writeFileSync(path.join(desk.folder, "index.js"), `"use strict";\n\n${desk.program}`);
  const steps = (await desk.stack.preview()).steps.map((step) => ({
    ...step,
    newState: { ...step.newState, sourcePosition: "project:///index.js#4,1" },
  }));
  const findings = await desk.compare({
    ...desk.stack,
    preview: () => Promise.resolve({ steps: steps as never }),
  });
  const { changes } = await desk.planned(findings);
  expect([...changes.keys()]).toEqual(["index.ts"]);
});

test("a file of the same text that does not make the resource is left alone", async () => {
  desk.write('new fc.Gate("flag", { description: "Old" });\n');
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { description: "New" } });
  const steps = (await desk.stack.preview()).steps.map((step) => ({
    ...step,
    newState: { ...step.newState, sourcePosition: "project:///shared/flags.ts#4,1" },
  }));
  const findings = await desk.compare({
    ...desk.stack,
    preview: () => Promise.resolve({ steps: steps as never }),
  });
  const { changes, outcomes } = await desk.planned(findings);
  expect(outcomes.map(outcomeText)).toEqual([expect.stringContaining("none of the program's sources")]);
  expect(changes.size).toBe(0);
});

test("a text of many lines keeps the line ends of its file", async () => {
  desk.write('new fc.Gate("flag", {\r\n  description: `Old\r\ntext`,\r\n});\r\n');
  writeFileSync(desk.file, desk.program.replace(/(?<!\r)\n/, "\r\n"));
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { description: "New\ntext" } });
  await desk.accept(await desk.compare());
  expect(desk.program).toContain("`New\r\ntext`");
  expect(desk.program).not.toMatch(/(?<!\r)\n/);
  expect(await desk.changes()).toEqual({});
});

test("killed after the program was written: the next run takes it into state", async () => {
  desk.write('new fc.Gate("flag", { isEnabled: true });\nnew fc.Gate("hall", { description: "Old" });\n');
  await desk.up();
  await desk.raw.gate.archive({ id: "flag" });
  await desk.raw.gate.patch({ id: "hall", body: { description: "New" } });
  const { changes } = await desk.planned(await desk.compare());
  for (const [file, { after }] of changes) writeWholeFile(path.join(desk.folder, file), after);
  const written = desk.program;
  await desk.accept(await desk.compare());
  expect(desk.program).toBe(written);
  expect(await desk.changes()).toEqual({});
});

test("a file that was saved meanwhile is not written over", async () => {
  desk.write('new fc.Gate("flag", { description: "Old" });\n');
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { description: "New" } });
  const findings = await desk.compare();
  desk.write('new fc.Gate("flag", { description: "Mine" });\n');
  const { changes, outcomes } = await desk.planned(findings);
  expect(changes.size).toBe(0);
  expect(outcomes.map(outcomeText)).toEqual([expect.stringContaining("not what the program makes of it")]);
});

test("nothing that the console holds speaks to the terminal", async () => {
  const evil = "\u001b[2J\u009b31m\u202e\n\u2028ok";
  desk.write(
    `new fc.Gate("flag", { rules: [{ name: "A", passPercentage: 1, conditions: [{ type: "public" }] }] });\n`,
  );
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { rules: [publicRule(evil, 2), publicRule("A", 3)] } });
  desk.sign("gate", "flag", `${evil}@example.com`);
  const findings = await desk.compare();
  const { outcomes } = await desk.planned(findings);
  const said = [
    reportText({ ...findings, outcomes }),
    ...outcomes.map(outcomeText),
    await desk.patch(findings),
  ].join("");
  expect(said.replace(/\n/g, "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
  expect(reportText(findings).split("\n").length).toBe(8);
});

test("a file is parsed as often for many resources as for one", async () => {
  const gates = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `new fc.Gate("flag${at}", { description: "Old ${at}" });\n`,
    ).join("");
  desk.write(gates(40));
  await desk.up();
  for (let at = 0; at < 40; at += 1)
    await desk.raw.gate.patch({ id: `flag${at}`, body: { description: `New ${at}` } });
  const findings = await desk.compare();
  let parses = 0;
  const compiler = {
    ...ts,
    createSourceFile: (...args: Parameters<typeof ts.createSourceFile>) => {
      if (args[1].length >= desk.program.length) parses += 1;
      return ts.createSourceFile(...args);
    },
  };
  const { outcomes } = await desk.planned(findings, undefined, compiler as typeof ts);
  expect(outcomes.filter(({ how }) => how === "accepted")).toHaveLength(40);
  expect(parses).toBe(2);
});

test("what the program ignores is no drift, also by a pattern", async () => {
  const program = (share: number) =>
    `new fc.Gate("flag", { description: "Old", rules: [{ name: "A", passPercentage: ${share}, conditions: [{ type: "public" }] }] });\n`;
  desk.write(program(1));
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { description: "New", rules: [publicRule("A", 2)] } });
  const told = async (ignoreChanges: string[]) => {
    const { steps } = await desk.stack.preview();
    const ignoring = steps.map((step) => ({ ...step, newState: { ...step.newState, ignoreChanges } }));
    const preview = () => Promise.resolve({ steps: ignoring as never });
    const { comparisons } = await desk.compare({ ...desk.stack, preview });
    return comparisons.flatMap(({ differences }) => differences.map(({ label }) => label));
  };
  expect(await told([])).toEqual(["description", "rules[0].passPercentage"]);
  expect(await told(["rules[*].passPercentage"])).toEqual(["description"]);
  expect(await told(["rules.*", "descr"])).toEqual(["description"]);
  expect(await told(["*"])).toEqual([]);
});

test("a name that Pulumi would take for many is not handed to it", async () => {
  desk.write(
    'new fc.Gate("fl*", { key: "flag", description: "Old" });\nnew fc.Gate("hall", { description: "Old" });\n',
  );
  await desk.up();
  for (const id of ["flag", "hall"]) await desk.raw.gate.patch({ id, body: { description: "New" } });
  const findings = await desk.compare();
  const asked: string[] = [];
  const stack = {
    ...desk.stack,
    refresh: async (urns: readonly string[]) => {
      asked.push(...urns);
    },
  };
  const { outcomes } = await desk.planned(findings);
  const told: string[] = [];
  await settle(stack, findings, outcomes, (line) => told.push(line));
  expect(asked).toEqual([expect.stringMatching(/::hall$/)]);
  expect(told.join("\n")).toContain('Not taken into state: gate "flag"');
});
