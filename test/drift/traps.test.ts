import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { writeWholeFile } from "../../src/provider/pulumi/runs/whole-file";
import type { JsonObject } from "../../src/provider/schema/json";
import { settle } from "../../src/tools/drift/take-over";
import { writeProgram } from "../../src/tools/rewrite/into-program";
import { outcomeText } from "../../src/tools/rewrite/wish";
import type { Step } from "../../src/tools/stack/preview";
import { rule } from "./desk";
import { api, deskForEachTest } from "./each-test";

deskForEachTest();

const old = 'new fc.Gate("flag", { description: "Old" });\n';
const fresh = { description: "New" };

/** Applies a program and changes a gate in the console. */
async function edited(program = old, body: object = fresh) {
  await api.apply(program);
  await api.edit("flag", body);
}

/** What comes of accepting that, and whether the program is another then. */
async function accepting(program?: string, body?: object) {
  await edited(program, body);
  const before = api.program;
  const { outcomes } = await api.accept();
  return { outcomes: outcomes.map(outcomeText), isTouched: api.program !== before };
}

/** What `drift` finds where each step of the preview is changed so. */
async function comparedWith(change: (step: Step) => object) {
  const steps = (await api.stack.preview()).steps.map((step) => ({
    ...{ ...step, newState: { ...step.newState, ...change(step) } },
  }));
  return api.compare({ ...api.stack, preview: () => Promise.resolve({ steps: steps as never }) });
}

test("of which a transform makes something else: a text and a set are not written over", async () => {
  api.transform = ({ description, tags }: JsonObject): JsonObject => ({
    ...{ description: `The ${String(description)}`, tags: [...(tags as string[]), "auto"] },
  });
  const { outcomes, isTouched } = await accepting(
    'const [zoo, ant] = ["zoo", "ant"];\nnew fc.Gate("flag", { description: "Old", tags: ["mid", zoo, ant] });\n',
    { ...fresh, tags: ["mid", "zoo", "ant", "auto", "new"] },
  );
  expect(isTouched).toBe(false);
  const refused = expect.stringMatching(/not what the program makes of it/);
  expect(outcomes).toEqual([refused, refused]);
});

test("a resource that is made inside of another one's rule, both changed: the file stays a program", async () => {
  const made = 'new fc.Gate("inner", { description: "Old" })';
  await edited(
    `new fc.Gate("flag", {\n  rules: [\n    { name: "A", passPercentage: 1, conditions: [{ type: "passes_gate", targetValue: ${made} }] },\n    { name: "B", passPercentage: 2, conditions: [{ type: "public" }] },\n  ],\n});\n`,
    { rules: [rule("B", 2), rule("A", 1, { type: "passes_gate", targetValue: "inner" })] },
  );
  await api.edit("inner", { description: "New and longer" });
  const { outcomes } = await api.accept();
  expect(outcomes.map(({ how }) => how).sort()).toEqual(["accepted", "refused"]);
  await api.accept();
  expect(await api.changes()).toEqual({});
  expect(api.program).toContain('"New and longer"');
});

test("resources of one name under two parents are two", async () => {
  const segment = 'new fc.Segment("flag", { key: "flag", type: "rule_based" });\n';
  await api.apply(`new fc.Gate("flag", { key: "one", description: "Old" });\n${segment}`);
  await api.edit("one", fresh);
  await api.accept();
  expect(api.program).toContain('{ key: "one", description: "New" }');
});

test("a condition that is unusual stays sayable: the compiler takes what was accepted", async () => {
  const odd = (value: string) => `{ type: "user_id", operator: "str_matches", targetValue: "${value}" }`;
  const country = '{ type: "country", operator: "any", targetValue: ["DE"] }';
  const conditions = (text: string) => ({
    rules: [{ ...rule("A", 1), conditions: new Function(`return [${text}]`)() as object[] }],
  });
  const isNull = country.replace("any", "is_null");
  const { outcomes } = await accepting(
    `new fc.Gate("flag", { rules: [{ name: "A", passPercentage: 1, conditions: [fc.unusual(${odd("a")}), ${country}] }] });\n`,
    conditions([odd("b"), isNull, odd("c")].join()),
  );
  expect(outcomes).toEqual([expect.stringMatching(/^accepted/)]);
  const unusual = [odd("b"), isNull, odd("c")].map((one) => `fc.unusual(${one})`);
  expect(api.program).toContain(`[${unusual.join(", ")}]`);
  expect(await api.changes()).toEqual({});
});

test("ids that are in a file are not written into the program", async () => {
  await api.apply('new fc.Segment("people", { type: "id_list", ids: ["u1"] });\n');
  const list = path.join(api.folder, "people.txt");
  writeFileSync(list, "u1\n");
  api.write(`new fc.Segment("people", { type: "id_list", ids: { file: ${JSON.stringify(list)} } });\n`);
  await api.raw.segment.addIds({ id: "people", body: { ids: ["u2"] } });
  const before = api.program;
  const { outcomes } = await api.accept();
  expect(outcomes.map(outcomeText)).toEqual([expect.stringContaining("the ids are not written here")]);
  expect(api.program).toBe(before);
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
  expect(comments(api.program).map((one) => one.trim())).toEqual(comments(list));
  expect(await api.changes()).toEqual({});
});

test("an argument in place of `undefined`", async () => {
  await api.apply('new fc.Gate("flag", undefined);\n');
  await api.raw.gate.archive({ id: "flag" });
  await api.accept();
  expect(api.program).toContain('new fc.Gate("flag", { status: "Archived" });');
});

test("numbers are what they mean", async () => {
  const share = (name: string, text: string) =>
    `  { name: "${name}", passPercentage: ${text}, conditions: [{ type: "public" }] },\n`;
  const program = `new fc.Gate("flag", { rules: [\n${share("A", "1e1")}${share("B", "+0.5")}${share("C", "0x1_0")}] });\n`;
  await accepting(program, { rules: [rule("A", 10), rule("B", 0.01), rule("C", 16)] });
  expect(api.program).toContain(program.replace("+0.5", "0.01"));
});

describe("a file of the program", () => {
  test("that is not UTF-8 is left alone", async () => {
    await edited(`${old.trim()} // Gr\u00fc\u00dfe\n`);
    const findings = await api.compare();
    writeFileSync(api.file, Buffer.from(api.program, "latin1"));
    const { outcomes, changes } = await api.planned(findings);
    expect(outcomes.map(outcomeText)).toEqual([expect.stringContaining("index.ts is not UTF-8")]);
    expect(changes.size).toBe(0);
  });

  test("keeps its byte order mark", async () => {
    await edited();
    const findings = await api.compare();
    writeFileSync(api.file, `\ufeff${api.program}`);
    const { changes } = await api.planned(findings);
    expect(changes.get("index.ts")?.after).toMatch(/^\ufeffimport.*\n.*"New"/);
  });

  test("is changed in the place of what a build has made of it", async () => {
    await edited();
    writeFileSync(path.join(api.folder, "index.js"), `"use strict";\n\n${api.program}`);
    const findings = await comparedWith(() => ({ sourcePosition: "project:///index.js#4,1" }));
    expect([...(await api.planned(findings)).changes.keys()]).toEqual(["index.ts"]);
  });

  test("of the same text that does not make the resource is left alone", async () => {
    await edited();
    const findings = await comparedWith(() => ({ sourcePosition: "project:///shared/flags.ts#4,1" }));
    const { changes, outcomes } = await api.planned(findings);
    expect(outcomes.map(outcomeText)).toEqual([expect.stringContaining("none of the program's sources")]);
    expect(changes.size).toBe(0);
  });

  test("keeps its line ends, its tabs and its quotes", async () => {
    const program =
      "new fc.Gate('flag', {\r\n\tdescription: `Old\r\ntext`,\r\n\ttags: [\r\n\t\t'a',\r\n\t],\r\n});\r\n";
    api.write(program);
    writeFileSync(api.file, api.program.replace(/(?<!\r)\n/, "\r\n"));
    await api.up();
    await api.edit("flag", { description: "New\ntext", tags: ["a", "it's"] });
    await api.accept();
    const changed = program.replace("Old", "New").replace("'a',\r\n", "'a',\r\n\t\t'it\\'s',\r\n");
    expect(api.program).toContain(changed);
    expect(await api.changes()).toEqual({});
  });

  test("beside one that is read-only stays as it is, and the message names that one", async () => {
    await edited();
    const settings = path.join(api.folder, "Pulumi.dev.yaml");
    writeFileSync(settings, "one");
    chmodSync(settings, 0o444);
    const changes = new Map([
      ["index.ts", { before: api.program, after: "two" }],
      ["Pulumi.dev.yaml", { before: "one", after: "two" }],
    ]);
    expect(() => writeProgram(api.folder, api.programPorts, { outcomes: [], changes })).toThrow(
      /Pulumi\.dev\.yaml cannot be written: it is read-only; .*Nothing was written$/,
    );
    expect(api.program).toContain(old);
  });

  test("that was saved meanwhile is not written over", async () => {
    await edited();
    const findings = await api.compare();
    api.write(old.replace("Old", "Mine"));
    const { changes, outcomes } = await api.planned(findings);
    expect(changes.size).toBe(0);
    expect(outcomes.map(outcomeText)).toEqual([expect.stringContaining("not what the program makes of it")]);
  });

  test("is parsed as often for many resources as for one, and all are asked about with few requests", async () => {
    const at = [...Array(40).keys()];
    await api.apply(at.map((one) => `new fc.Gate("flag${one}", { description: "Old ${one}" });\n`).join(""));
    for (const one of at) await api.edit(`flag${one}`, { description: `New and longer ${one}` });
    api.emulator.clearRequests();
    const findings = await api.compare();
    expect(api.emulator.requests.length).toBeLessThan(10);
    let parses = 0;
    const createSourceFile: typeof ts.createSourceFile = (...args) => {
      if (args[1].length >= api.program.length) parses += 1;
      return ts.createSourceFile(...args);
    };
    await api.planned(findings, undefined, { ...ts, createSourceFile } as typeof ts);
    expect(parses).toBe(1);
    const { outcomes } = await api.accept(findings);
    expect(outcomes.filter(({ how }) => how === "accepted")).toHaveLength(40);
    expect(api.program.match(/New and longer/g)).toHaveLength(40);
    expect(readdirSync(api.folder).filter((name) => name.includes("new"))).toEqual([]);
    expect(await api.changes()).toEqual({});
  });
});

test("killed after the program was written: the next run takes it into state", async () => {
  await api.apply(
    'new fc.Gate("flag", { isEnabled: true });\nnew fc.Gate("hall", { description: "Old" });\n',
  );
  await api.raw.gate.archive({ id: "flag" });
  await api.edit("hall", fresh);
  const { changes } = await api.planned(await api.compare());
  for (const [file, { after }] of changes) writeWholeFile(path.join(api.folder, file), after);
  const written = api.program;
  await api.accept();
  expect(api.program).toBe(written);
  expect(await api.changes()).toEqual({});
});

test("nothing that the console holds speaks to the terminal", async () => {
  const evil = "\u001b[2J\u009b31m\u202e\n\u2028ok";
  const program = `new fc.Gate("flag", { rules: ${JSON.stringify([rule("A", 1)])} });\n`;
  await edited(program, { rules: [rule(evil, 2), rule("A", 3)] });
  api.sign("gate", "flag", `${evil}@example.com`);
  const findings = await api.compare();
  const { outcomes } = await api.planned(findings);
  const said = [await api.told({ ...findings, outcomes }), ...outcomes.map(outcomeText)];
  const all = [...said, await api.patch(findings)].join("").replace(/\n/g, "");
  expect(all).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
  expect((await api.told(findings)).split("\n").length).toBe(8);
});

test("what the program ignores is no drift, also by a pattern", async () => {
  const program = `new fc.Gate("flag", { description: "Old", rules: ${JSON.stringify([rule("A", 1)])} });\n`;
  await edited(program, { ...fresh, rules: [rule("A", 2)] });
  const told = async (...ignoreChanges: string[]) => {
    const { comparisons } = await comparedWith(() => ({ ignoreChanges }));
    return comparisons.flatMap(({ differences }) => differences.map(({ label }) => label));
  };
  expect(await told()).toEqual(["description", "rules[0].passPercentage"]);
  expect(await told("rules[*].passPercentage")).toEqual(["description"]);
  expect(await told("rules.*", "descr")).toEqual(["description"]);
  expect(await told("*")).toEqual([]);
});

test("a name that Pulumi would take for many is not handed to it", async () => {
  const program = 'new fc.Gate("fl*", { key: "flag", description: "Old" });\n';
  await api.apply(`${program}new fc.Gate("hall", { description: "Old" });\n`);
  for (const id of ["flag", "hall"]) await api.edit(id, fresh);
  const findings = await api.compare();
  const { outcomes } = await api.planned(findings);
  const [asked, told]: [string[], string[]] = [[], []];
  const refresh = async (urns: readonly string[]) => void asked.push(...urns);
  await settle({ ...api.stack, refresh }, findings, outcomes, (line) => told.push(line));
  expect(asked).toEqual([expect.stringMatching(/::hall$/)]);
  expect(told.join("\n")).toContain('Not taken into state: gate "flag"');
});
