import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
  askConsole,
  type Change,
  makeReview,
  type Review,
  readPreview,
  subjectsOf,
} from "../../src/tools/review";
import { ReviewDesk } from "./desk";

/** Objects as they are, what becomes of each, and what its reviewer has to be told. */
const moves: readonly (readonly [
  what: string,
  before: string,
  after: string,
  says: string,
  level: "high" | "medium" | "low",
])[] = [
  ["archived", gate("rules: [all(100)]"), "", "to the archive · everyone → nobody", "high"],
  [
    "archived_here",
    gate("rules: [all(100)]"),
    gate('rules: [all(100)], status: "Archived"'),
    "to the archive · everyone → nobody",
    "high",
  ],
  [
    "deleted",
    gate('rules: [all(100)], onDelete: "delete"'),
    "",
    "deleted for good · everyone → nobody",
    "high",
  ],
  ["few", gate("rules: [all(10)]"), "", "to the archive · 10 % of everyone → nobody", "medium"],
  [
    "staging",
    gate('rules: [all(100, { environments: ["staging"] })]'),
    "",
    "to the archive · everyone in staging → nobody",
    "medium",
  ],
  ["nobody", gate("rules: [all(0)]"), "", "to the archive", "low"],
  ["off", gate("isEnabled: false, rules: [all(100)]"), "", "to the archive", "low"],
  ["launched", gate('status: "Launched"'), "", "to the archive · everyone → nobody", "high"],
  [
    "several",
    gate("rules: [staff, nz, all(100)]"),
    "",
    "to the archive · whom 3 rules let in, such as everyone else → nobody",
    "high",
  ],
  [
    "two",
    gate("rules: [staff, nz]"),
    "",
    'to the archive · all users in segment "staff" and 20 % of other users in NZ → nobody',
    "high",
  ],
  [
    "switched_off",
    gate("isEnabled: true, rules: [all(100)]"),
    gate("isEnabled: false, rules: [all(100)]"),
    "is switched off: everyone → nobody",
    "high",
  ],
  [
    "off_for_none",
    gate("isEnabled: true, rules: []"),
    gate("isEnabled: false, rules: []"),
    "is switched off: nobody passes",
    "low",
  ],
  [
    "switched_on",
    gate("isEnabled: false, rules: [all(5)]"),
    gate("isEnabled: true, rules: [all(5)]"),
    "is switched on: nobody → 5 % of everyone",
    "medium",
  ],
  [
    "disabled",
    gate('status: "In Progress", rules: [all(100)]'),
    gate('status: "Disabled", rules: [all(100)]'),
    "is switched off: everyone → nobody",
    "high",
  ],
  [
    "unlaunched",
    gate('status: "Launched", rules: [all(10)]'),
    gate('status: "In Progress", rules: [all(10)]'),
    "is switched on: everyone → 10 % of everyone",
    "high",
  ],
  [
    "renamed",
    gate("rules: [all(100)]"),
    gate('key: "renamed_2", rules: [all(100)]'),
    'code that asks for "renamed" finds nothing any more: nobody passes',
    "high",
  ],
  [
    "config",
    'new fc.DynamicConfig("config", { defaultValue: { a: 1 } });',
    "",
    "to the archive · its rules count no more, and code may fall back to its own value",
    "medium",
  ],
  [
    "started",
    'new fc.Experiment("started", { status: "setup", allocation: 20, groups });',
    'new fc.Experiment("started", { status: "active", allocation: 20, groups });',
    "starts; share of units that take part: 20 %",
    "medium",
  ],
  [
    "running",
    'new fc.Experiment("running", { status: "active", groups });',
    "",
    "to the archive · ends for good, its results stay in the archive: no unit is in a group of it any more",
    "high",
  ],
  ["idle", 'new fc.Experiment("idle", { status: "setup", groups });', "", "to the archive", "low"],
  [
    "given_up",
    'new fc.Experiment("given_up", { status: "active", groups });',
    'new fc.Experiment("given_up", { status: "abandoned", decisionReason: "Why", groups });',
    "ends without a decision: everyone gets what they would without it",
    "high",
  ],
  [
    "held back",
    'new fc.Holdout("held back", { passPercentage: 2 });',
    "",
    "deleted for good · no unit is held back",
    "medium",
  ],
  [
    "held off",
    'new fc.Holdout("held off", { passPercentage: 2 });',
    'new fc.Holdout("held off", { passPercentage: 2, isEnabled: false });',
    "is switched off: no unit is held back",
    "high",
  ],
  [
    "listed",
    'new fc.Segment("listed", { type: "id_list", ids: ["a", "b", "c"] });',
    "",
    "deleted for good · 3 ids → nobody",
    "medium",
  ],
  [
    "ruled",
    'new fc.Segment("ruled", { type: "rule_based", rules: [nz] });',
    "",
    "deleted for good · 20 % of users in NZ → nobody",
    "medium",
  ],
  [
    "asked",
    'new fc.Segment("asked", { type: "id_list", ids: ["a"] }); new fc.Gate("asks", { rules: [{ name: "A", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: "asked" }] }] });',
    'new fc.Gate("asks", { rules: [{ name: "A", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: "asked" }] }] });',
    'gate "asks" depends on it',
    "high",
  ],
];

function gate(args: string): string {
  return `new fc.Gate(NAME, { ${args} });`;
}

test.each([
  ["value", "", "everyone gets another value: no rule gives one"],
  ["ruled", "rules: [{ ...nz, returnValue: { a: 9 } }],", "whoever gets no value by a rule gets another one"],
])("another default value says who gets it: %s", async (name, rules, says) => {
  const other = new ReviewDesk();
  try {
    const config = (a: number) =>
      `${head}new fc.DynamicConfig("${name}", { ${rules} defaultValue: { a: ${a} } }); new fc.Holdout("held", { passPercentage: ${a} });`;
    other.write(config(1));
    await other.up();
    other.write(config(2));
    const told = makeReview(readPreview(await other.previewText()));
    expect(changeOf(name, told).facts[0]?.text).toBe(says);
    expect(changeOf("held", told).facts[0]?.text).toBe("share of units that is held back: 1 point more");
  } finally {
    await other.close();
  }
});

const head = `
const all = (passPercentage, more = {}) => ({ name: "All", passPercentage, conditions: [{ type: "public" }], ...more });
const staff = { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: "staff" }] };
const nz = { name: "Kiwis", passPercentage: 20, conditions: [{ type: "country", operator: "any", targetValue: ["NZ"] }] };
const groups = [{ name: "control", size: 50, parameterValues: {} }, { name: "test", size: 50, parameterValues: {} }];
`;

let desk: ReviewDesk;
let review: Review;
beforeAll(async () => {
  desk = new ReviewDesk();
  const program = (at: 1 | 2) =>
    head + moves.map((move) => move[at].replace("NAME", JSON.stringify(move[0]))).join("\n");
  desk.write(program(1));
  await desk.up();
  desk.write(program(2));
  review = makeReview(readPreview(await desk.previewText()));
});
afterAll(() => desk?.close());

const changeOf = (name: string, { changes }: Review = review) =>
  changes.find((one) => one.name === name) as Change;

test.each(moves)("%s: the reviewer reads what it means for people", (what, _before, _after, says, level) => {
  const { headline, facts, risk } = changeOf(what);
  expect([headline, ...facts.map(({ text }) => text)].join("\n")).toContain(says);
  if (says.startsWith("to the archive") || says.startsWith("is switched")) expect(headline).toBe(says);
  expect(risk).toBe(level);
});

test("what comes back from the archive is for somebody again, and what nobody asks for is no emergency", async () => {
  const other = new ReviewDesk();
  try {
    other.write(
      `${head}new fc.Gate("back", { rules: [all(100)] }); new fc.Gate("gone", { rules: [all(100)] });`,
    );
    await other.up();
    await other.raw.gate.archive({ id: "back" });
    await other.stack.refresh((await other.stack.exported()).resources.map(({ urn }) => urn));
    other.write(`${head}new fc.Gate("back", { rules: [all(100)] });`);
    const preview = readPreview(await other.previewText());
    const subjects = subjectsOf(preview);
    const offline = makeReview(preview, subjects);
    expect(changeOf("back", offline)).toMatchObject({
      ...{ act: "restore", risk: "high" },
      headline: "back from the archive · nobody → everyone",
    });
    expect(changeOf("gone", offline).risk).toBe("high");
    const found = await askConsole(
      { subjects },
      {
        stack: other.stack,
        process: { transport: other.emulator.transport, environment: () => ({}), report: () => {} },
        progress: () => {},
      },
    );
    expect(changeOf("gone", makeReview(preview, subjects, found))).toMatchObject({
      risk: "medium",
      facts: expect.arrayContaining([
        expect.objectContaining({ text: "who is let in: everyone → nobody; no checks in the last hour" }),
      ]),
    });
  } finally {
    await other.close();
  }
});
