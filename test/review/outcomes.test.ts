import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { fileJournal } from "../../src/provider/pulumi/runs/journal";
import { consoleMember } from "../../src/provider/schema/internal";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Review, reviewMarkdown } from "../../src/tools/review";
import { changeOf, factsOf, ReviewDesk } from "./desk";

jest.setTimeout(60_000);

let desk: ReviewDesk;
beforeEach(() => {
  desk = new ReviewDesk();
});
afterEach(() => desk.close());

/** What happens to the gate in the console meanwhile. */
type Hand = () => Promise<unknown>;

interface Around {
  readonly between?: Hand;
  readonly isOffline?: boolean;
  readonly change?: (text: string) => string;
}

/** Applies one program, and reports the preview of another. */
async function reported(
  before: string,
  after: string,
  { between, ...options }: Around = {},
): Promise<Review> {
  desk.write(before);
  await desk.up();
  desk.now += 3_600_000;
  await between?.();
  desk.write(after);
  return desk.report(options);
}

const id = "loop";
const gate = (share: number, more = "") =>
  `new fc.Gate("loop", { isEnabled: true${more}, rules: [{ name: "All", passPercentage: ${share}, conditions: [{ type: "public" }] }] });`;
const theirs = { id, name: id, description: "Theirs" };
const creates = () => desk.raw.gate.create({ body: theirs });
const archives = () => desk.raw.gate.archive({ id });
const hands = {
  creates,
  archives,
  deletes: () => desk.raw.gate.delete({ id }),
  disables: () => desk.raw.gate.disable({ id }),
  createsAndArchives: () => creates().then(archives),
} satisfies Record<string, Hand>;

const sets = (share: number) => async () => {
  const rules = [{ name: "All", passPercentage: share, conditions: [{ type: "public" }] }];
  await desk.raw.gate.patch({ id, body: { rules } as never });
  desk.sign("gate", id, "ana@example.com");
};

/** A preview in which Pulumi replaces the one resource that stays, in these steps. */
const replaced =
  (...order: readonly string[]) =>
  (text: string) => {
    const preview = JSON.parse(text) as { steps: { op: string }[] };
    return JSON.stringify({
      ...preview,
      steps: preview.steps.flatMap((step) => order.map((op) => ({ ...step, op }))),
    });
  };

interface Row extends Around {
  readonly what: string;
  readonly programs: readonly [before: string, after: string];
  readonly shows: object;
  readonly counts?: object;
  /** Why the update fails. */
  readonly fails?: RegExp;
}

const isLeft = { acts: {}, outcomes: { left: 1 } };
const archivedGate = gate(50).replace("isEnabled: true", 'status: "Archived"');
const rows: Row[] = [
  {
    what: "the removal of what is gone already does nothing",
    programs: [gate(50), ""],
    between: hands.deletes,
    shows: { headline: "it is gone from the console already", outcome: { what: "left" }, risk: "low" },
    counts: isLeft,
  },
  {
    what: "the removal of what somebody archived by hand says that it is archived",
    programs: [gate(50), ""],
    between: hands.archives,
    shows: {
      ...{ headline: "it is already archived", inConsole: "archived" },
      outcome: { what: "left", why: "it is already archived" },
    },
  },
  {
    what: "archived by hand and accepted into the program, it is already archived",
    programs: [gate(50), archivedGate],
    between: hands.archives,
    shows: { headline: "it is already archived", risk: "low" },
  },
  {
    what: "a change of what somebody archived by hand fails",
    programs: [gate(50), gate(80)],
    between: hands.archives,
    shows: {
      headline: "will fail · it is archived: no unit gets it, before or after",
      outcome: {
        ...{ what: "fails" },
        why: expect.stringMatching(/^it was archived in the console; after `pulumi refresh`/),
      },
    },
    fails: /was archived in the console since the last refresh/,
  },
  {
    what: "what a create would collide with is told as what exists, and that the update fails",
    programs: ["", gate(50)],
    between: hands.creates,
    shows: {
      ...{ headline: expect.stringMatching(/^will fail · exists/), inConsole: "in use" },
      outcome: { what: "fails", why: expect.stringMatching(/gate "loop" exists already/) },
    },
    counts: { acts: {} },
    fails: /exists already/,
  },
  {
    what: "a new object whose key is archived is told as what exists, archived",
    programs: ["", gate(50)],
    between: hands.createsAndArchives,
    shows: { headline: expect.stringMatching(/^will fail · exists, archived/), inConsole: "archived" },
    fails: /exists already and is archived/,
  },
  {
    what: "what the console has already is told as that",
    programs: [gate(50), gate(80)],
    between: sets(80),
    shows: { headline: "the console has it already", outcome: { what: "left" }, risk: "low" },
  },
  {
    what: "a replacement of a gate that somebody archived brings it back",
    programs: [gate(50), gate(50)],
    between: hands.archives,
    change: replaced("replace"),
    shows: {
      ...{ act: "restore", outcome: { what: "changes" }, inConsole: "archived" },
      headline: "back from the archive · nobody → 50 % of everyone",
    },
  },
  {
    what: "a replacement of a gate that somebody deleted makes it new",
    programs: [gate(50), gate(50)],
    between: hands.deletes,
    change: replaced("replace"),
    shows: {
      ...{ act: "create", outcome: { what: "changes" }, inConsole: "nothing" },
      headline: 'new · all environments: 50 % of everyone (rule "All")',
    },
  },
  {
    what: "what is deleted before it is replaced under the same key goes to the archive and back",
    programs: [gate(50), gate(80)],
    change: replaced("delete-replaced", "replace", "create-replacement"),
    shows: { act: "replace", replacement: "revived" },
  },
  {
    what: "what another stack has adopted stays, as the preview shows offline",
    programs: [gate(50), ""],
    isOffline: true,
    change: withLine(
      'gate "loop" is no longer in the program. The journal shows that another stack created it anew on 2026-11-21: "pulumi up" leaves it as it is.',
    ),
    shows: {
      headline: "another stack created it anew on 2026-11-21: it stays as it is, and this stack forgets it",
      outcome: { what: "left" },
    },
  },
];

test.each(rows.map((row) => [row.what, row] as const))(
  "%s",
  async (_, { programs, shows, counts, fails, ...around }) => {
    const review = await reported(...programs, around);
    expect(changeOf(review, id)).toMatchObject(shows);
    if (counts !== undefined) expect(review.counts).toMatchObject(counts);
    expect(review.willFail.length > 0).toBe(fails !== undefined);
    if (fails !== undefined) await expect(desk.up()).rejects.toThrow(fails);
  },
);

test("a gate that somebody deleted in the console is gone: no shares are told, and the update fails", async () => {
  const review = await reported(gate(50), gate(80), { between: hands.deletes });
  const change = changeOf(review, id);
  const why = "it is gone from the console; `pulumi up --refresh` makes it anew";
  expect(change).toMatchObject({
    headline: "will fail · it is gone from the console",
    ...{ outcome: { what: "fails", why }, inConsole: "nothing", tables: [], values: [], risk: "high" },
  });
  expect(factsOf(change)).toEqual([`high: this update will fail: ${why}`]);
  expect(review.willFail).toEqual([{ object: 'gate "loop"', why }]);
  expect(reviewMarkdown(review)).toContain(
    '**This update will fail.**\n\n- gate "loop": it is gone from the console; &#96;pulumi up --refresh&#96; makes it anew\n',
  );
  await expect(desk.up()).rejects.toThrow(/no longer there/);
});

test("a gate that its deletedWith has Pulumi forget stays live, and the report says why", async () => {
  const config = 'new fc.DynamicConfig("shop", {});';
  const forgotten = (text: string) => {
    const preview = JSON.parse(text) as { steps: { urn: string; oldState?: JsonObject }[] };
    const shop = preview.steps.find(({ urn }) => urn.endsWith("::shop"))?.urn;
    for (const { urn, oldState } of preview.steps)
      if (urn.endsWith("::loop")) Object.assign(oldState ?? {}, { deletedWith: shop });
    return JSON.stringify(preview);
  };
  const both = await reported(`${gate(33)}${config}`, "", { change: forgotten });
  expect(changeOf(both, id)).toMatchObject({ act: "release", risk: "medium" });
  expect(factsOf(changeOf(both, id))).toContain(
    'medium: it stays in the console as it is, and no program manages it any more: its deletedWith names "shop", which goes too',
  );
  expect(changeOf(both, "shop")).toMatchObject({ act: "archive" });
  const alone = await reported(`${gate(33)}${config}`, config, { change: forgotten });
  expect(changeOf(alone, id)).toMatchObject({ act: "archive" });
});

test("each report of removals says once that it does not know of other stacks, and the way", async () => {
  const { notes } = await reported(`${gate(50)} new fc.Gate("other", {});`, "");
  expect(notes.filter((note) => note.includes("another stack"))).toEqual([
    'It is not known whether another stack has adopted an object that goes here. If one has, first set onDelete: "retain" in an update of its own, or move the resource with `pulumi state move`.',
  ]);
});

test("offline the report says that changes in the console are not known", async () => {
  const review = await reported(gate(50), gate(80), { isOffline: true });
  expect(review.notes).toEqual([
    expect.stringMatching(/^It is not known whether these objects changed in the console /),
  ]);
  expect(changeOf(review, id).inConsole).toBe("not known");
});

test("a percentage that on-call set to 0 is told as the console has it, rated from there, and the update fails", async () => {
  const review = await reported(gate(50), gate(80), { between: sets(0) });
  const change = changeOf(review, id);
  expect(change.headline).toBe(
    'will fail · console now: "All" 0 %; all environments: 0 % → 80 % of everyone (rule "All")',
  );
  expect(change.risk).toBe("high");
  expect(factsOf(change)).toEqual(
    expect.arrayContaining([
      'high: console now: "All" 0 %, when this stack last saw it: 50 %',
      "high: 80 points more of everyone in all environments",
    ]),
  );
  expect(review.willFail).toEqual([
    {
      object: 'gate "loop"',
      why: 'the object changed in the console after this stack last saw it (ana@example.com, 2026-11-22 11:03 UTC), console now: "All" 0 %; `npx feature-console drift --accept loop` keeps the console\'s values, or `pulumi refresh` and preview again',
    },
  ]);
  await expect(desk.up()).rejects.toThrow(/changed in the console since it was last seen/);
});

test("with overwriteConsoleEdits the report says that the update overwrites it", async () => {
  const more = ", overwriteConsoleEdits: true";
  const change = changeOf(await reported(gate(50, more), gate(80, more), { between: sets(0) }), id);
  expect(change).toMatchObject({ outcome: { what: "changes" } });
  expect(factsOf(change)).toContain(
    'high: console now: "All" 0 %, when this stack last saw it: 50 %; this update overwrites it',
  );
  await desk.up();
});

test("whom a gate lets in that is switched off is told from the console, also where the program changes no rule", async () => {
  const off = gate(50).replace("isEnabled: true", "isEnabled: false");
  const told = async (share: number) =>
    changeOf(await reported(gate(50), off, { between: sets(share) }), id).headline;
  expect(await told(0)).toBe("is switched off: nobody passes");
  expect(await told(10)).toBe("is switched off: 10 % of everyone → nobody");
});

test.each([["isEnabled: true, "], [""], ['status: "In Progress", ']])(
  "a gate that was switched off by hand is off, before and after a ramp: {%s}",
  async (says) => {
    const program = (share: number) => gate(share).replace("isEnabled: true, ", says);
    const change = changeOf(await reported(program(50), program(80), { between: hands.disables }), id);
    expect(factsOf(change)).toContain("low: no effect while it is off: nobody passes, before or after");
    expect(factsOf(change).join()).not.toMatch(/points/);
    await desk.up();
    expect(await desk.raw.gate.get({ id })).toMatchObject({ isEnabled: false });
  },
);

test("what only replaceOnChanges or --replace replaces is changed in place", async () => {
  const change = changeOf(
    await reported(gate(50), gate(80), {
      change: replaced("create-replacement", "replace", "delete-replaced"),
    }),
    id,
  );
  expect(change).toMatchObject({
    ...{ act: "update", replacement: "in place" },
    headline: 'changed in place · all environments: 50 % → 80 % of everyone (rule "All")',
  });
  expect(factsOf(change)).toContain(
    "low: Pulumi calls it a replacement: it is changed in place, with its key and its history",
  );
});

test("what stays as it is and is not in the preview is the program's, by the stack's state", async () => {
  const asks =
    'new fc.Gate("pay_later", { rules: [{ name: "Asks", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: loop }] }] });';
  const program = (share: number) => `const loop = ${gate(share)} ${asks} new fc.Gate("third", {});`;
  const review = await reported(program(50), program(80), {
    change: (text) => {
      const preview = JSON.parse(text) as { steps: { op: string }[] };
      return JSON.stringify({ ...preview, steps: preview.steps.filter(({ op }) => op !== "same") });
    },
  });
  expect(changeOf(review, id).dependents).toEqual([{ object: 'gate "pay_later"', where: "program" }]);
  expect(review.notes).toEqual([]);
});

test("gates that reach a segment through another segment are told, with the way", async () => {
  const asks = (target: string) =>
    `rules: [{ name: "In", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: ${target} }] }] });`;
  const program = (mail: string) => `
const inner = new fc.Segment("inner", { type: "rule_based", rules: [{ name: "Mail", passPercentage: 100, conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["${mail}"] }] }] });
const outer = new fc.Segment("outer", { type: "rule_based", ${asks("inner")}
new fc.Gate("direct", { ${asks("inner")}
new fc.Gate("indirect", { ${asks("outer")}`;
  const change = changeOf(await reported(program("@a.example"), program("@b.example")), "inner");
  expect(change.dependents).toEqual([
    { object: 'segment "outer"', where: "program" },
    { object: 'gate "direct"', where: "program" },
    { object: 'gate "indirect"', where: "program", through: 'segment "outer"' },
  ]);
  expect(factsOf(change)).toContain(
    'info: segment "outer", gate "direct" and gate "indirect" (through segment "outer") depend on it',
  );
});

test("a notice of the preview that the update will fail stands on top", async () => {
  const why = 'gate "loop" is in use by gate "pay_later". Take the reference away first.';
  const review = await reported(gate(50), gate(80), {
    isOffline: true,
    change: withLine(`This update will fail: ${why}`, "This update will fail: the key can only read."),
  });
  expect(review.willFail).toEqual([{ object: 'gate "loop"', why }, { why: "the key can only read." }]);
  expect(changeOf(review, id).headline).toMatch(/^will fail · /);
  expect(reviewMarkdown(review)).toMatch(
    /## 1 flag change[^\n]*\n\n\*\*This update will fail\.\*\*\n\n- gate /,
  );
});

/** A preview with these lines of the provider. */
function withLine(...lines: readonly string[]) {
  const diagnostics = lines.map((message) => ({ severity: "info", message }));
  return (text: string) => JSON.stringify({ ...(JSON.parse(text) as object), diagnostics });
}

test("what another stack has adopted stays, as the journal shows", async () => {
  const review = await reported(gate(50), "", {
    between: async () => {
      const { resources } = await desk.stack.exported();
      const console = String(resources[0]?.outputs?.[consoleMember]);
      const ports = { home: desk.folder, stack: () => "theirs", now: () => desk.now };
      const entry = { at: Date.now(), did: "adopt" as const, made: id, self: "theirs", console };
      await fileJournal(console, ports).write('gate "loop"', entry);
    },
  });
  const change = changeOf(review, id);
  expect(change.headline).toMatch(
    /^another stack took it over on \d{4}-\d\d-\d\d: it stays as it is, and this stack forgets it$/,
  );
  expect(change).toMatchObject({ outcome: { what: "left" }, risk: "low", statements: [] });
  expect(review.counts).toMatchObject(isLeft);
  expect(review.notes.filter((note) => note.includes("another stack"))).toEqual([]);
});

const tag = (name: string) => `new fc.Tag("label", { name: ${JSON.stringify(name)}, description: "x" });`;

test.each([
  ['say "hi": now', "matches the program", "taken over from the console"],
  ["x: This update will fail: y", "matches the program", "taken over"],
  ["a is archived: would be brought back", "would change description", ""],
])("the name %s decides nothing of what the preview shows", async (name, says, begins) => {
  const change = withLine(`tag "${name}" exists: ${says}`);
  const review = await reported("", tag(name), { isOffline: true, change });
  expect(review.willFail).toEqual([]);
  expect(changeOf(review, name)).toMatchObject({ act: "adopt" });
  expect(changeOf(review, name).headline).toContain(begins);
});

test("a name with the words of a notice is no notice", async () => {
  const name = "The journal shows that another stack took it over on 2026-11-21: ";
  const review = await reported(tag(name), "", {
    isOffline: true,
    change: withLine(`tag "${name}" is used.`),
  });
  expect(changeOf(review, name).outcome).toMatchObject({ what: "changes" });
});

test("a gate that somebody switched off and that goes is told as one that nobody passes; offline, as state shows it", async () => {
  const silent = gate(50).replace("isEnabled: true, ", "");
  const change = changeOf(await reported(silent, "", { between: hands.disables }), id);
  expect(change.headline).toBe("to the archive");
  expect(change.facts.filter(({ about }) => about === "reach")).toEqual([]);
  const review = await desk.report({ isOffline: true });
  expect(changeOf(review, id).headline).toBe("to the archive · 50 % of everyone → nobody");
  expect(review.notes[0]).toMatch(/^It is not known whether these objects changed in the console /);
});

test("offline a new gate is not said to have nothing in its place, once for all", async () => {
  const review = await reported("", `${gate(50)} new fc.Gate("other", {});`, { isOffline: true });
  expect(review.notes).toEqual([
    "It is not known whether the console already has objects with the keys of the new ones: the report did not ask about them.",
  ]);
});

test.each([
  ['gate "loop" is archived: would be brought back', "restore", "back from the archive"],
  ['gate "loop" exists: would change rules (+1)', "adopt", "taken over from the console and set to"],
])("offline the report shows what the preview shows of a new gate: %s", async (line, act, begins) => {
  const review = await reported("", gate(50), { isOffline: true, change: withLine(line) });
  expect(changeOf(review, id)).toMatchObject({ act, headline: expect.stringContaining(begins) });
  expect(review.notes.filter((note) => note.includes("what is new"))).toEqual([]);
});

test("what comes back from the archive begins in use, though it was off", async () => {
  const config = (share: number) =>
    `new fc.DynamicConfig("loop", { defaultValue: { most: 1 }, rules: [{ name: "All", passPercentage: ${share}, returnValue: { most: 2 }, conditions: [{ type: "public" }] }] });`;
  const change = (text: string) => {
    const preview = JSON.parse(text) as { steps: { oldState: { outputs: JsonObject } }[] };
    for (const { oldState } of preview.steps)
      Object.assign(oldState.outputs, { isEnabled: false, status: "Archived", isArchived: true });
    return JSON.stringify(preview);
  };
  const loop = changeOf(await reported(config(50), config(80), { isOffline: true, change }), id);
  expect(loop.act).toBe("restore");
  expect([loop.headline, ...factsOf(loop)].join("\n")).not.toContain("no effect");
});
