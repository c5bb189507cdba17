import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { fileJournal } from "../../src/provider/pulumi/runs/journal";
import { consoleMember } from "../../src/provider/schema/internal";
import type { JsonObject } from "../../src/provider/schema/json";
import {
  askConsole,
  type Change,
  hidesSame,
  makeReview,
  type Review,
  readPreview,
  reviewMarkdown,
  subjectsOf,
} from "../../src/tools/review";
import { ReviewDesk } from "./desk";

jest.setTimeout(60_000);

let desk: ReviewDesk;
beforeEach(() => {
  desk = new ReviewDesk();
});
afterEach(() => desk.close());

/** Applies one program, and reports the preview of another; `between`: what happens in the console meanwhile. */
async function reported(
  before: string,
  after: string,
  { between = async () => {}, offline = false, change = (text: string) => text } = {},
): Promise<Review> {
  desk.write(before);
  await desk.up();
  desk.now += 3_600_000;
  await between();
  desk.write(after);
  const preview = readPreview(change(await desk.previewText()));
  const subjects = subjectsOf(preview);
  if (offline) return makeReview(preview, subjects);
  const found = await askConsole(
    { subjects, stackName: "desk/test", hidesSame: hidesSame(preview) },
    {
      stack: desk.stack,
      process: {
        transport: desk.emulator.transport,
        environment: () => ({}),
        report: () => {},
        folder: desk.folder,
      },
      progress: () => {},
    },
  );
  return makeReview(preview, subjects, found);
}

const changeOf = ({ changes }: Review, called: string) =>
  changes.find((one) => one.called === called) as Change;
const factsOf = (change: Change) => change.facts.map(({ level, text }) => `${level}: ${text}`);

const gate = (share: number, more = "") =>
  `new fc.Gate("loop", { isEnabled: true${more}, rules: [{ name: "All", passPercentage: ${share}, conditions: [{ type: "public" }] }] });`;
const running =
  'new fc.Experiment("colour", { status: "active", groups: [{ name: "a", size: 50, parameterValues: { c: "red" } }, { name: "b", size: 50, parameterValues: { c: "blue" } }] });';

test("a gate that somebody deleted in the console is gone: no shares are told, and the update fails", async () => {
  const review = await reported(gate(50), gate(80), {
    between: async () => void (await desk.raw.gate.delete({ id: "loop" } as never)),
  });
  const change = changeOf(review, "loop");
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
  expect(changeOf(both, "loop")).toMatchObject({ act: "release", risk: "medium" });
  expect(factsOf(changeOf(both, "loop"))).toContain(
    'medium: it stays in the console as it is, and no program manages it any more: its deletedWith names "shop", which goes too',
  );
  expect(changeOf(both, "shop")).toMatchObject({ act: "archive" });
  const alone = await reported(`${gate(33)}${config}`, config, { change: forgotten });
  expect(changeOf(alone, "loop")).toMatchObject({ act: "archive" });
});

test("the removal of what is gone already does nothing", async () => {
  const review = await reported(gate(50), "", {
    between: async () => void (await desk.raw.gate.delete({ id: "loop" } as never)),
  });
  expect(changeOf(review, "loop")).toMatchObject({
    ...{ headline: "it is gone from the console already", outcome: { what: "left" }, risk: "low" },
  });
  expect(review.counts).toMatchObject({ acts: {}, outcomes: { left: 1 } });
});

test("the removal of what somebody archived by hand says that it is archived", async () => {
  const review = await reported(gate(50), "", {
    between: async () => void (await desk.raw.gate.archive({ id: "loop" } as never)),
  });
  expect(changeOf(review, "loop")).toMatchObject({
    headline: "it is already archived",
    ...{ outcome: { what: "left", why: "it is already archived" }, inConsole: "archived" },
  });
});

test("archived by hand and accepted into the program, it is already archived", async () => {
  const review = await reported(gate(50), gate(50).replace("isEnabled: true", 'status: "Archived"'), {
    between: async () => void (await desk.raw.gate.archive({ id: "loop" } as never)),
  });
  expect(changeOf(review, "loop")).toMatchObject({ headline: "it is already archived", risk: "low" });
});

test("a change of what somebody archived by hand fails", async () => {
  const review = await reported(gate(50), gate(80), {
    between: async () => void (await desk.raw.gate.archive({ id: "loop" } as never)),
  });
  expect(changeOf(review, "loop")).toMatchObject({
    headline: "will fail · it is archived: no unit gets it, before or after",
    outcome: {
      what: "fails",
      why: expect.stringMatching(/^it was archived in the console; after `pulumi refresh`/),
    },
  });
  await expect(desk.up()).rejects.toThrow(/was archived in the console since the last refresh/);
});

test("what a create would collide with is told as what exists, and that the update fails", async () => {
  const review = await reported("", gate(50), {
    between: async () =>
      void (await desk.raw.gate.create({
        body: { id: "loop", name: "loop", description: "Theirs" } as never,
      })),
  });
  const change = changeOf(review, "loop");
  expect(change.headline).toMatch(/^will fail · exists/);
  expect(change).toMatchObject({ inConsole: "in use", outcome: { what: "fails" } });
  expect(change.outcome.why).toMatch(/gate "loop" exists already/);
  expect(review.counts.acts).toEqual({});
  await expect(desk.up()).rejects.toThrow(/exists already/);
});

test("a new object whose key is archived is told as what exists, archived", async () => {
  const review = await reported("", gate(50), {
    between: async () => {
      await desk.raw.gate.create({ body: { id: "loop", name: "loop", description: "Theirs" } as never });
      await desk.raw.gate.archive({ id: "loop" } as never);
    },
  });
  const change = changeOf(review, "loop");
  expect(change.headline).toMatch(/^will fail · exists, archived/);
  expect(change.inConsole).toBe("archived");
});

test("a running experiment that goes ends for good, and its results stay in the archive", async () => {
  const review = await reported(running, "");
  const change = changeOf(review, "colour");
  expect(change.headline).toBe(
    "to the archive · ends for good, its results stay in the archive: no unit is in a group of it any more",
  );
  expect(factsOf(change)).toContain(
    "high: it ends for good and cannot run again: its results stay in the archive",
  );
});

test("each report of removals says once that it does not know of other stacks, and the way", async () => {
  const review = await reported(`${gate(50)} new fc.Gate("other", {});`, "");
  const notes = review.notes.filter((note) => note.includes("another stack"));
  expect(notes).toEqual([
    'It is not known whether another stack has adopted an object that goes here. If one has, first set onDelete: "retain" in an update of its own, or move the resource with `pulumi state move`.',
  ]);
});

test("offline the report says that changes in the console are not known", async () => {
  const review = await reported(gate(50), gate(80), { offline: true });
  expect(review.notes).toEqual([
    expect.stringMatching(/^It is not known whether these objects changed in the console /),
  ]);
  expect(changeOf(review, "loop").inConsole).toBe("not known");
});

const byHand = (share: number) => async () => {
  const rules = [{ name: "All", passPercentage: share, conditions: [{ type: "public" }] }];
  await desk.raw.gate.patch({ id: "loop", body: { rules } } as never);
  desk.sign("gate", "loop", "ana@example.com");
};

test("a percentage that on-call set to 0 is told as the console has it, rated from there, and the update fails", async () => {
  const review = await reported(gate(50), gate(80), { between: byHand(0) });
  const change = changeOf(review, "loop");
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
  const review = await reported(gate(50, more), gate(80, more), { between: byHand(0) });
  const change = changeOf(review, "loop");
  expect(change).toMatchObject({ outcome: { what: "changes" } });
  expect(factsOf(change)).toContain(
    'high: console now: "All" 0 %, when this stack last saw it: 50 %; this update overwrites it',
  );
  await desk.up();
});

test("whom a gate lets in that is switched off is told from the console, also where the program changes no rule", async () => {
  const off = gate(50).replace("isEnabled: true", "isEnabled: false");
  const review = await reported(gate(50), off, { between: byHand(0) });
  expect(changeOf(review, "loop").headline).toBe("is switched off: nobody passes");
  const less = await reported(gate(50), off, { between: byHand(10) });
  expect(changeOf(less, "loop").headline).toBe("is switched off: 10 % of everyone → nobody");
});

test("what the console has already is told as that", async () => {
  const review = await reported(gate(50), gate(80), { between: byHand(80) });
  expect(changeOf(review, "loop")).toMatchObject({
    ...{ headline: "the console has it already", outcome: { what: "left" }, risk: "low" },
  });
});

test.each([
  ["isEnabled", gate(50), gate(80)],
  ...["", ', status: "In Progress"'].map((more) => [
    `no isEnabled${more}`,
    gate(50, more).replace("isEnabled: true, ", "").replace("isEnabled: true", ""),
    gate(80, more).replace("isEnabled: true, ", "").replace("isEnabled: true", ""),
  ]),
])(
  "a gate that was switched off by hand is off, before and after a ramp (%s)",
  async (_what, before, after) => {
    const clean = (text: string) => text.replace("{ ,", "{ ");
    const review = await reported(clean(before ?? ""), clean(after ?? ""), {
      between: async () => void (await desk.raw.gate.disable({ id: "loop" } as never)),
    });
    const change = changeOf(review, "loop");
    expect(factsOf(change)).toContain("low: no effect while it is off: nobody passes, before or after");
    expect(factsOf(change).join()).not.toMatch(/points/);
    await desk.up();
    const { isEnabled } = (await desk.raw.gate.get({ id: "loop" } as never)) as { isEnabled?: boolean };
    expect(isEnabled).toBe(false);
  },
);

/** A replacement as Pulumi's preview shows it. */
const replaced = (order: readonly string[]) => (text: string) => {
  const preview = JSON.parse(text) as { steps: { op: string }[] };
  const steps = preview.steps.flatMap((step) => order.map((op) => ({ ...step, op })));
  return JSON.stringify({ ...preview, steps });
};

test("what only replaceOnChanges or --replace replaces is changed in place", async () => {
  const review = await reported(gate(50), gate(80), {
    change: replaced(["create-replacement", "replace", "delete-replaced"]),
  });
  const change = changeOf(review, "loop");
  expect(change).toMatchObject({
    ...{ act: "update", replacement: "in place" },
    headline: 'changed in place · all environments: 50 % → 80 % of everyone (rule "All")',
  });
  expect(factsOf(change)).toContain(
    "low: Pulumi calls it a replacement: it is changed in place, with its key and its history",
  );
});

test("what is deleted before it is replaced under the same key goes to the archive and back", async () => {
  const review = await reported(gate(50), gate(80), {
    change: replaced(["delete-replaced", "replace", "create-replacement"]),
  });
  expect(changeOf(review, "loop")).toMatchObject({ act: "replace", replacement: "revived" });
});

test("what stays as it is and is not in the preview is the program's, by the stack's state", async () => {
  const asks = (name: string, target: string) =>
    `new fc.Gate("${name}", { rules: [{ name: "Asks", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: ${target} }] }] });`;
  const program = (share: number) =>
    `const loop = ${gate(share)} ${asks("pay_later", "loop")} new fc.Gate("third", {});`;
  const review = await reported(program(50), program(80), {
    change: (text) => {
      const preview = JSON.parse(text) as { steps: { op: string }[]; changeSummary: object };
      return JSON.stringify({ ...preview, steps: preview.steps.filter(({ op }) => op !== "same") });
    },
  });
  expect(changeOf(review, "loop").dependents).toEqual([{ object: 'gate "pay_later"', where: "program" }]);
  expect(review.notes).toEqual([]);
});

test("gates that reach a segment through another segment are told, with the way", async () => {
  const segment = (mail: string) => `
const inner = new fc.Segment("inner", { type: "rule_based", rules: [{ name: "Mail", passPercentage: 100, conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["${mail}"] }] }] });
const outer = new fc.Segment("outer", { type: "rule_based", rules: [{ name: "In", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: inner }] }] });
new fc.Gate("direct", { rules: [{ name: "In", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: inner }] }] });
new fc.Gate("indirect", { rules: [{ name: "In", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: outer }] }] });`;
  const change = changeOf(await reported(segment("@a.example"), segment("@b.example")), "inner");
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
  const say = (message: string) => ({ severity: "info", message });
  const review = await reported(gate(50), gate(80), {
    offline: true,
    change: (text) =>
      JSON.stringify({
        ...JSON.parse(text),
        diagnostics: [
          say(
            'This update will fail: gate "loop" is in use by gate "pay_later". Take the reference away first.',
          ),
          say("This update will fail: the key can only read."),
        ],
      }),
  });
  expect(review.willFail).toEqual([
    {
      object: 'gate "loop"',
      why: 'gate "loop" is in use by gate "pay_later". Take the reference away first.',
    },
    { why: "the key can only read." },
  ]);
  expect(changeOf(review, "loop").headline).toMatch(/^will fail · /);
  const [, , head] = reviewMarkdown(review).split("\n\n");
  expect(reviewMarkdown(review)).toMatch(
    /## 1 flag change[^\n]*\n\n\*\*This update will fail\.\*\*\n\n- gate /,
  );
  expect(head).toBeDefined();
});

const onKey = (rotation: string, more = "") =>
  `new fc.Key("ci", { description: "CI", type: "SERVER", rotation: "${rotation}"${more} });`;

test.each<[what: string, before: string, after: string, called: string, headline: string, fact: string]>([
  [
    "values of two groups of a running experiment that are swapped",
    running,
    running.replace('"red"', '"x"').replace('"blue"', '"red"').replace('"x"', '"blue"'),
    "colour",
    "groups: a.c red → blue, b.c blue → red",
    "medium: what units get by it changes",
  ],
  [
    "a number that becomes a text",
    'new fc.DynamicConfig("limits", { defaultValue: { big: 1 } });',
    'new fc.DynamicConfig("limits", { defaultValue: { big: "1" } });',
    "limits",
    'default value: big 1 → "1"',
    "medium: everyone gets another value: no rule gives one",
  ],
  [
    "another value of a key",
    onKey("1"),
    onKey("2"),
    "CI",
    "rotation 1 → 2: it gets another value, and the old one stops working at once (onRotation keep leaves it active)",
    "high: it gets another value, and the old one stops working at once (onRotation keep leaves it active)",
  ],
  [
    "another value of a key whose old one stays",
    onKey("1"),
    onKey("2", ', onRotation: "keep"'),
    "CI",
    "rotation 1 → 2: it gets another value, and the old one stays active (onRotation keep); on rotation keep",
    "medium: it gets another value, and the old one stays active (onRotation keep)",
  ],
  [
    "overrides that go",
    'new fc.Gate("loop", {}); new fc.GateOverrides("people", { gate: "loop", passingUserIDs: ["qa_1", "qa_2"] });',
    'new fc.Gate("loop", {});',
    "loop",
    "emptied · passing user ids: qa_1, qa_2 removed",
    "medium: its lists of units are emptied",
  ],
  [
    "a new gate that is off",
    "",
    'new fc.Gate("dark", { isEnabled: false });',
    "dark",
    "new · is switched off: nobody passes",
    "low: it is switched off",
  ],
  [
    "a new gate that is launched",
    "",
    'new fc.Gate("open", { status: "Launched" });',
    "open",
    "new · is launched: everyone gets it",
    "low: everyone gets it from now on: its rules no longer count",
  ],
])("%s: the report says so", async (_what, before, after, called, headline, fact) => {
  const change = changeOf(await reported(before, after), called);
  expect(change.headline).toBe(headline);
  expect(factsOf(change)).toContain(fact);
});

/** Preview text with a line of the provider in it. */
const withLine = (message: string) => (text: string) =>
  JSON.stringify({ ...(JSON.parse(text) as object), diagnostics: [{ severity: "info", message }] });

test("what another stack has adopted stays, as the journal shows", async () => {
  const review = await reported(gate(50), "", {
    between: async () => {
      const { resources } = await desk.stack.exported();
      const console = String(resources[0]?.outputs?.[consoleMember]);
      const ports = { home: desk.folder, stack: () => "theirs", now: () => desk.now };
      const entry = { at: Date.now(), did: "adopt" as const, made: "loop", self: "theirs", console };
      await fileJournal(console, ports).write('gate "loop"', entry);
    },
  });
  const change = changeOf(review, "loop");
  expect(change.headline).toMatch(
    /^another stack took it over on \d{4}-\d\d-\d\d: it stays as it is, and this stack forgets it$/,
  );
  expect(change).toMatchObject({ outcome: { what: "left" }, risk: "low", statements: [] });
  expect(review.counts).toMatchObject({ acts: {}, outcomes: { left: 1 } });
  expect(review.notes.filter((note) => note.includes("another stack"))).toEqual([]);
});

test("what another stack has adopted stays, as the preview shows offline", async () => {
  const line =
    'gate "loop" is no longer in the program. The journal shows that another stack created it anew on 2026-11-21: "pulumi up" leaves it as it is.';
  const review = await reported(gate(50), "", { offline: true, change: withLine(line) });
  expect(changeOf(review, "loop")).toMatchObject({
    headline: "another stack created it anew on 2026-11-21: it stays as it is, and this stack forgets it",
    outcome: { what: "left" },
  });
});

const tag = (name: string) => `new fc.Tag("label", { name: ${JSON.stringify(name)}, description: "x" });`;

test.each([
  ['say "hi": now', 'tag "say "hi": now" exists: matches the program', "taken over from the console"],
  [
    "x: This update will fail: y",
    'tag "x: This update will fail: y" exists: matches the program',
    "taken over",
  ],
  [
    "a is archived: would be brought back",
    'tag "a is archived: would be brought back" exists: would change description',
    "",
  ],
])("the name %s decides nothing of what the preview shows", async (name, line, begins) => {
  const review = await reported("", tag(name), { offline: true, change: withLine(line) });
  expect(review.willFail).toEqual([]);
  expect(changeOf(review, name)).toMatchObject({ act: "adopt" });
  expect(changeOf(review, name).headline).toContain(begins);
});

test("a name with the words of a notice is no notice", async () => {
  const name = "The journal shows that another stack took it over on 2026-11-21: ";
  const line = `tag "${name}" is used.`;
  const review = await reported(tag(name), "", { offline: true, change: withLine(line) });
  expect(changeOf(review, name).outcome).toMatchObject({ what: "changes" });
});

const stateless = gate(50).replace("isEnabled: true, ", "");
const disable = async () => void (await desk.raw.gate.disable({ id: "loop" } as never));

test("a gate that somebody switched off and that goes is told as one that nobody passes", async () => {
  const review = await reported(stateless, "", { between: disable });
  const change = changeOf(review, "loop");
  expect(change.headline).toBe("to the archive");
  expect(change.facts.filter(({ about }) => about === "reach")).toEqual([]);
});

test("a gate that its state alone shows as let in is told so offline", async () => {
  const review = await reported(stateless, "", { between: disable, offline: true });
  expect(changeOf(review, "loop").headline).toBe("to the archive · 50 % of everyone → nobody");
  expect(review.notes[0]).toMatch(/^It is not known whether these objects changed in the console /);
});

test("offline a new gate is not said to have nothing in its place, once for all", async () => {
  const review = await reported("", `${gate(50)} new fc.Gate("other", {});`, { offline: true });
  expect(review.notes).toEqual([
    "It is not known whether the console already has objects with the keys of the new ones: the report did not ask about them.",
  ]);
});

test.each([
  ['gate "loop" is archived: would be brought back', "restore", "back from the archive"],
  ['gate "loop" exists: would change rules (+1)', "adopt", "taken over from the console and set to"],
])("offline the report shows what the preview shows of a new gate: %s", async (line, act, begins) => {
  const review = await reported("", gate(50), { offline: true, change: withLine(line) });
  const change = changeOf(review, "loop");
  expect(change).toMatchObject({ act, headline: expect.stringContaining(begins) });
  expect(review.notes.filter((note) => note.includes("what is new"))).toEqual([]);
});

/** A preview in which Pulumi replaces the one resource that stays. */
const replacing = (text: string) => {
  const preview = JSON.parse(text) as { steps: { op: string }[] };
  const steps = preview.steps.map((step) => ({ ...step, op: "replace" }));
  return JSON.stringify({ ...preview, steps });
};

test("a replacement of a gate that somebody archived brings it back", async () => {
  const review = await reported(gate(50), gate(50), {
    between: async () => void (await desk.raw.gate.archive({ id: "loop" } as never)),
    change: replacing,
  });
  expect(changeOf(review, "loop")).toMatchObject({
    ...{ act: "restore", outcome: { what: "changes" }, inConsole: "archived" },
    headline: "back from the archive · nobody → 50 % of everyone",
  });
  expect(review.willFail).toEqual([]);
});

test("a replacement of a gate that somebody deleted makes it new", async () => {
  const review = await reported(gate(50), gate(50), {
    between: async () => void (await desk.raw.gate.delete({ id: "loop" } as never)),
    change: replacing,
  });
  expect(changeOf(review, "loop")).toMatchObject({
    ...{ act: "create", outcome: { what: "changes" }, inConsole: "nothing" },
    headline: 'new · all environments: 50 % of everyone (rule "All")',
  });
});

test("what comes back from the archive begins in use, though it was off", async () => {
  const config = (more: string) =>
    `new fc.DynamicConfig("loop", { ${more} defaultValue: { most: 1 }, rules: [{ name: "All", passPercentage: 50, returnValue: { most: 2 }, conditions: [{ type: "public" }] }] });`;
  const change = (text: string) => {
    const preview = JSON.parse(text) as { steps: { oldState: { outputs: JsonObject } }[] };
    for (const { oldState } of preview.steps)
      Object.assign(oldState.outputs, { isEnabled: false, status: "Archived", isArchived: true });
    return JSON.stringify(preview);
  };
  const review = await reported(config(""), config("").replace("50", "80"), { offline: true, change });
  const loop = changeOf(review, "loop");
  expect(loop.act).toBe("restore");
  expect(loop.headline).not.toContain("no effect");
  expect(factsOf(loop).join("\n")).not.toContain("no effect");
});
