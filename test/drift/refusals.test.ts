import { runInNewContext } from "node:vm";
import { expect, test } from "@jest/globals";
import type { Refused } from "../../src/tools/rewrite/wish";
import { outcomeText } from "../../src/tools/rewrite/wish";
import { api, deskForEachTest } from "./each-test";

deskForEachTest();

/** Where a text begins in a program; line and column count from 1. */
function placeOf(program: string, text: string) {
  const lines = program.slice(0, program.indexOf(text)).split("\n");
  return { file: "index.ts", line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

const all = '{ name: "All", passPercentage: 12.5, conditions: [{ type: "public" }] }';
const rules = { rules: [{ name: "All", passPercentage: 12.5, conditions: [{ type: "public" }] }] };
const description = { description: "New" };
const several = /makes 2 resources: "flag", "hall"/;
const gate = (args: string) => `new fc.Gate("flag", { ${args} });\n`;
const ruleOf = (share: string) =>
  `{ name: "All", passPercentage: ${share}, conditions: [{ type: "public" }] }`;
const shorthand = `const description = "Old";\n${gate("description")}`;
const template = `const n = 1;\n${gate("description: `Gate \u0024{n}`")}`;

const theClass =
  'class Gate { constructor(name, { description }) { new fc.Gate(name, { description: "The " + description }); } }\n';
const subclass =
  'class Gate extends fc.Gate { constructor(name, args) { super(name, { ...args, description: "The " + args.description }); } }\n';
const ofClass = 'new Gate("flag", { description: "Old" });\n';
const mapped = gate(`rules: [5].map((n) => (${ruleOf("n")}))`);
const target = '"passes_gate", targetValue: new fc.Gate("inner")';
const maker = gate(`rules: [${ruleOf("1").replace('"public"', target)}]`);
const called = gate(`\n  rules: [${ruleOf("Math.max(5, 1)")}]`);
const text = 'const text = "Old";\n';
const more = 'const more = ["b"];\n';
const both = 'const [zoo, ant] = ["zoo", "ant"];\n';
const rest = 'const rest = { description: "Old" };\n';
const spread = 'const all = ["flag", { description: "Old" }];\nnew fc.Gate(...all);\n';
const behind = 'const all = [{ description: "Old" }];\nnew fc.Gate("flag", ...all);\n';
const assigned = `${rest}new fc.Gate("flag", Object.assign({}, rest));\n`;
const looped = 'for (const name of ["flag", "hall"]) new fc.Gate(name, { description: "Old" });\n';
const argument = 'description: "New"';
const [together, computed] = [/put together/, /computed/];
const spreadTags = more + gate('tags: ["a", ...more]');
const variableTags = both + gate('isEnabled: true, tags: ["mid", zoo, ant]');
const tags = { tags: ["a", "b", "c"] };
const fewer = { tags: ["mid", "zoo"] };

/** A program, the text that the refusal points at, what it says to type there, why, and what the console changes. */
test.each<[what: string, program: string, at: string, type: string, why?: RegExp, body?: object]>([
  ["a variable", text + gate("description: text"), "text })", '"New"'],
  ["a variable that is named like the argument", shorthand, "description })", argument],
  ["a template with a value in it", template, "`Gate", '"New"'],
  ["a choice", gate('tags: ["a"], description: 1 > 0 ? "Old" : "Other"'), "1 > 0", '"New"'],
  ["a call", called, "Math.max", "12.5", computed, rules],
  ["a list that is made of another one", mapped, "[5].map", `[${all}]`, computed, rules],
  ["an object with a spread", rest + gate('tags: ["a"], ...rest'), "...rest", argument, together],
  ["a list with a spread", spreadTags, "...more", '["a", "b", "c"]', together, tags],
  ["one of several computed tags", variableTags, "zoo, ant] })", '["mid", "zoo"]', computed, fewer],
  ["arguments that come from elsewhere", `${rest}new fc.Gate("flag", rest);\n`, "rest);", argument],
  ["a call that makes several resources", looped, "new fc.Gate", argument, several],
  ["a class of the program's own that is called like a kind", theClass + ofClass, '"The " +', '"New"'],
  ["what a class in between makes of it", subclass + ofClass, "", argument, /no constructor call/],
  ["arguments that are spread into the call", spread, "...all", argument],
  ["options behind the name", behind, "...all", argument],
  ["a value that is changed later", assigned, "Object.assign", argument],
  ["a rule with a resource", maker, 'new fc.Gate("inner")', "[]", /a resource is made inside/, { rules: [] }],
])("%s is refused, with its place and what to type, and nothing is written", async (...row) => {
  const [, program, at, type, why = computed, body = description] = row;
  await api.apply(program);
  await api.edit("flag", body);
  const before = api.program;
  const { outcomes, changes } = await api.accept();
  const place = at === "" ? {} : { place: placeOf(before, at) };
  expect(outcomes).toMatchObject([{ how: "refused", type, why: expect.stringMatching(why), ...place }]);
  // Text typed in a call that makes others too would count for all of them.
  const todo = why === several ? `make "flag" in a call of its own, and type ${type} there` : `type ${type}`;
  expect(outcomeText(outcomes[0] as Refused)).toContain(`; ${todo}`);
  expect([changes.size, api.program]).toEqual([0, before]);
});

test("what to type is one line, also where it is long, and a program takes it", async () => {
  const program = (list: string) =>
    `const same = (list: fc.GateRuleArgs[]) => list;\n${gate(`rules: ${list}`)}`;
  const share = (passPercentage: number) =>
    ["First", "Second", "Third"].map((name) => ({
      ...{ name: `${name} of several rules`, passPercentage },
      conditions: [{ type: "country", operator: "any", targetValue: ["NZ", "AU"] }],
    }));
  await api.apply(program(`same(${JSON.stringify(share(10))} as never)`));
  await api.edit("flag", { rules: share(20) });
  const { outcomes } = await api.accept();
  const [, typed = ""] = /; type (?:rules: )?(.*)$/.exec(outcomeText(outcomes[0] as Refused)) ?? [];
  expect(typed).toContain("Third of several rules");
  expect(typed).not.toMatch(/\\u|\n/);
  const shares = share(20).map(({ name, passPercentage }) => ({ name, passPercentage }));
  expect(runInNewContext(`(${typed})`)).toMatchObject(shares);
});

test("what stands before a spread is hidden by it, what stands behind it is not", async () => {
  await api.apply(
    `const rest = { description: "Old" };\n${gate('...rest, description: "Mine", tags: ["a"]')}`,
  );
  await api.edit("flag", description);
  await api.accept();
  expect(api.program).toContain('{ ...rest, description: "New", tags: ["a"] }');
  expect(await api.changes()).toEqual({});
});

test("a class that comes by way of another module is found at the place that Pulumi noted", async () => {
  const ways = "const { Gate: Flag } = fc;\nconst more = { Gate: Flag };\n";
  await api.apply(`${ways}new more.Gate("flag", { description: "Old" });\n`);
  await api.edit("flag", description);
  await api.accept();
  expect(api.program).toContain('new more.Gate("flag", { description: "New" })');
});

test("of one resource what can be written is written, and the rest is refused and still drift", async () => {
  await api.apply(`const text = "Old";\n${gate('description: text, tags: ["a"]')}`);
  await api.edit("flag", { ...description, tags: ["b"] });
  const { outcomes } = await api.accept();
  expect(outcomes.map(({ how, label }) => `${label} ${how}`)).toEqual([
    "tags accepted",
    "description refused",
  ]);
  expect(api.program).toContain('{ description: text, tags: ["b"] }');
  const [left] = (await api.compare()).comparisons;
  expect(left?.differences.map(({ label, standing }) => `${label} ${standing}`)).toEqual([
    "description changed",
    "tags settled",
  ]);
});
