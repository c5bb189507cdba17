import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { outcomeText } from "../../src/tools/drift";
import type { Refused } from "../../src/tools/drift/outcome";
import { Desk } from "./desk";

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk?.close());

const rule = (passPercentage: number) => ({ name: "All", passPercentage, conditions: [{ type: "public" }] });

interface Row {
  readonly what: string;
  readonly program: string;
  readonly body: object;
  /** The text that the refusal must point at, and what it must say to type there. */
  readonly at: string;
  readonly type: string;
  readonly why?: RegExp;
}

const rows: Row[] = [
  {
    what: "a variable",
    program: 'const text = "Old";\nnew fc.Gate("flag", { isEnabled: true, description: text });\n',
    body: { description: "New" },
    at: "text })",
    type: '"New"',
  },
  {
    what: "a variable that is named like the argument",
    program: 'const description = "Old";\nnew fc.Gate("flag", { description });\n',
    body: { description: "New" },
    at: "description })",
    type: 'description: "New"',
  },
  {
    what: "a call",
    program:
      'new fc.Gate("flag", {\n  rules: [{ name: "All", passPercentage: Math.max(5, 1), conditions: [{ type: "public" }] }],\n});\n',
    body: { rules: [rule(12.5)] },
    at: "Math.max",
    type: "12.5",
  },
  {
    what: "a template with a value in it",
    program: 'const n = 1;\nnew fc.Gate("flag", { description: `Gate \u0024{n}` });\n',
    body: { description: "New" },
    at: "`Gate",
    type: '"New"',
  },
  {
    what: "a choice between two",
    program: 'new fc.Gate("flag", { tags: ["a"], description: 1 > 0 ? "Old" : "Other" });\n',
    body: { description: "New" },
    at: "1 > 0",
    type: '"New"',
  },
  {
    what: "an object that others are spread into",
    program: 'const rest = { description: "Old" };\nnew fc.Gate("flag", { tags: ["a"], ...rest });\n',
    body: { description: "New" },
    at: "...rest",
    type: 'description: "New"',
    why: /put together/,
  },
  {
    what: "a list that others are spread into",
    program: 'const more = ["b"];\nnew fc.Gate("flag", { tags: ["a", ...more] });\n',
    body: { tags: ["a", "b", "c"] },
    at: "...more",
    type: '["a", "b", "c"]',
    why: /put together/,
  },
  {
    what: "a list that is made of another one",
    program:
      'new fc.Gate("flag", { rules: [5].map((n) => ({ name: "All", passPercentage: n, conditions: [{ type: "public" }] })) });\n',
    body: { rules: [rule(12.5)] },
    at: "[5].map",
    type: '[{ name: "All", passPercentage: 12.5, conditions: [{ type: "public" }] }]',
  },
  {
    what: "one of several computed things in a set, which the console took out",
    program:
      'const [zoo, ant] = ["zoo", "ant"];\nnew fc.Gate("flag", { isEnabled: true, tags: ["mid", zoo, ant] });\n',
    body: { tags: ["mid", "zoo"] },
    at: "zoo, ant] })",
    type: '["mid", "zoo"]',
  },
  {
    what: "arguments that come from elsewhere",
    program: 'const args = { description: "Old" };\nnew fc.Gate("flag", args);\n',
    body: { description: "New" },
    at: "args);",
    type: 'description: "New"',
  },
  {
    what: "a call that makes several resources",
    program: 'for (const name of ["flag", "hall"]) new fc.Gate(name, { description: "Old" });\n',
    body: { description: "New" },
    at: "new fc.Gate",
    type: 'description: "New"',
    why: /makes 2 resources: "flag", "hall"/,
  },
];

test.each(rows.map((row) => [row.what, row] as const))(
  "%s is refused, with its place and what to type, and nothing is written",
  async (_, { program, body, at, type, why = /computed/ }) => {
    desk.write(program);
    await desk.up();
    await desk.raw.gate.patch({ id: "flag", body });
    const before = desk.program;
    const { outcomes, changes } = await desk.accept(await desk.compare());
    expect(outcomes).toHaveLength(1);
    const [outcome] = outcomes as Refused[];
    expect(outcome).toMatchObject({
      how: "refused",
      type,
      why: expect.stringMatching(why),
      place: placeOf(before, at),
    });
    expect(outcomeText(outcome as Refused)).toContain(`; type ${type}`);
    expect(changes.size).toBe(0);
    expect(desk.program).toBe(before);
  },
);

test("what stands before a spread is hidden by it, what stands behind it is not", async () => {
  desk.write(
    'const rest = { description: "Old" };\nnew fc.Gate("flag", { ...rest, description: "Mine", tags: ["a"] });\n',
  );
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { description: "New" } });
  await desk.accept(await desk.compare());
  expect(desk.program).toContain('{ ...rest, description: "New", tags: ["a"] }');
  expect(await desk.changes()).toEqual({});
});

test("a class that comes by way of another module is found at the place that Pulumi noted", async () => {
  desk.write(
    'const { Gate: Flag } = fc;\nconst more = { Gate: Flag };\nnew more.Gate("flag", { description: "Old" });\n',
  );
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { description: "New" } });
  await desk.accept(await desk.compare());
  expect(desk.program).toContain('new more.Gate("flag", { description: "New" })');
});

test("of one resource what can be written is written, and the rest is refused", async () => {
  desk.write('const text = "Old";\nnew fc.Gate("flag", { description: text, tags: ["a"] });\n');
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { description: "New", tags: ["b"] } });
  const { outcomes } = await desk.accept(await desk.compare());
  expect(outcomes.map(({ how, label }) => [how, label])).toEqual([
    ["accepted", "tags"],
    ["refused", "description"],
  ]);
  expect(desk.program).toContain('{ description: text, tags: ["b"] }');
  // State was not refreshed: what was refused is still drift.
  expect(
    (await desk.compare()).comparisons[0]?.differences.map(({ label, standing }) => [label, standing]),
  ).toEqual([
    ["description", "changed"],
    ["tags", "settled"],
  ]);
});

test("an object that was deleted in the console is refused, with the place of its resource", async () => {
  desk.write('new fc.Gate("flag", { description: "Old" });\n');
  await desk.up();
  await desk.raw.gate.delete({ id: "flag" });
  const { outcomes } = await desk.accept(await desk.compare());
  expect(outcomes).toEqual([
    expect.objectContaining({
      how: "refused",
      place: placeOf(desk.program, "new fc"),
      todo: 'remove the resource from the program, or run "pulumi up --refresh", which makes it again',
    }),
  ]);
});

/** Where a text begins in a program; line and column count from 1. */
function placeOf(program: string, text: string) {
  const lines = program.slice(0, program.indexOf(text)).split("\n");
  return { file: "index.ts", line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
