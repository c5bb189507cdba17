import { describe, expect, test } from "@jest/globals";
// The classes make their kinds known.
import "../../src";
import { managedKind } from "../../src/provider/definitions";
import type { DeclaredResource, PreviewFacts } from "../../src/provider/pulumi/previews/gone-resources";
import { elsewhereNotice } from "../../src/provider/pulumi/previews/known-consoles";
import { noticesOf } from "../../src/provider/pulumi/previews/preview-notice";
import type { StoredResource } from "../../src/provider/pulumi/runs/stack-state";

const prefix = "pulumi-nodejs:dynamic/feature-console:";
const urn = (kind: string, name: string, parents = "") =>
  `urn:pulumi:dev::flags::${parents}${prefix}${kind}::${name}`;

type Stored = readonly [urn: string, StoredResource];

/** A resource in state, whose key is its name unless `outputs` have another. */
function stored(kind: string, name: string, outputs: object = {}, parents = ""): Stored {
  const made = { __self: `self of ${name}`, __managed: ["key"], key: name };
  return [urn(kind, name, parents), { type: prefix + kind, outputs: { ...made, ...outputs } }];
}

/** A resource of the program; `keeps` is one that state has, too. */
function declares(kind: string, name: string, outputs: object = {}, rest: Partial<DeclaredResource> = {}) {
  const usual = { isStored: false, isRead: false, takesOver: false, aliases: [] };
  return { ...usual, urn: urn(kind, name), type: prefix + kind, outputs: { key: name, ...outputs }, ...rest };
}
const keeps = (kind: string, name: string, outputs: object = {}, rest: Partial<DeclaredResource> = {}) =>
  declares(kind, name, outputs, { isStored: true, ...rest });

const asks = (id: unknown, type = "passes_segment") => ({
  rules: [{ name: "VIP", conditions: [{ type, targetValue: id }] }],
});

type Facts = [state: readonly Stored[], program: readonly DeclaredResource[], rest?: Partial<PreviewFacts>];

const allNotices = (...[state, declared, rest = {}]: Facts): string[] =>
  noticesOf({ declared, state: new Map(state), remote: new Set(), ...rest });
/** Of what its options keep. */
const staysText = 'because of onDelete: "retain".';
/** All but what is said of each removal. */
const notices = (...facts: Facts): string[] =>
  allNotices(...facts).filter(
    (text) => !text.includes("cannot know whether another stack") && !text.includes(staysText),
  );

const vip = stored("Segment", "vip");
const checkout = stored("Gate", "checkout");
const shopPart = "my:index:Shop$";
const inComponent = stored("Segment", "vip", {}, shopPart);
const failing = "This update will fail";
const unlessTargeted = "(a run with --target, or retainOnDelete, leaves it alone)";
const gone = (objects: string) => `${objects} no longer in the program`;

const old = (outputs: object) => stored("Segment", "vip", outputs);
const experiment = (status: string, more: object = {}) =>
  stored("Experiment", "colours", { status, ...more });
const foreign: Stored = ["urn:pulumi:dev::flags::aws:s3:Bucket::b", { type: "aws:s3:Bucket", outputs: {} }];
const alias = { aliases: [vip[0]] };
const vips = declares("Segment", "vips", { key: "vip" }, { takesOver: true });
const unknownKey = keeps("Segment", "vip", { key: undefined });
const staff = stored("Segment", "staff");

test.each<[string, ...Facts]>([
  ["nothing in state, nothing declared", [], []],
  ["everything is declared", [vip], [keeps("Segment", "vip")]],
  ["a new resource", [], [declares("Segment", "vip")]],
  ["a kind that destroy leaves alone", [stored("Environments", "all")], []],
  ["a resource of another package", [foreign], []],
  ["what get has read", [old({ __self: undefined, __managed: [] })], []],
  ["renamed with an alias", [vip], [keeps("Segment", "vips", { key: "vip" }, alias)]],
  ["renamed with an alias and replaced", [vip], [declares("Segment", "vips", {}, alias)]],
  ["its component passes an alias on", [inComponent], [keeps("Segment", "vip")]],
  ["its component passes an alias on, its key not known yet", [inComponent], [unknownKey]],
  ["another resource takes it over", [vip], [vips]],
  ["another resource has its key now", [vip, staff], [declares("Segment", "staff", { key: "vip" })]],
  ["a part of a component of another process", [inComponent], [], { remote: new Set(["my:index:Shop"]) }],
  ["it is in another console", [old({ __console: "there" })], [], { consoles: new Set(["here"]) }],
  ["an experiment has not begun", [experiment("setup")], []],
  ["an experiment has ended", [experiment("decision_made")], []],
  ["an experiment that is left goes on", [experiment("active", { onDelete: "retain" })], []],
  ["another kind has the key", [checkout], [declares("Segment", "new", { key: "checkout" })]],
])("a preview says nothing where %s", (_, ...facts) => {
  expect(notices(...facts)).toEqual([]);
});

/** Whole texts, or patterns of them. */
type Texts = readonly (string | RegExp)[];
const saying = (texts: Texts) =>
  texts.map((text) => (typeof text === "string" ? text : expect.stringMatching(text)));

/** A test for each row. */
const says = (title: string, of: typeof notices, rows: readonly (readonly [string, Texts, ...Facts])[]) =>
  test.each(rows)(title, (_, texts, ...facts) => expect(of(...facts)).toEqual(saying(texts)));

const putBack = 'put it back with onDelete: "retain", run "pulumi up", then take it out.';
const forGood = (they: string, how = "Deleting") =>
  new RegExp(`^${they} no longer in the program\\. ${how} (it|them) is for good`);
const metric = (type: string) => stored("Metric", "m", { name: "revenue", type });
const mean = declares("Metric", "other", { name: "revenue", type: "mean" });
const final = stored("Gate", "checkout", { onDelete: "delete" });
const early = stored("Segment", "early", { __self: undefined });
const part = stored("Segment", "part", {}, shopPart);
const ofGet = keeps("Segment", "seen", { key: "vip" }, { isRead: true });
const sizes = stored("Experiment", "sizes", { status: "active" });
const segments = (count: number) => Array.from({ length: count }, (_, at) => stored("Segment", `s_${at}`));
const oneForGood =
  'segment "vip" is no longer in the program. Deleting it is for good: the console cannot bring it back. ' +
  `To leave it there, ${putBack}`;
const endsForGood =
  `${gone('experiment "colours" (active) is')}. Archiving ends it for good: nothing starts it again, and its ` +
  `results stay in the archive. To leave it running, ${putBack}`;

says("gone for good: %s", notices, [
  ["one segment", [oneForGood], [vip], []],
  ["several kinds", [forGood('segment "vip", metric "revenue" are')], [vip, metric("sum")], []],
  ["archived", [forGood('segment "vip" is', "Archiving")], [old({ onDelete: "archive" })], []],
  ["deleted in spite of its kind", [forGood('gate "checkout" is')], [final], []],
  ["a running experiment", [endsForGood], [experiment("active")], []],
  ["several experiments", [/Archiving ends them for good/], [experiment("active"), sizes], []],
  ["an experiment deleted", [/Deleting it is for good/], [experiment("active", { onDelete: "delete" })], []],
  ["a part, and 0.1's", [forGood('segment "part", segment "early" are')], [part, early], []],
  ["a resource of get does not keep it", [forGood('segment "vip" is')], [vip], [ofGet]],
  ["nor does one of another type", [forGood('metric "revenue" is')], [metric("sum")], [mean]],
  ["twenty, and the rest is counted", [/, segment "s_19" and 3 more are no longer/], segments(23), []],
]);

describe("gone from the program, and kept in the console", () => {
  const shop = "urn:pulumi:dev::flags::aws:ec2:Instance::shop";
  const server: Stored = [shop, { type: "aws:ec2:Instance", outputs: {} }];
  const partOfShop = shop.replace("aws:ec2", "my:index:Shop$aws:ec2");
  const goesWith = (other: string) => new Map([[checkout[0], { deletedWith: other }]]);

  const forgotten = (archive: string) =>
    `${gone('gate "checkout" is')}, nor is "shop", which its deletedWith names: "pulumi up" forgets it and leaves ` +
    `it in the console as it is. To ${archive} it, put it back without deletedWith, run "pulumi up", then take it out.`;
  const unknown = /^gate "checkout" is no longer in the program, and this preview cannot know/;
  const user = keeps("Gate", "asker", asks("checkout", "passes_gate"));
  const stays = '"pulumi up" forgets it and leaves it in the console as it is, because of';
  const retained = { endOptions: new Map([[checkout[0], { isRetained: true as const }]]) };
  const [withShop, withVip] = [{ endOptions: goesWith(shop) }, { endOptions: goesWith(vip[0]) }];
  const ofOther = { endOptions: goesWith(partOfShop), remote: new Set(["my:index:Shop"]) };
  says("%s", allNotices, [
    ["its deletedWith goes too", [forgotten("archive")], [checkout, server], [], withShop],
    ["also where others use it", [forgotten("archive")], [checkout, server], [user], withShop],
    ["or it would be deleted", [forgotten("delete")], [final, server], [], withShop],
    ["not if that one stays", [unknown], [checkout, server], [], { ...withShop, present: new Set([shop]) }],
    ["nor if that one is ours and stays", [unknown], [checkout, vip], [keeps("Segment", "vip")], withVip],
    ["nor if that one went long since", [unknown], [checkout], [], withShop],
    ["nor if another process declares that one", [unknown], [checkout, [partOfShop, server[1]]], [], ofOther],
    [
      "onDelete and retainOnDelete, where Pulumi shows a delete",
      [
        `${gone('segment "vip" is')}. ${stays} onDelete: "retain".`,
        `${gone('gate "checkout" is')}. ${stays} retainOnDelete.`,
      ],
      ...([[old({ onDelete: "retain" }), checkout], [], retained] as const),
    ],
  ]);
});

describe("gone while something asks for it", () => {
  const refusal = (gate = "checkout") =>
    `${failing}: ${gone('segment "vip" is')}, and "pulumi up" cannot delete it while gate "${gate}" refers to it ` +
    `${unlessTargeted}. Take the reference away first; or put it back with forceDelete: true, run "pulumi up", then take it out.`;
  const asking = (outputs: object) => keeps("Gate", "checkout", outputs);
  const inConsole = (kind: string, id: string, values: object = {}) => ({
    ...{ definition: managedKind(kind), id },
    values: { ...values },
  });

  const usesVip = asking(asks("vip"));
  const storedUse = (more: object = {}) => stored("Gate", "checkout", { ...asks("vip"), ...more });
  const byHand = inConsole("gate", "by_hand", asks("vip"));
  const live = [inConsole("segment", "vip"), byHand];
  const others = [
    ["checkout", "vip"],
    ["other", "staff"],
  ].map(([id = "", one]) => inConsole("gate", id, asks(one)));
  const outputs = { key: "by_hand", ...asks("vip") };
  const seen = stored("Gate", "seen", { ...outputs, __self: undefined, __managed: [] });
  const read = keeps("Gate", "seen", outputs, { isRead: true });
  const [vipForGood, bothThere] = [forGood('segment "vip" is'), [vip, checkout]];
  const archived = old({ onDelete: "archive" });
  const uses = (id: unknown, type?: string) => asking(asks(id, type));
  const allLive = [...live, ...others, inConsole("tag", "of", asks("vip"))];
  const keys = segments(22).map((_, at) => `s_${at}`);
  const left = [vip, storedUse({ onDelete: "retain" })];
  const thereToo = [inConsole("segment", "vip"), inConsole("gate", "checkout", asks("vip"))];

  says("%s", notices, [
    ["by the program, whatever state has", [refusal()], bothThere, [usesVip]],
    ["as one of several", [refusal()], bothThere, [uses(["staff", "vip"], "fails_segment")]],
    ["in the state alone", [vipForGood], [vip, storedUse()], [asking({ rules: [] })]],
    ["a condition of another type", [vipForGood], bothThere, [uses("vip", "passes_gate")]],
    ["another segment", [vipForGood], bothThere, [uses("staff")]],
    ["rules that are not known yet", [vipForGood], bothThere, [asking({})]],
    ["it goes as well", [vipForGood], [vip, storedUse()], []],
    ["it is left in the console", [refusal()], left, [], { live: thereToo }],
    [
      "it would be left, and is gone by hand",
      [vipForGood],
      left,
      [],
      { live: [inConsole("segment", "vip")] },
    ],
    ["it would be left, and nobody has looked", [vipForGood], left, []],
    ["but forceDelete", [vipForGood], [old({ forceDelete: true }), checkout], [usesVip]],
    ["but archived", [forGood('segment "vip" is', "Archiving")], [archived, checkout], [usesVip]],
    ["somebody's", [refusal("by_hand")], bothThere, [asking({ rules: [] })], { live: allLive }],
    ["that get has read, dropped", [refusal("by_hand")], [vip, seen], [], { live }],
    ["that get has read", [refusal("by_hand")], [vip, seen], [read], { live }],
    ["that get has read, of the program alone", [refusal("by_hand")], [vip, seen], [read]],
    ["beside others", [refusal(), forGood('segment "s_0" is')], [...bothThere, ...segments(1)], [usesVip]],
  ]);

  test("twenty texts, and the rest is counted", () => {
    const said = notices(segments(22), [uses(keys)]);
    expect(said).toHaveLength(21);
    expect(said[20]).toBe(`${failing}: of what is no longer in the program, others use 2 more objects.`);
  });

  const gateText = (asker: string) =>
    `${failing}: ${gone('gate "checkout" is')}, and "pulumi up" cannot archive it while gate "${asker}" refers to it ` +
    `${unlessTargeted}. Take the reference away first; or put it back with forceArchive: true, run "pulumi up", then take it out.`;
  const askingGate = keeps("Gate", "asker", asks("checkout", "passes_gate"));
  const asker = stored("Gate", "asker");
  const theirs = inConsole("gate", "theirs", asks("checkout", "fails_gate"));
  const there = inConsole("gate", "checkout");

  const area = stored("Layer", "area", { key: undefined, name: "Checkout area" });
  const onArea = inConsole("experiment", "theirs", { layerID: "checkout_area" });
  const layerText =
    `${failing}: ${gone('layer "Checkout area" is')}, and "pulumi up" cannot delete it while experiment "theirs" refers to it ` +
    `${unlessTargeted}. Take the reference away first.`;
  const ended = (more: object) => [stored("Gate", "checkout", more), asker];
  const moved = declares("Gate", "checkout_2", { key: "checkout" }, { takesOver: true });

  says("%s", notices, [
    ["a gate of this program", [gateText("asker")], [checkout, asker], [askingGate]],
    ["one of the console", [gateText("theirs")], [checkout], [], { live: [theirs, there] }],
    ["one of the console, and it was archived by hand", [], [checkout], [], { live: [theirs] }],
    ["but it is left", [], ended({ onDelete: "retain" }), [askingGate]],
    ["but it is archived by force", [], ended({ forceArchive: true }), [askingGate]],
    ["but another resource has it", [], [checkout, asker], [askingGate, moved]],
    ["an experiment on a layer, by the id of its name", [layerText], [area], [], { live: [onArea] }],
    ["nothing on a layer", [forGood('layer "Checkout area" is')], [area], [], { live: [] }],
  ]);
});

describe("another stack may have it", () => {
  const unknowable = (objects: string, it: string, they: string) =>
    `${gone(objects)}, and this preview cannot know whether another stack has adopted ${it}. If ${they} to stay, run "pulumi ` +
    'state move" or "pulumi state delete" before "pulumi up"; onDelete: "retain" counts once an "up" has put it into state.';
  const all = unknowable('gate "checkout", segment "vip" are', "them", "they are");
  const takers = new Map([[checkout[0], { at: Date.UTC(2026, 10, 23), did: "adopt" as const }]]);
  const taken = `${gone('gate "checkout" is')}. The journal shows that another stack took it over on 2026-11-23: "pulumi up" leaves it as it is.`;
  const left = stored("Gate", "left", { onDelete: "retain" });
  const user = keeps("Gate", "checkout", asks("vip"));

  says("is said %s", allNotices, [
    ["of one", [unknowable('gate "checkout" is', "it", "it is")], [checkout], []],
    ["of all in one line", [forGood('segment "vip" is'), all], [checkout, vip], []],
    ["not of what the journal shows that another stack has", [taken], [checkout], [], { takers }],
    ["not of what stays anyway", [/because of onDelete: "retain"\.$/], [left], []],
    ["not of what up will refuse", [/^This update will fail/], [vip, checkout], [user]],
  ]);
});

describe("renamed", () => {
  const former = stored("Gate", "old", { key: "checkout" });
  const now = (name: string, rest: Partial<DeclaredResource> = {}) =>
    declares("Gate", name, { key: "checkout" }, rest);
  const text =
    `${failing}: gate "checkout": state has it under the resource name "old", the program under "new". ` +
    'If it was renamed, set aliases: [{ name: "old" }].';
  const place = urn("Gate", "old", shopPart);
  const movedText =
    `${failing}: gate "checkout": state has it under the URN "${former[0]}", the program under "${place}". ` +
    `If it was moved, set aliases: ["${former[0]}"].`;
  const odd = stored("Gate", "a::b", { key: "checkout" });
  const named = declares("Segment", "vips", { key: "vip" });

  says("%s", notices, [
    ["without an alias: both names, and the alias", [text], [former], [now("new")]],
    [
      "what is in use no more is in nobody's way",
      [],
      [former],
      [now("new")],
      { absent: new Set([former[0]]) },
    ],
    ["with one that is misspelt", [text], [former], [now("new", { aliases: [urn("Gate", "odl")] })]],
    ["a segment: nothing of its end", [/name: "vip" \}\]/], [vip], [named]],
    ["into a component: the URN is the alias", [movedText], [former], [now("old", { urn: place })]],
    ["a name that holds what divides a URN", [/the resource name "a::b"/], [odd], [now("c")]],
  ]);
});

describe("elsewhere", () => {
  const here = new Set(["here", "explicit"]);
  const notice = (...state: Stored[]) => elsewhereNotice(new Map(state), here);
  const at = (console: unknown, key: string) => stored("Gate", key, { __console: console });

  test("is not said of what is here, nor of what does not tell", () => {
    const theirs: Stored = [foreign[0], { ...foreign[1], outputs: { __console: "there" } }];
    expect(notice(at("here", "a"), at("explicit", "b"), at(undefined, "c"), theirs)).toBeUndefined();
  });

  test("names one, several, and twenty of many", () => {
    expect(notice(at("there", "a"), at("here", "b"))).toMatch(/^gate "a" is in another console than/);
    const both = notice(at("there", "a"), at("there", "b"));
    expect(both).toMatch(/^gate "a", as well as gate "b", is in another console than/);
    const all = Array.from({ length: 60 }, (_, index) => at("there", `gate_${index}`));
    expect(notice(...all)).toContain('gate "gate_19" and 40 more, is in another console than');
    const environments = stored("Environments", "all", { key: undefined, __console: "there" });
    expect(notice(environments)).toMatch(/^environment list "project" is in another console than/);
  });
});
