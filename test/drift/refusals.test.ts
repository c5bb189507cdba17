import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { outcomeText } from "../../src/tools/drift";
import type { Refused } from "../../src/tools/drift/outcome";
import { Desk } from "./desk";

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk?.close());

/** Where a text begins in a program; line and column count from 1. */
function placeOf(program: string, text: string) {
  const lines = program.slice(0, program.indexOf(text)).split("\n");
  return { file: "index.ts", line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

const all = '{ name: "All", passPercentage: 12.5, conditions: [{ type: "public" }] }';
const rule = { name: "All", passPercentage: 12.5, conditions: [{ type: "public" }] };
const description = { description: "New" };
const several = /makes 2 resources: "flag", "hall"/;
const gate = (args: string) => `new fc.Gate("flag", { ${args} });\n`;
const ruleOf = (share: string) =>
  `{ name: "All", passPercentage: ${share}, conditions: [{ type: "public" }] }`;

/** A program, what the console changes, the text that the refusal points at, and what it says to type there. */
test.each<[what: string, program: string, body: object, at: string, type: string, why?: RegExp]>([
  ["a variable", `const text = "Old";\n${gate("description: text")}`, description, "text })", '"New"'],
  [
    "a variable that is named like the argument",
    `const description = "Old";\n${gate("description")}`,
    description,
    "description })",
    'description: "New"',
  ],
  ["a call", gate(`\n  rules: [${ruleOf("Math.max(5, 1)")}]`), { rules: [rule] }, "Math.max", "12.5"],
  [
    "a template with a value in it",
    `const n = 1;\n${gate("description: `Gate \u0024{n}`")}`,
    description,
    "`Gate",
    '"New"',
  ],
  ["a choice", gate('tags: ["a"], description: 1 > 0 ? "Old" : "Other"'), description, "1 > 0", '"New"'],
  [
    "an object that others are spread into",
    `const rest = { description: "Old" };\n${gate('tags: ["a"], ...rest')}`,
    description,
    "...rest",
    'description: "New"',
    /put together/,
  ],
  [
    "a list that others are spread into",
    `const more = ["b"];\n${gate('tags: ["a", ...more]')}`,
    { tags: ["a", "b", "c"] },
    "...more",
    '["a", "b", "c"]',
    /put together/,
  ],
  [
    "a list that is made of another one",
    gate(`rules: [5].map((n) => (${ruleOf("n")}))`),
    { rules: [rule] },
    "[5].map",
    `[${all}]`,
  ],
  [
    "one of several computed things in a set, which the console took out",
    `const [zoo, ant] = ["zoo", "ant"];\n${gate('isEnabled: true, tags: ["mid", zoo, ant]')}`,
    { tags: ["mid", "zoo"] },
    "zoo, ant] })",
    '["mid", "zoo"]',
  ],
  [
    "arguments that come from elsewhere",
    'const args = { description: "Old" };\nnew fc.Gate("flag", args);\n',
    description,
    "args);",
    'description: "New"',
  ],
  [
    "a call that makes several resources",
    'for (const name of ["flag", "hall"]) new fc.Gate(name, { description: "Old" });\n',
    description,
    "new fc.Gate",
    'description: "New"',
    several,
  ],
])("%s is refused, with its place and what to type, and nothing is written", async (...row) => {
  const [, program, body, at, type, why = /computed/] = row;
  await desk.apply(program);
  await desk.edit("flag", body);
  const before = desk.program;
  const { outcomes, changes } = await desk.accept();
  const place = placeOf(before, at);
  expect(outcomes).toMatchObject([{ how: "refused", type, why: expect.stringMatching(why), place }]);
  expect(outcomeText(outcomes[0] as Refused)).toContain(`; type ${type}`);
  expect([changes.size, desk.program]).toEqual([0, before]);
});

test("what stands before a spread is hidden by it, what stands behind it is not", async () => {
  await desk.apply(
    `const rest = { description: "Old" };\n${gate('...rest, description: "Mine", tags: ["a"]')}`,
  );
  await desk.edit("flag", description);
  await desk.accept();
  expect(desk.program).toContain('{ ...rest, description: "New", tags: ["a"] }');
  expect(await desk.changes()).toEqual({});
});

test("a class that comes by way of another module is found at the place that Pulumi noted", async () => {
  const ways = "const { Gate: Flag } = fc;\nconst more = { Gate: Flag };\n";
  await desk.apply(`${ways}new more.Gate("flag", { description: "Old" });\n`);
  await desk.edit("flag", description);
  await desk.accept();
  expect(desk.program).toContain('new more.Gate("flag", { description: "New" })');
});

test("of one resource what can be written is written, and the rest is refused and still drift", async () => {
  await desk.apply(`const text = "Old";\n${gate('description: text, tags: ["a"]')}`);
  await desk.edit("flag", { ...description, tags: ["b"] });
  const { outcomes } = await desk.accept();
  expect(outcomes.map(({ how, label }) => `${label} ${how}`)).toEqual([
    "tags accepted",
    "description refused",
  ]);
  expect(desk.program).toContain('{ description: text, tags: ["b"] }');
  const [left] = (await desk.compare()).comparisons;
  expect(left?.differences.map(({ label, standing }) => `${label} ${standing}`)).toEqual([
    "description changed",
    "tags settled",
  ]);
});
