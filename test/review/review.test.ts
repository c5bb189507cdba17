import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import pictures from "../../spec/pictures.json";
import type { Transport } from "../../src/provider/client/transport";
import { gate } from "../../src/provider/definitions/flags/gate";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { jsonText } from "../../src/provider/texts/issue-text";
import {
  askConsole,
  makeReview,
  notAsked,
  type Review,
  readPreview,
  reviewMarkdown,
  reviewPage,
  subjectsOf,
} from "../../src/tools/review";
import type { ReasonAbout } from "../../src/tools/review/review";
import { placeText, positionOf } from "../../src/tools/stack/source-places";
import { readReadme } from "../support/readme";
import { changeOf as changeIn, golden, ReviewDesk, reportText, reviewOf } from "./desk";
import { after, before } from "./forty-changes";

let api: ReviewDesk;
let text: string;
let review: Review;

beforeAll(async () => {
  api = new ReviewDesk();
  await api.raw.gate.create({ body: { id: "made_by_hand", name: "made_by_hand", description: "By hand" } });
  await api.apply(before);
  api.write(after);
  text = await api.previewText({ checkout_v2: 48_000, used_gate: 1_200, kill_switch: 300, prices: 90_000 });
  review = makeReview(readPreview(text));
});
afterAll(() => api?.close());

const changeOf = (called: string, of: Review = review) => changeIn(of, called);

test("each of forty changes is one line that a product manager reads, worst first, with its reasons", () => {
  expect(reportText(review)).toBe(golden("forty-changes"));
  const levels = ["high", "medium", "low"];
  const risks = review.changes.map(({ risk }) => levels.indexOf(risk));
  expect(risks).toEqual([...risks].sort());
  for (const { risk, facts, called } of review.changes)
    if (risk !== "low") expect([called, facts[0]?.level]).toEqual([called, risk]);
});

test("who depends on it, who owns it, how often it is asked, and where it is made", () => {
  expect(changeOf("checkout_v2")).toMatchObject({
    ...{ owner: "growth", checksPerHour: 48_000, environments: ["production"] },
    dependents: expect.arrayContaining([
      { object: 'gate "pay_later"', where: "program" },
      { object: 'dynamic config "prices"', where: "program" },
      { object: 'holdout "quarter holdout"', where: "program" },
    ]),
    position: expect.stringMatching(/^index\.ts:\d+:\d+$/),
  });
});

test("JSON is the same data, and counts what is not described", () => {
  const type = "random:index:Id";
  const other = { op: "create", urn: `urn:pulumi:test::desk::${type}::one`, newState: { type } };
  const { steps } = JSON.parse(text) as { steps: object[] };
  const told = JSON.parse(jsonText(reviewOf(...steps, other))) as Review;
  expect(told.changes).toHaveLength(review.changes.length);
  const acts = { create: 5, archive: 1, delete: 2, release: 1 };
  expect(told.counts).toMatchObject({ others: 1, unchanged: 1, acts, outcomes: { fails: 1 } });
});

const stackUrn = "urn:pulumi:prod::shop::pulumi:pulumi:Stack::shop-prod";
const stackStep = { op: "same", urn: stackUrn, newState: { urn: stackUrn, type: "pulumi:pulumi:Stack" } };
const changeSummary = { same: 1 };
const written = ["We failed to locate the entry point", "It does not exist"].map((message) => ({
  ...{ message: `${message}\n\n`, severity: "info#err" },
}));
const gone = { op: "delete", urn: `urn:pulumi:prod::shop::random:index:Id::one`, oldState: {} };
const streamOf = (...events: object[]) =>
  events.map((event, sequence) => JSON.stringify({ sequence, ...event })).join("\n");
const stackEvent = { resourcePreEvent: { metadata: { op: "same", urn: stackUrn } } };
const endsWith = (result?: string) => ({ summaryEvent: { resourceChanges: changeSummary, result } });
const failing = (message: string, severity = "error") => ({ message, severity });
const [tooMuch, line] = [failing("<{%reset%}>error: rules: 250 is too much"), failing("a line", "info#err")];
const noEntry = "error: We failed to locate the entry point It does not exist";
const unknownReason = "error: Pulumi printed no reason here: its own message gives it";
const violation = { enforcementLevel: "mandatory", policyName: "freeze", message: "Friday" };

test.each<[title: string, preview: string, note: string | undefined]>([
  ["an error", JSON.stringify({ steps: [], diagnostics: [tooMuch] }), "error: rules: 250 is too much"],
  ["no program file", JSON.stringify({ steps: [stackStep], diagnostics: written, changeSummary }), noEntry],
  ["a language that does not start", JSON.stringify({ diagnostics: [], duration: 1 }), unknownReason],
  ["a stream with its result", streamOf(stackEvent, endsWith("failed")), unknownReason],
  ["a stream that was cancelled", streamOf(stackEvent, endsWith("canceled")), unknownReason],
  ["a stream without a summary", streamOf({ cancelEvent: {} }), unknownReason],
  ["an older Pulumi", streamOf({ diagnosticEvent: tooMuch }, endsWith()), "error: rules: 250 is too much"],
  ["a policy", streamOf({ policyEvent: violation }, stackEvent, endsWith("failed")), "error: freeze: Friday"],
  [
    "lines of a program that registers nothing, after which its resources go",
    JSON.stringify({ steps: [stackStep, gone], diagnostics: [line] }),
    undefined,
  ],
  [
    "lines of a program whose resources stay",
    JSON.stringify({ steps: [stackStep], diagnostics: [line], changeSummary: { same: 9 } }),
    undefined,
  ],
  ["an error of the program", streamOf({ diagnosticEvent: tooMuch }, endsWith("succeeded")), undefined],
])("whether a preview failed: %s", (_, preview, note) => {
  const told = makeReview(readPreview(preview));
  const markdown = reviewMarkdown(told);
  expect(told.failed).toBe(note !== undefined);
  if (note !== undefined) expect(told.notes).toContain(note);
  const text = "**The preview failed: this is not all that would change.**";
  expect(markdown.includes(text)).toBe(told.failed);
  expect(markdown.includes("No flag changes")).toBe(!told.failed);
});

test.each([
  ["nothing", "", /the preview is empty: the preview failed, .+ run `pulumi preview --json/],
  ["what a terminal shows", "Previewing update (dev):\n ~ update", /this is no preview/],
  ["an empty object", "{}\n", /the preview failed before it read the program/],
  ["what a stack exports", '{ "version": 3, "deployment": { "resources": [] } }', /this is no preview/],
  ["half of a preview", '{\n  "steps": [\n    { "op": "upd', /cut off/],
  ["half of a stream", '{"sequence":1,"preludeEvent":{}}\n{"sequence":2,"resour', /cut off/],
])("%s is refused, not told as a preview that changes nothing", (_title, input, message) => {
  expect(() => readPreview(input)).toThrow(message);
});

/** The report of a gate "asking" whose rules ask, one each, for something that only the update makes. */
function askingOf(condition: string, rules: readonly string[], made: readonly { readonly urn: string }[]) {
  const type = "pulumi-nodejs:dynamic/feature-console:Gate";
  const inputs = {
    key: "asking",
    rules: rules.map((name) => ({
      ...{ name, passPercentage: 100 },
      conditions: [{ type: condition, targetValue: UNKNOWN }],
    })),
  };
  const propertyDependencies = { rules: made.map(({ urn }) => urn) };
  const urn = `urn:pulumi:test::desk::${type}::asking`;
  const asking = { op: "create", urn, newState: { type, inputs, propertyDependencies } };
  return reviewOf(...made, asking).changes.find(({ called }) => called === "asking")?.headline;
}

const ofKind = (kind: string, name: string) => {
  const type = `pulumi-nodejs:dynamic/feature-console:${kind}`;
  return { type, urn: `urn:pulumi:test::desk::${type}::${name}` };
};

test("of several new objects, the report names each and claims none for a rule", () => {
  const made = ["staff", "oceania"].map((key) => {
    const { type, urn } = ofKind("Segment", key);
    return { op: "create", urn, newState: { type, inputs: { key, name: key, type: "rule_based" } } };
  });
  expect(askingOf("passes_segment", ["Staff", "Oceania"], made)).toContain(
    'all users in segment "staff" or "oceania" (new: the preview does not show which) (rule "Staff")',
  );
});

test("a gate that is replaced by one of another key is named by that key", () => {
  const { type, urn } = ofKind("Gate", "search");
  const side = (key: string) => ({
    type,
    id: "search",
    inputs: { key, name: key },
    outputs: { key, name: key, id: key },
  });
  const replaced = {
    op: "replace",
    urn,
    oldState: { urn, ...side("search") },
    newState: { urn, ...side("search_v2") },
  };
  expect(askingOf("passes_gate", ["In"], [replaced])).toContain('all users in gate "search_v2" (new)');
});

test("rules swapped: the table shows what those lose that stay as they are", () => {
  const rule = (name: string, passPercentage: number, ...conditions: object[]) => ({
    ...{ name, passPercentage, conditions, id: name },
  });
  const kiwis = rule("NZ", 100, { type: "country", operator: "any", targetValue: ["NZ"] });
  const pros = rule("Pro", 0, { type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] });
  const all = rule("All", 10, { type: "public" });
  const type = "pulumi-nodejs:dynamic/feature-console:Gate";
  const urn = `urn:pulumi:test::desk::${type}::swapped`;
  const stateOf = (...rules: object[]) => ({
    ...{ urn, type, id: "swapped", inputs: { key: "swapped", rules } },
    outputs: { key: "swapped", rules, isEnabled: true, __managed: ["rules"] },
  });
  const one = { op: "update", urn, oldState: stateOf(kiwis, pros, all), newState: stateOf(pros, kiwis, all) };
  const told = reviewOf(one);
  const [{ tables }] = told.changes as [Review["changes"][number]];
  expect(tables[0]?.rows.map(({ name, what }) => [name, what])).toEqual([
    ['"Pro"', "touched"],
    ['"NZ"', "changed"],
    ['"All"', "unchanged"],
  ]);
  const lost = "no longer reaches users in NZ and whose plan is pro";
  const table = reviewMarkdown(told)
    .split("\n")
    .filter((line) => line.startsWith('| "'));
  expect(table).toEqual([
    '| "Pro" | 2. none of other users whose plan is pro, all environments | 1. none of users whose plan is pro, all environments, now reaches users in NZ and whose plan is pro too |',
    `| "NZ" | 1. all users in NZ, all environments | 2. all other users in NZ, all environments, ${lost} |`,
    '| "All" | 3. 10 % of everyone else, all environments | unchanged |',
  ]);
  expect(reviewPage(told)).toContain(lost);
});

const walletType = "pulumi-nodejs:dynamic/feature-console:DynamicConfig";
const walletUrn = `urn:pulumi:test::desk::${walletType}::wallet`;
const walletIn = (step: object) => reviewOf({ urn: walletUrn, ...step }).changes[0];
const wallet = (defaultValue: unknown) => ({
  ...{ urn: walletUrn, type: walletType, id: "wallet", inputs: { name: "wallet", defaultValue } },
  outputs: { id: "wallet", name: "wallet", defaultValue, __managed: ["name", "defaultValue"] },
});
const hidden = "[secret]";
const [euro, dollar] = ["EUR", "USD"].map((currency) => ({ currency, token: hidden }));
const [first, second] = [1, 2].map((a) => ({ a, list: hidden }));
const money = "currency EUR → USD";
const maybe = "a secret in it may change too";

test.each<[paths: string[], before: unknown, after: unknown, says: string, facts: string[], rows: string[]]>([
  [[".currency"], euro, dollar, money, ["value"], ["currency"]],
  [
    [".currency", ".token"],
    euro,
    dollar,
    `${money}; a secret changes (token)`,
    ["value", "secret"],
    ["currency", "token"],
  ],
  [[".token"], euro, euro, "a secret changes (token)", ["secret"], ["token"]],
  [[""], euro, dollar, `${money}; ${maybe}`, ["value", "secret"], ["currency"]],
  [[], euro, dollar, `${money}; ${maybe}`, ["value", "secret"], ["currency"]],
  [[".a", ".list[1]"], first, second, "a 1 → 2; a secret changes (list)", ["value", "secret"], ["a", "list"]],
  [[".a"], { a: 1, "x.y": hidden }, { a: 2, "x.y": hidden }, `a 1 → 2; ${maybe}`, ["value", "secret"], ["a"]],
])("where Pulumi sees changes at %j, the report says no more of secrets than that", (...row) => {
  const [paths, before, after, says, facts, rows] = row;
  const detailedDiff = Object.fromEntries(paths.map((path) => [`defaultValue${path}`, { kind: "update" }]));
  const sides = { oldState: wallet(before), newState: wallet(after) };
  const change = walletIn({ op: "update", ...sides, detailedDiff });
  expect(change?.headline).toBe(`default value: ${says}`);
  expect(change?.facts.map(({ about }) => about)).toEqual(facts);
  expect(change?.values.map(({ place }) => place)).toEqual(rows);
});

test("of something new that holds a secret, the rest is shown", () => {
  const made = walletIn({ op: "create", newState: wallet({ url: "https://shop.example", token: hidden }) });
  const value = "url https://shop.example, token [secret]";
  expect(made?.headline).toBe(`new · default value ${value}`);
  expect(made?.values).toEqual([{ argument: "defaultValue", after: value }]);
  const whole = walletIn({ op: "create", newState: wallet(hidden) });
  expect(whole?.headline).toBe("new · default value [secret]");
});

test("of something that is gone no place in the program is told, where something else stands now", () => {
  expect(changeOf("used_gate").position).toBeUndefined();
});

test("the provider's words are shown for adoptions, ids and reviews", () => {
  const needs = 'a change of rules needs a review: "pulumi up" opens one and does not apply the change.';
  const pending = 'review 12 of rules is pending: "pulumi up" does not apply its change.';
  const diagnostics = [
    'segment "beta_testers" ids +2 / −0',
    'segment "guests" rules: + "No account" at 1',
    'gate "made_by_hand": exists: would change rules (+1)',
    ...[needs, pending].map((words) => `segment "guests": ${words}`),
  ].map((message) => ({ severity: "info", message }));
  const told = makeReview(readPreview(JSON.stringify({ ...JSON.parse(text), diagnostics })));
  const noticesOf = (called: string) => changeOf(called, told).notices;
  expect(noticesOf("beta_testers")).toEqual(["ids +2 / −0"]);
  expect(noticesOf("guests")).toEqual([needs, pending]);
  expect(noticesOf("made_by_hand")).toEqual(["exists: would change rules (+1)"]);
});

test("a name that nothing has is a medium risk, as the preview warns of it; lines about rules and nulls are told in other words", () => {
  const absent = 'rules[0].environments: "prod" is not among the environments of this program';
  const said = [`${absent}.`, 'rules: rule "No account" is removed', "tags: null → removed"];
  const diagnostics = said.map((line) => ({ severity: "info", message: `segment "guests": ${line}` }));
  const told = makeReview(readPreview(JSON.stringify({ ...JSON.parse(text), diagnostics })));
  const { facts, notices } = changeOf("guests", told);
  const warnings = facts.filter(({ about }) => about === "warning");
  expect(warnings).toEqual([{ about: "warning", level: "medium", text: absent }]);
  expect(notices).toEqual([]);
});

test("what the console adds to a group is no change of it", () => {
  const { values } = changeOf("resized");
  expect(values.map(({ place, before: was, after: is }) => [place, was, is])).toEqual([
    ["control", "50 %", "20 %"],
    ["test", "50 %", "80 %"],
  ]);
});

/** What the report shows where it asks a console. */
async function asked(transport: Transport) {
  const preview = readPreview(text);
  const subjects = subjectsOf(preview);
  const lines: string[] = [];
  const console = { transport, environment: () => ({}), report: () => {} };
  const progress = (line: string) => lines.push(line);
  const found = await askConsole(preview, subjects, { stack: api.stack, console, progress });
  return { lines, told: makeReview(preview, subjects, found) };
}

test("the console tells what state does not: what is taken over, who else asks, and what people changed since", async () => {
  const conditions = [{ type: "passes_gate", targetValue: "big_bang" }];
  const rules = [{ name: "Asks", passPercentage: 1, conditions }];
  await api.raw.gate.create({ body: { id: "of_console", name: "of_console", rules } as never });
  api.now += 3_600_000;
  await api.edit("to_launch", { description: "By hand" });
  api.sign("gate", "to_launch", "ana@example.com");
  const { lines, told } = await asked(api.emulator.transport);
  expect(lines).toEqual([expect.stringMatching(/^Asking the console about \d+ kinds/)]);
  expect(told.console).toBe("asked");
  expect(told.notes).toEqual([expect.stringContaining("another stack has adopted")]);
  expect(changeOf("made_by_hand", told).headline).toBe(
    'taken over from the console · all environments: new rule "Everyone": 30 % of everyone',
  );
  expect(changeOf("big_bang", told).dependents).toEqual([{ object: 'gate "of_console"', where: "console" }]);
  expect(changeOf("to_launch", told).facts).toContainEqual({
    ...{ about: "console", level: "medium" },
    text: "changed in the console since this stack last read it, by ana@example.com, 2026-11-22 11:03 UTC: refresh first",
  });
});

test("what the program keeps secret is hidden on every side, also where the console was asked", () => {
  const preview = readPreview(text);
  const steps = preview.steps.map((step) => {
    if (!step.urn.endsWith("made_by_hand") || step.newState === undefined) return step;
    const inputs = { ...step.newState.inputs, description: "[secret]" };
    return { ...step, newState: { ...step.newState, inputs } };
  });
  const values = { key: "made_by_hand", name: "made_by_hand", description: "Sesame, open", rules: [] };
  const object = { definition: gate as ResourceDefinition, id: "made_by_hand", values };
  const { urn = "" } = steps.find((step) => step.urn.endsWith("made_by_hand")) ?? {};
  const taken = { live: values, changes: { description: "[secret]" } };
  const create = { what: "adopts" as const, place: "in use" as const, taken };
  const console = { ...notAsked, objects: [object], of: new Map([[urn, { live: values, create }]]) };
  const told = makeReview({ ...preview, steps }, subjectsOf({ ...preview, steps }), console);
  expect(changeOf("made_by_hand", told).headline).toContain("description: a secret changes");
  expect(jsonText(told) + reviewMarkdown(told)).not.toContain("Sesame");
});

test("a console that does not answer is a note", async () => {
  const { told } = await asked({ send: () => Promise.reject(new Error("no console today")) });
  expect(told.console).toBe("not asked");
  expect(told.notes).toEqual([
    expect.stringMatching(
      /^It is not known whether these objects changed .*: the report did not ask the console/,
    ),
    "It is not known whether the console already has objects with the keys of the new ones: the report did not ask about them.",
    expect.stringMatching(/^It is not known whether another stack has adopted an object that goes here/),
    expect.stringMatching(/^The console was not read: /),
  ]);
});

test("the document shows what a report says", () => {
  const page = readFileSync(path.join(repositoryRoot, "docs/review.md"), "utf8");
  const shown = ["checkout_v2", "decided"].map((called) => changeOf(called));
  for (const { headline, facts } of shown) {
    expect(page).toContain(headline);
    for (const fact of facts) expect(page).toContain(fact.text);
  }
});

/** Every subject: the compiler demands each. */
const subjects = Object.keys({
  ...{ reach: 0, audience: 0, unreachable: 0, order: 0, state: 0, results: 0, outcome: 0, end: 0 },
  ...{ replacement: 0, traffic: 0, console: 0, secret: 0, dependents: 0, address: 0, value: 0 },
  ...{ adoption: 0, review: 0, warning: 0, stages: 0 },
} satisfies Record<ReasonAbout, number>);

test("the document rates every subject of a reason, and no other", () => {
  const page = readFileSync(path.join(repositoryRoot, "docs/review.md"), "utf8");
  const [, section = ""] = /^## Levels of risk\n(.*?)^## /ms.exec(page) ?? [];
  const words = [...section.matchAll(/`([^`]+)`/g)].map(([, word]) => word);
  expect(subjects.filter((subject) => !words.includes(subject))).toEqual([]);
  const rows = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, word = ""]) => word);
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => !subjects.includes(row))).toEqual([]);
});

test.each([
  ["project:///index.ts#9,18", "index.ts:9:18"],
  ["project:///__main__.py#8", "__main__.py:8"],
  ["project:///flags/my%20shop.ts#3,7", "flags/my shop.ts:3:7"],
  ["file:///index.ts#9,18", undefined],
])("%s is the place %s of the program", (noted, place) => {
  const position = positionOf(noted);
  expect(position && placeText(position)).toBe(place);
});

const owner = { ownerType: "USER", ownerEmail: "kim@example.com" };
const byKey = { owner: { ownerType: "SDK_KEY", ownerName: "x" } };

test.each<[who: string, kind: string, inputs: object, outputs: object, owner: string | undefined]>([
  ["a tag that policies take for an owner", "Gate", { tags: ["beta", "team:shop"] }, {}, "shop"],
  ["a tag that only the console has", "Gate", {}, { tags: ["owner-shop"] }, "shop"],
  ["a team, before a tag", "Gate", { team: "growth", tags: ["team:shop"] }, {}, "growth"],
  ["a tag, before a person", "Gate", { tags: ["team:shop"] }, { owner }, "shop"],
  ["a person of the console", "Gate", {}, { owner }, "kim@example.com"],
  ["the person of something new", "DynamicConfig", { owner }, {}, "kim@example.com"],
  ["nobody, behind a key", "Gate", { tags: ["steam:punk"] }, byKey, undefined],
])("the owner is %s", (_who, kind, inputs, outputs, expected) => {
  const type = `pulumi-nodejs:dynamic/feature-console:${kind}`;
  const urn = `urn:pulumi:test::desk::${type}::flag`;
  const side = (description: string) => {
    const given = { key: "flag", name: "flag", description, ...inputs };
    const seen = { id: "flag", ...given, ...outputs, __managed: ["description"] };
    return { urn, type, id: "flag", inputs: given, outputs: seen };
  };
  const [change] = reviewOf({ op: "update", urn, oldState: side("Old"), newState: side("New") }).changes;
  expect(change?.owner).toBe(expected);
});

/** A picture's text, without what differs from run to run. */
const lasting = (text: string) =>
  text
    .replaceAll("desk/test", "flags/dev")
    .replaceAll("test::desk", "dev::flags")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "then")
    .replace(/<p class="quiet small">commit .*/, "");

test("the pictures of README.md show what a report says: else draw them anew by `npm run pictures`", async () => {
  const { program, changed } = await readReadme();
  const desk = new ReviewDesk();
  const [before = "", after = ""] = [program, changed].map((text) =>
    text.replaceAll(/^import .*\n|^export /gm, ""),
  );
  await desk.apply(before);
  desk.write(after);
  const now = await desk.report();
  await desk.close();
  expect(lasting(reviewMarkdown(now))).toBe(lasting(pictures.comment));
  expect(lasting(reviewPage(now))).toBe(lasting(pictures.page));
});

describe("exposures of a changed flag", () => {
  let api: ReviewDesk;
  beforeEach(() => {
    api = new ReviewDesk();
  });
  afterEach(() => api?.close());

  const flags = (count: number, description: string) =>
    [...Array(count).keys()].map(
      (n) => `new fc.Gate("flag_${n}", { description: "${description} ${n}" });\n`,
    );
  const others = (description: string) => `new fc.Gate("same", {});
new fc.DynamicConfig("limits", { description: "${description}" });
new fc.Tag("staff", { description: "${description}" });
`;

  async function applied(count: number): Promise<void> {
    await api.apply(flags(count, "Old").join("") + others("Old"));
    api.write(`${flags(count, "New").join("")}${others("New")}new fc.Gate("new", {});\n`);
  }

  async function expose(gate: string, times: number): Promise<void> {
    const events = Array(times).fill({ eventName: "statsig::gate_exposure", metadata: { gate } });
    const { status } = await api.emulator.transport.send({
      ...{ method: "POST", url: "http://embedded/v1/log_event", body: JSON.stringify({ events }) },
      headers: { "content-type": "application/json" },
    });
    expect(status).toBeLessThan(300);
  }

  const countRequests = () => api.emulator.requests.filter(({ path }) => path.endsWith("/exposure_count"));
  const exposuresIn = ({ changes }: Review) =>
    Object.fromEntries(changes.map(({ name, exposures }) => [name, exposures]));

  test("a report shows the exposures of each changed flag that the console has, in each of its forms", async () => {
    await applied(2);
    await expose("flag_0", 1200);
    api.now += 30 * 3_600_000;
    await expose("flag_0", 34);
    const review = await api.report();
    expect(exposuresIn(review)).toEqual({
      flag_0: { pastDay: 34, past7Days: 1234 },
      ...{ flag_1: { pastDay: 0, past7Days: 0 }, limits: { pastDay: 0, past7Days: 0 } },
      ...{ staff: undefined, new: undefined },
    });
    const busy = "1,234 exposures in the past 7 days, 34 in the past day";
    expect(reviewMarkdown(review)).toContain(busy);
    expect(reviewPage(review)).toContain(busy);
    expect(reviewPage(review)).toContain("no exposures in the past 7 days");
    expect(JSON.parse(jsonText(review)).changes).toContainEqual(
      expect.objectContaining({ name: "flag_0", exposures: { pastDay: 34, past7Days: 1234 } }),
    );
  });

  test("25 ids are counted in a request, and those of unchanged objects are not", async () => {
    await applied(30);
    const review = await api.report();
    expect(Object.values(exposuresIn(review)).filter((one) => one !== undefined)).toHaveLength(31);
    const asked = countRequests().map(({ query }) => [...new URLSearchParams(query).values()]);
    expect(asked.map((ids) => ids.length)).toEqual([25, 6]);
    expect(asked.flat()).not.toContain("same");
  });

  test("a key that may not see exposures leaves them out, and the report is complete", async () => {
    await applied(1);
    api.emulator.addFaults([{ times: 1, path: "/exposure_count", status: 403 }]);
    const review = await api.report();
    expect(review).toMatchObject({ console: "asked", notes: [] });
    expect(review.changes.filter(({ exposures }) => exposures !== undefined)).toEqual([]);
    expect(reviewMarkdown(review)).not.toContain("exposures");
  });

  test("a very large preview is counted with ten requests", async () => {
    await applied(251);
    const review = await api.report();
    expect(countRequests()).toHaveLength(10);
    expect(Object.values(exposuresIn(review)).filter((one) => one !== undefined)).toHaveLength(250);
  });
});
