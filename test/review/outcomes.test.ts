import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { fileJournal } from "../../src/provider/pulumi/runs/journal";
import { consoleMember } from "../../src/provider/schema/internal";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { type Review, reviewMarkdown } from "../../src/tools/review";
import { changeOf, factsOf, ReviewDesk } from "./desk";

let api: ReviewDesk;
beforeEach(() => {
  api = new ReviewDesk();
});
afterEach(() => api.close());

interface Around {
  /** What happens in the console meanwhile. */
  readonly between?: () => Promise<unknown>;
  readonly isOffline?: boolean;
  readonly change?: (text: string) => string;
}

async function reported(before: string, after: string, around: Around = {}): Promise<Review> {
  await api.apply(before);
  api.now += 3_600_000;
  await around.between?.();
  api.write(after);
  return api.report(around);
}

const id = "loop";
const rules = (share: number) => [{ name: "All", passPercentage: share, conditions: [{ type: "public" }] }];
/** A gate; `more`: its other arguments, its state among them. */
const gate = (share: number, more: object = { isEnabled: true }) =>
  `new fc.Gate("loop", ${JSON.stringify({ ...more, rules: rules(share) })});`;

const creates = () => api.raw.gate.create({ body: { id, name: id, description: "Theirs" } });
const archives = () => api.raw.gate.archive({ id });
const createsArchived = () => creates().then(archives);
const launchedThenArchived = () =>
  creates()
    .then(() => api.raw.gate.launch({ id }))
    .then(archives);
const deletes = () => api.raw.gate.delete({ id });
const disables = () => api.raw.gate.disable({ id });
const sets = (share: number) => async () => {
  await api.edit(id, { rules: rules(share) });
  api.sign("gate", id, "ana@example.com");
};

interface Preview {
  readonly steps: readonly {
    readonly op: string;
    readonly urn: string;
    readonly oldState?: JsonObject;
    readonly newState?: JsonObject;
  }[];
}
const previewWith = (change: (preview: Preview) => object) => (text: string) => {
  const preview = JSON.parse(text) as Preview;
  return JSON.stringify({ ...preview, ...change(preview) });
};
/** A preview in which Pulumi replaces what stays, in these steps. */
const replaced = (...order: readonly string[]) =>
  previewWith(({ steps }) => ({ steps: steps.flatMap((step) => order.map((op) => ({ ...step, op }))) }));
const withLine = (...lines: readonly string[]) =>
  previewWith(() => ({ diagnostics: lines.map((message) => ({ severity: "info", message })) }));

type Programs = readonly [before: string, after: string, around?: Around];
const removal = (between?: Around["between"]): Programs => [gate(50), "", { between } as Around];
const rise = (between: Around["between"]): Programs => [gate(50), gate(80), { between } as Around];
const creation = (between: Around["between"]): Programs => ["", gate(50), { between } as Around];
const replacement = (between: Around["between"]): Programs => [
  gate(50),
  gate(50),
  { between, change: replaced("replace") } as Around,
];
/** Of a gate that another one made. */
const adoption = (live: number, share: number, isArchived = true): Programs => {
  const body = { id, name: id, rules: rules(live) };
  const between = () => api.raw.gate.create({ body }).then(isArchived ? archives : () => undefined);
  return ["", gate(share, { adopt: true }), { between }];
};
/** Of a gate that a stack archived, and whose rule asks for something that only the update makes. */
const returning = (stack: string): Programs => {
  const asks = (targetValue: string) => ({
    rules: [{ name: "In", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue }] }],
  });
  const body = { archiveReason: `Archived by the Pulumi stack ${stack}.` };
  const between = async () => {
    await api.raw.gate.create({ body: { id, name: id, ...asks("vip") } });
    await api.raw.gate.archive({ id, body });
  };
  const change = (text: string) => text.replaceAll('"targetValue":"vip"', `"targetValue":"${UNKNOWN}"`);
  return ["", `new fc.Gate("loop", ${JSON.stringify(asks("vip"))});`, { between, change }];
};
/** The same by the option of Pulumi, of which a preview shows no more than that there is one. */
const imported = ([before, after, around]: Programs): Programs => {
  const change = previewWith(({ steps }) => ({
    steps: steps.map((step) => ({ ...step, newState: withImport(step.newState) })),
  }));
  return [before, after.replace('"adopt":true,', '"__adopt":"loop",'), { ...around, change }];
};
const withImport = (state: JsonObject = {}) => ({ ...state, propertyDependencies: { __adopt: [] } });
/** A program whose preview found this in the console, reported without asking it. */
const unasked = ([before, after, around]: Programs, line: string): Programs => {
  const told = withLine(`gate "${id}" ${line}`);
  const change = (text: string) => told(around?.change?.(text) ?? text);
  return [before, after, { ...around, isOffline: true, change }];
};
const archival: Programs = [gate(50), gate(50, { status: "Archived" }), { between: archives }];
const archivalWithRise: Programs = [gate(50), gate(80, { status: "Archived" }), { between: archives }];
const order = replaced("delete-replaced", "replace", "create-replacement");
const inOrder: Programs = [gate(50), gate(80), { change: order }];

const left = { outcome: { what: "left" } };
const changes = { outcome: { what: "changes" } };
const failing = (why: RegExp) => ({ outcome: { what: "fails", why: expect.stringMatching(why) } });
const archivedSince = failing(/^it was archived in the console; after `pulumi refresh`/);
const staysArchived = /is archived: leave its other arguments, or set status/;
const unused = "it is archived: no unit gets it, before or after";
const noEffect = `will fail · ${unused}`;
const back = "back from the archive · nobody → 50 % of everyone";
const wider = 'all environments: 7 % → 50 % of everyone (rule "All")';
const setAnew = 'all environments: 50 % of everyone (rule "All")';
const fresh = 'new · all environments: 50 % of everyone (rule "All")';
const taken = { inConsole: "in use", ...failing(/gate "loop" exists already/) };
const archived = { inConsole: "archived" };
const restored = { act: "restore", ...changes, ...archived };
const made = { act: "create", ...changes, inConsole: "nothing" };
const revived = { act: "replace", replacement: "revived" };
const exists = /^will fail · exists/;
const existsArchived = /^will fail · exists, archived/;
const has = "the console has it already";
const isArchived = "it is already archived";
const isGone = "it is gone from the console already";
const low = { risk: "low" };

test("an open review counts as one of another change, unless this stack has opened it", async () => {
  const other = "medium: a review of another change is open in the console";
  const more = { reviews: "open", reviewSettings: { requiredReview: true } };
  const [first, second] = [gate(50, more), gate(80, more)];
  const body = { description: "Off", change: { is_enabled: false } };
  const between = () => api.raw.gate.createReview({ id, body: body as never });
  const facts = ({ changes: [one] }: Review) => (one === undefined ? [] : factsOf(one));
  expect(facts(await reported(first, second, { between }))).toContain(other);
  await api.up();
  expect(facts(await api.report())).not.toContain(other);
});

test("an empty list takes nothing from a new gate", async () => {
  const change = changeOf(await reported("", gate(50, { tags: [], targetApps: [] })), id);
  expect([change.headline, change.values]).toEqual([fresh, []]);
});

test("an option that the program no longer sets, of a gate that comes back: as state has it", async () => {
  const more = { status: "Archived", archiveReason: "Summer is over" };
  const { changes } = await reported(gate(50, more), gate(50));
  expect(changes[0]?.values).toContainEqual({ argument: "archiveReason", before: "Summer is over" });
});

test("a new config: everyone gets a value, and no rules make no table", async () => {
  const config = (name: string, rules: readonly object[]) =>
    `new fc.DynamicConfig("${name}", ${JSON.stringify({ defaultValue: { ms: 1 }, rules })});\n`;
  const rule = { name: "All", passPercentage: 100, returnValue: { ms: 2 }, conditions: [{ type: "public" }] };
  const review = await reported("", config("waits", [rule]) + config("plain", []));
  expect(changeOf(review, "waits").headline).toContain("all environments: everyone gets ms 2");
  expect(changeOf(review, "plain")).toMatchObject({ tables: [] });
});

test("offline, the report asked about none of the objects", async () => {
  const { notes } = await reported(gate(50), gate(80), { isOffline: true });
  expect(notes.join()).toMatch(/the report did not ask the console about them\.$/);
});

/** Programs, and what happens in the console; the headline, what else the report shows, and why the update fails, if it does. */
test.each<[what: string, Programs, headline: string | RegExp, shows: object, fails?: RegExp]>([
  ["the removal of what is gone", removal(deletes), isGone, { ...left, ...low }],
  ["a removal of what is archived", removal(archives), isArchived, { ...left, ...archived }],
  ["what is archived by hand and in the program", archival, isArchived, low],
  [
    "what is archived by hand, and in a program that changes it too",
    ...([
      archivalWithRise,
      `will fail · to the archive · ${unused}`,
      failing(staysArchived),
      staysArchived,
    ] as const),
  ],
  ["a change of what is archived", rise(archives), noEffect, archivedSince, /was archived in the console/],
  ["a create of what exists", creation(creates), exists, taken, /exists already/],
  ["one with an archived key", creation(createsArchived), existsArchived, archived, /and is archived/],
  ["what the console has already", rise(sets(80)), has, { ...left, ...low }],
  ["a replacement of a gate that somebody archived", replacement(archives), back, restored],
  [
    "a replacement in place of a gate in which somebody changed what the program did not",
    ...([
      [gate(50), gate(50), { between: sets(7), change: replaced("replace") }],
      "changed in place",
      { act: "update", replacement: "in place", ...changes, risk: "medium" },
    ] as const),
  ],
  [
    "a replacement in place of a gate in which somebody changed what the program changes too",
    ...([
      [gate(50), gate(80), { between: sets(7), change: replaced("replace") }],
      /^will fail · changed in place · console now: "All" 7 %; all environments: 7 % → 80 %/,
      { replacement: "in place", outcome: { what: "fails" } },
      /changed in the console since it was last seen/,
    ] as const),
  ],
  [
    "a replacement of a gate that somebody archived and that is another one in the program",
    ...([
      [gate(50), gate(80), { between: archives, change: replaced("replace") }],
      'back from the archive · nobody → 80 % of everyone; all environments: 50 % → 80 % of everyone (rule "All")',
      restored,
    ] as const),
  ],
  ["the return of a gate that asks what is new", returning("desk/test"), /^back from the archive/, restored],
  [
    "the return of a gate of somebody else that asks what is new",
    returning("desk/other"),
    /^exists, archived/,
    { outcome: { what: "not known" } },
  ],
  ["an adoption of an archived gate", adoption(7, 50), `${back}; ${wider}`, { ...restored, risk: "high" }],
  ["an adoption of one as the program sets it", adoption(50, 50), back, { ...restored, risk: "high" }],
  [
    "an adoption of an archived gate that had been launched: it begins anew",
    ["", gate(50, { adopt: true }), { between: launchedThenArchived }],
    'back from the archive · nobody → 50 % of everyone; all environments: new rule "All": 50 % of everyone',
    restored,
  ],
  ["the import of an archived gate", imported(adoption(7, 50)), `${back}; ${wider}`, restored],
  [
    "the import of a gate in use",
    imported(adoption(7, 50, false)),
    `taken over from the console · ${wider}`,
    changes,
  ],
  [
    "an adoption of an archived gate, of which only the preview knows that it is archived",
    unasked(adoption(7, 50), "is archived: would be brought back and would change rules (+1 −1)"),
    `${back}; ${setAnew}`,
    { ...restored, risk: "high" },
  ],
  [
    "an adoption of an archived gate whose rules nobody has seen",
    unasked(["", 'new fc.Gate("loop", { adopt: true });'], "is archived: would be brought back"),
    "back from the archive · nobody → whom its rules let in",
    { ...restored, risk: "high" },
  ],
  [
    "an adoption of a gate in use, of which only the preview knows that it is in use",
    unasked(adoption(7, 50, false), "exists: would change rules (+1 −1)"),
    `taken over from the console and set to: ${setAnew}`,
    { act: "adopt", ...changes, inConsole: "in use" },
  ],
  [
    "a gate that this stack archived, of which only the preview knows",
    unasked(creation(createsArchived), "is archived: would be brought back and would change rules (+1)"),
    `${back}; ${setAnew}`,
    { ...restored, risk: "high" },
  ],
  [
    "a replacement in place of a gate that somebody archived, of which only the preview knows",
    unasked(replacement(archives), "is archived: would be brought back"),
    back,
    restored,
  ],
  [
    "a replacement in place of a gate that somebody deleted, of which only the preview knows",
    unasked(replacement(deletes), "is gone: would be created anew."),
    fresh,
    made,
  ],
  ["an adoption of what is not there", ["", gate(50, { adopt: true })], fresh, made],
  ["a replacement of a gate that somebody deleted", replacement(deletes), fresh, made],
  ["what is deleted before it is replaced under its key", inOrder, /./, revived],
])("%s is told as that", async (_, programs, headline, shows, fails = undefined) => {
  const review = await reported(...programs);
  const told = typeof headline === "string" ? headline : expect.stringMatching(headline);
  expect(changeOf(review, id)).toMatchObject({ ...shows, headline: told });
  const { what } = changeOf(review, id).outcome;
  if (what !== "changes") expect(review.counts).toMatchObject({ outcomes: { [what]: 1 } });
  if (what !== "changes") expect(review.counts.acts).toEqual({});
  expect(review.willFail.length > 0).toBe(fails !== undefined);
  if (fails !== undefined) await expect(api.up()).rejects.toThrow(fails);
});

test("a gate that somebody deleted in the console is gone: no shares are told, and the update fails", async () => {
  const review = await reported(...rise(deletes));
  const change = changeOf(review, id);
  const why = "it is gone from the console; `pulumi up --refresh` makes it anew";
  expect(change).toMatchObject({
    headline: "will fail · it is gone from the console",
    ...{ outcome: { what: "fails", why }, inConsole: "nothing", tables: [], values: [], risk: "high" },
  });
  expect(factsOf(change)).toEqual([`high: this update will fail: ${why}`]);
  expect(review.willFail).toEqual([{ object: 'gate "loop"', why }]);
  expect(reviewMarkdown(review)).toContain(
    `**This update will fail.**\n\n- gate "loop": ${why.replaceAll("`", "&#96;")}\n`,
  );
  await expect(api.up()).rejects.toThrow(/no longer there/);
});

test("a gate that its deletedWith has Pulumi forget stays live, and the report says why", async () => {
  const config = 'new fc.DynamicConfig("shop", {});';
  const change = previewWith(({ steps }) => {
    const deletedWith = steps.find(({ urn }) => urn.endsWith("::shop"))?.urn;
    const forgotten = ({ oldState, ...step }: Preview["steps"][number]) =>
      step.urn.endsWith("::loop")
        ? { ...step, oldState: { ...oldState, deletedWith } }
        : { ...step, oldState };
    return { steps: steps.map(forgotten) };
  });
  const both = await reported(`${gate(33)}${config}`, "", { change });
  expect(changeOf(both, id)).toMatchObject({ act: "release", risk: "medium" });
  expect(factsOf(changeOf(both, id))).toContain(
    'medium: it stays in the console as it is, and no program manages it any more: its deletedWith names "shop", which goes too',
  );
  expect(changeOf(both, "shop").act).toBe("archive");
  const alone = await reported(`${gate(33)}${config}`, config, { change });
  expect(changeOf(alone, id).act).toBe("archive");
});

test.each<[string, Programs, (string | RegExp)[]]>([
  [
    "removals say once that it does not know of other stacks, and the way",
    [`${gate(50)} new fc.Gate("other", {});`, ""],
    [
      'It is not known whether another stack has adopted an object that goes here. If one has, first set onDelete: "retain" in an update of its own, or move the resource with `pulumi state move`.',
    ],
  ],
  [
    "changes say offline that changes in the console are not known",
    [gate(50), gate(80), { isOffline: true }],
    [/^It is not known whether these objects changed in the console /],
  ],
  [
    "new objects do not say offline that nothing is in their place, once for all",
    ["", `${gate(50)} new fc.Gate("other", {});`, { isOffline: true }],
    [
      "It is not known whether the console already has objects with the keys of the new ones: the report did not ask about them.",
    ],
  ],
])("reports of %s", async (_, programs, notes) => {
  const review = await reported(...programs);
  expect(review.notes).toEqual(notes.map((note) => expect.stringMatching(note)));
});

test("a percentage that on-call set to 0 is told as the console has it, rated from there, and the update fails", async () => {
  const review = await reported(...rise(sets(0)));
  const change = changeOf(review, id);
  expect(change).toMatchObject({
    headline: 'will fail · console now: "All" 0 %; all environments: 0 % → 80 % of everyone (rule "All")',
    risk: "high",
  });
  expect(factsOf(change)).toEqual(
    expect.arrayContaining([
      'high: console now: "All" 0 %, when this stack last saw it: 50 %',
      "high: +80 percentage points for everyone in all environments",
    ]),
  );
  const why =
    'the object changed in the console after this stack last saw it (ana@example.com, 2026-11-22 11:03 UTC), console now: "All" 0 %; to keep the console\'s values, set them in the program (TypeScript: `npx feature-console drift --accept loop`); otherwise type `pulumi refresh` and preview again';
  expect(review.willFail).toEqual([{ object: 'gate "loop"', why }]);
  await expect(api.up()).rejects.toThrow(/changed in the console since it was last seen/);
});

test("who set the percentage is told, also after a pipeline changed something else of the gate", async () => {
  const between = async () => {
    await sets(0)();
    await api.raw.gate.patch({ id, body: { description: "set by a pipeline" } });
  };
  const { willFail } = await reported(gate(50), gate(80), { between });
  expect(willFail.map(({ why }) => why)).toEqual([expect.stringContaining("last saw it (ana@example.com, ")]);
});

test("with overwriteConsoleEdits the report says that the update overwrites it", async () => {
  const overwriting = (share: number) => gate(share, { isEnabled: true, overwriteConsoleEdits: true });
  const change = changeOf(await reported(overwriting(50), overwriting(80), { between: sets(0) }), id);
  expect(change).toMatchObject(changes);
  expect(factsOf(change)).toContain(
    'high: console now: "All" 0 %, when this stack last saw it: 50 %; this update overwrites it',
  );
  await api.up();
});

test("whom a gate lets in that is switched off is told from the console, also where the program changes no rule", async () => {
  const told = async (share: number) => {
    const review = await reported(gate(50), gate(50, { isEnabled: false }), { between: sets(share) });
    return changeOf(review, id).headline;
  };
  expect(await told(0)).toBe("is switched off: nobody passes");
  expect(await told(10)).toBe("is switched off: 10 % of everyone → nobody");
});

test.each([{ isEnabled: true }, {}, { status: "In Progress" }])(
  "a gate that was switched off by hand is off, before and after a ramp: %j",
  async (says) => {
    const change = changeOf(await reported(gate(50, says), gate(80, says), { between: disables }), id);
    expect(factsOf(change)).toContain("low: no effect while it is off: nobody passes, before or after");
    expect(factsOf(change).join()).not.toMatch(/points/);
    await api.up();
    expect(await api.raw.gate.get({ id })).toMatchObject({ isEnabled: false });
  },
);

test("what only replaceOnChanges or --replace replaces is changed in place", async () => {
  const change = replaced("create-replacement", "replace", "delete-replaced");
  const told = changeOf(await reported(gate(50), gate(80), { change }), id);
  expect(told).toMatchObject({
    ...{ act: "update", replacement: "in place" },
    headline: 'changed in place · all environments: 50 % → 80 % of everyone (rule "All")',
  });
  expect(factsOf(told)).toContain(
    'low: gate "loop" is changed in place: a key can have one object at a time. deleteBeforeReplace: true takes it out of use first',
  );
});

test("replaced by --replace, a gate that only the preview finds keeps what the program no longer sets", async () => {
  const replacement = replaced("create-replacement", "replace", "delete-replaced");
  const finds = withLine('gate "loop" exists: matches the program');
  const change = (text: string) => finds(replacement(text));
  const told = await reported(gate(50, { description: "Old" }), gate(80), { change });
  expect(changeOf(told, id).headline).toBe(
    'changed in place · all environments: 50 % → 80 % of everyone (rule "All")',
  );
});

test("a look at an object that fails takes nothing from the other looks at it", async () => {
  const { transport } = api.emulator;
  const send = transport.send.bind(transport);
  const between = async () => {
    await sets(7)();
    // The list of gates has it: the look of the create alone asks for it.
    jest.spyOn(transport, "send").mockImplementation(async (request) => {
      const answer = await send(request);
      return new URL(request.url).pathname.endsWith(`/gates/${id}`) ? { ...answer, status: 403 } : answer;
    });
  };
  const review = await reported(gate(50), gate(80), { between, change: replaced("replace") });
  expect(review.notes).toContainEqual(expect.stringMatching(/^The console was not read: gate "loop": /));
  expect(changeOf(review, id).headline).toMatch(/^will fail · changed in place · console now: "All" 7 %; /);
});

/** Arguments by which an object asks another one. */
const asks = (type: string, target: string) =>
  `rules: [{ name: "In", passPercentage: 100, conditions: [{ type: "${type}", targetValue: ${target} }] }]`;

test("what stays as it is and is not in the preview is the program's, by the stack's state", async () => {
  const others = `new fc.Gate("pay_later", { ${asks("passes_gate", "loop")} }); new fc.Gate("third", {});`;
  const program = (share: number) => `const loop = ${gate(share)} ${others}`;
  const change = previewWith(({ steps }) => ({ steps: steps.filter(({ op }) => op !== "same") }));
  const review = await reported(program(50), program(80), { change });
  expect(changeOf(review, id).dependents).toEqual([{ object: 'gate "pay_later"', where: "program" }]);
  expect(review.notes).toEqual([]);
});

test("gates that reach a segment through another segment are told, with the way", async () => {
  const program = (mail: string) => `
const inner = new fc.Segment("inner", { type: "rule_based", rules: [{ name: "Mail", passPercentage: 100, conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["${mail}"] }] }] });
const outer = new fc.Segment("outer", { type: "rule_based", ${asks("passes_segment", "inner")} });
new fc.Gate("direct", { ${asks("passes_segment", "inner")} });
new fc.Gate("indirect", { ${asks("passes_segment", "outer")} });`;
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

const retained = previewWith(({ steps }) => ({
  steps: steps.map((step) => ({
    ...step,
    oldState: step.oldState && { ...step.oldState, retainOnDelete: true },
  })),
}));

test("what retainOnDelete keeps stays as it is, where it leaves the program and where another one takes its place", async () => {
  const gone = changeOf(await reported(gate(50), "", { change: retained }), id);
  expect(gone).toMatchObject({ act: "release", headline: "left to the console" });
  const change = (text: string) => retained(replaced("create-replacement", "delete-replaced")(text));
  const another = await reported(gate(50), `const key = "moved"; new fc.Gate("loop", { key });`, { change });
  const order = changeOf(another, "moved").facts.filter(({ about }) => about === "replacement");
  expect(order.map(({ text }) => text)).toEqual(['gate "moved" is created, and gate "loop" stays as it is']);
});

test("the last flag of a program, which no code of ours reports: an update that the console will refuse fails, told once", async () => {
  const asking = {
    name: "asks",
    rules: [{ ...rules(100)[0], conditions: [{ type: "passes_gate", targetValue: id }] }],
  };
  const between = () => api.raw.gate.create({ body: { id: "asks", ...asking } as never });
  const why =
    'gate "loop" is no longer in the program, and "pulumi up" cannot archive it while gate "asks" refers to it ' +
    "(a run with --target, or retainOnDelete, leaves it alone). Take the reference away first; or put it back with " +
    'forceArchive: true, run "pulumi up", then take it out.';
  const review = await reported(gate(50), "", { between });
  expect(review.willFail).toEqual([{ object: 'gate "loop"', why }]);
  expect(changeOf(review, id).headline).toBe("will fail · to the archive · 50 % of everyone → nobody");
  // A preview that reports it too adds nothing.
  const change = previewWith(() => ({
    diagnostics: [{ severity: "warning", message: `This update will fail: ${why}` }],
  }));
  const told = await api.report({ change });
  expect(told.willFail).toEqual(review.willFail);
  expect(told.notes).toEqual(review.notes);
});

test("what is left to the console uses others only while it is there", async () => {
  const user = `new fc.Gate("asks", { onDelete: "retain", rules: [{
    name: "All", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: "loop" }],
  }] });`;
  const there = await reported(gate(50) + user, "");
  expect(there.willFail).toEqual([{ object: 'gate "loop"', why: expect.stringContaining('gate "asks"') }]);
  await api.raw.gate.delete({ id: "asks" });
  expect((await api.report()).willFail).toEqual([]);
});

test("a resource that was renamed without an alias fails once", async () => {
  const why = 'gate "loop": state has it under the resource name "loop", the program under "renamed".';
  const renamed = gate(50).replace('"loop", {', '"renamed", { "key": "loop",');
  const review = await reported(gate(50), renamed, { change: withLine(`This update will fail: ${why}`) });
  expect(review.changes.map(({ act, outcome }) => [act, outcome.what])).toEqual([
    ["archive", "fails"],
    ["create", "fails"],
  ]);
  expect(review.willFail).toEqual([{ object: 'gate "loop"', why }]);
});

test("a notice of the preview that the update will fail stands on top", async () => {
  const why = 'gate "loop" is in use by gate "pay_later". Take the reference away first.';
  const change = withLine(`This update will fail: ${why}`, "This update will fail: the key can only read.");
  const review = await reported(gate(50), gate(80), { isOffline: true, change });
  expect(review.willFail).toEqual([{ object: 'gate "loop"', why }, { why: "the key can only read." }]);
  expect(changeOf(review, id).headline).toMatch(/^will fail · /);
  const top = /## 1 flag change[^\n]*\n\n\*\*This update will fail\.\*\*\n\n- gate /;
  expect(reviewMarkdown(review)).toMatch(top);
});

test("what another stack has adopted stays, as the journal shows", async () => {
  const adopts = async () => {
    const { resources } = await api.stack.exported();
    const console = String(resources[0]?.outputs?.[consoleMember]);
    const project = Object.assign(() => Promise.resolve(undefined), { known: () => undefined });
    const ports = { home: api.folder, stack: () => "theirs", now: () => api.now, project };
    const entry = { at: Date.now(), did: "adopt" as const, made: id, self: "theirs", console };
    await fileJournal(console, ports).write('gate "loop"', entry);
  };
  const review = await reported(...removal(adopts));
  expect(changeOf(review, id)).toMatchObject({ ...left, risk: "low", statements: [] });
  expect(changeOf(review, id).headline).toMatch(
    /^another stack took it over on \d{4}-\d\d-\d\d: it stays as it is, and this stack forgets it$/,
  );
  expect(review.counts).toMatchObject({ acts: {}, outcomes: { left: 1 } });
  expect(review.notes.filter((note) => note.includes("another stack"))).toEqual([]);
});

test.each(["delete", "retain"])(
  "what is archived and comes back under another resource name does not go with the former one: %s",
  async (onDelete) => {
    const renamed = `new fc.Gate("renamed", { key: "loop", rules: ${JSON.stringify(rules(50))} });`;
    const review = await reported(gate(50, { onDelete }), renamed, { between: archives });
    expect(review.changes.map(({ headline }) => headline).sort()).toEqual([
      "back from the archive · nobody → 50 % of everyone",
      'resource "renamed" takes its place: only its former resource goes',
    ]);
    await api.up();
    expect(await api.raw.gate.get({ id })).toMatchObject({ status: "In Progress" });
  },
);

const tag = (name: string) => `new fc.Tag("label", { name: ${JSON.stringify(name)}, description: "x" });`;

test.each([
  ['say "hi": now', "exists: matches the program"],
  ["x: This update will fail: y", "exists: matches the program"],
  ["a is archived: would be brought back", "exists: would change description"],
])("of the name %s nothing is read: the line about it is shown", async (name, says) => {
  const change = withLine(`tag "${name}" ${says}`);
  const review = await reported("", tag(name), { isOffline: true, change });
  expect(review.willFail).toEqual([]);
  expect(changeOf(review, name).notices).toEqual(name.includes('"') ? [] : [says]);
});

test("a gate that somebody switched off and that goes is told as one that nobody passes; offline, as state shows it", async () => {
  const change = changeOf(await reported(gate(50, {}), "", { between: disables }), id);
  expect(change.headline).toBe("to the archive");
  expect(change.facts.filter(({ about }) => about === "reach")).toEqual([]);
  const review = await api.report({ isOffline: true });
  expect(changeOf(review, id).headline).toBe("to the archive · 50 % of everyone → nobody");
});

test.each([
  ["restore", "is archived: would be brought back"],
  ["adopt", "exists: would change rules (+1)"],
])("offline the report of a new gate that exists is that of the preview: %s", async (act, says) => {
  const review = await reported("", gate(50), { isOffline: true, change: withLine(`gate "loop" ${says}`) });
  const change = changeOf(review, id);
  expect(change).toMatchObject({ act, notices: [says] });
  expect(factsOf(change)).toContain(
    act === "adopt"
      ? "medium: its present values are not known: the report did not ask the console"
      : "high: who is let in: nobody → 50 % of everyone",
  );
  expect(review.notes).toEqual([]);
});

const productionAlone = `new fc.Environments("environments", { environments: [
  { name: "production", isProduction: true, requiresReview: false, requiresReleasePipeline: false },
  { name: "canary", isProduction: false, requiresReview: false, requiresReleasePipeline: false },
] });`;

test("the environments of a project are taken over, and the change is that against what the console has", async () => {
  const change = changeOf(await reported("", productionAlone), "project");
  expect(change).toMatchObject({
    act: "adopt",
    inConsole: "in use",
    outcome: { what: "changes" },
    risk: "medium",
  });
  expect(change.headline).toMatch(
    /^taken over from the console · .*staging removed .*development removed .*canary .*\(new\)$/,
  );
  expect(factsOf(change)).toContainEqual(
    expect.stringMatching(/^medium: environments: "staging", "development" is removed/),
  );
});

test("a setting of the project is taken over with its value of the console", async () => {
  const settings = 'new fc.ProjectSettings("settings", { defaultUnitType: "stableID" });';
  const change = changeOf(await reported("", settings), "project");
  expect(change).toMatchObject({ act: "adopt", risk: "medium" });
  expect(change.headline).toBe("taken over from the console · default unit type userID → stableID");
});

test("a connection that no request reads is taken over, as it may be there", async () => {
  const connection =
    'new fc.WarehouseConnection("warehouse", { snowflake: { accountName: "a", serviceUserName: "s" } });';
  const change = changeOf(await reported("", connection), "project");
  expect(change).toMatchObject({ act: "adopt", risk: "medium" });
  expect(factsOf(change)).toContain(
    "medium: an object that exists comes under the program, which overwrites what differs",
  );
});

test("a place of a rule that a person set and no program: it stays, and the report shows no change of it", async () => {
  const all = { name: "All", passPercentage: 50, conditions: [{ type: "public" }] };
  const staff = { name: "Staff", passPercentage: 80, conditions: [{ type: "country", targetValue: ["NZ"] }] };
  const ordered = (...list: readonly object[]) => `new fc.Gate("loop", ${JSON.stringify({ rules: list })});`;
  const inProduction = { ...staff, environments: ["production"] };
  const between = () => api.edit(id, { rules: [all, inProduction] });
  const change = changeOf(await reported(ordered(all, staff), ordered(staff, all), { between }), id);
  expect(change.headline).not.toContain("instead of production");
  expect(change.headline).toContain('rule "Staff" now reaches users in NZ in production');
  await api.up();
  expect(await api.raw.gate.get({ id })).toMatchObject({ rules: [inProduction, all] });
});

test("another object under the key fails the update, also where what the program sets there is known only later", async () => {
  const asks = (more: object) => {
    const conditions = [{ type: "passes_segment", targetValue: "vip" }];
    return `new fc.Gate("loop", ${JSON.stringify({ ...more, rules: [{ name: "In", passPercentage: 100, conditions }] })});`;
  };
  const between = async () => {
    await deletes();
    await api.raw.gate.create({ body: { id, name: id, rules: rules(7) } });
  };
  const open = (state: unknown) => JSON.parse(JSON.stringify(state).replace('"vip"', `"${UNKNOWN}"`));
  const change = previewWith(({ steps }) => ({
    steps: steps.map((step) => ({ ...step, newState: open(step.newState) })),
  }));
  const review = await reported(asks({}), asks({ description: "New" }), { between, change });
  expect(changeOf(review, id)).toMatchObject(failing(/^it is another object than the one in state/));
});

test("what an update brings back from the archive is off, if it was off there", async () => {
  await api.apply(gate(50, {}));
  await api.raw.gate.launch({ id });
  await archives();
  await api.refresh();
  api.write(gate(80, {}));
  for (const isOffline of [false, true])
    expect(changeOf(await api.report({ isOffline }), id).headline).toMatch(
      /^back from the archive · no effect while it is off; /,
    );
  await api.up();
  expect(await api.raw.gate.get({ id })).toMatchObject({ status: "Disabled", isEnabled: false });
});
