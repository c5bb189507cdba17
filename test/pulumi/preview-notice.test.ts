import { describe, expect, test } from "@jest/globals";
// The classes tell of each kind how it ends.
import "../../src";
import type { DeclaredResource, PreviewFacts } from "../../src/provider/pulumi/previews/gone-resources";
import { elsewhereNotice, noticesOf } from "../../src/provider/pulumi/previews/preview-notice";
import { kinds } from "../../src/provider/pulumi/previews/stored-kinds";
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
  noticesOf({ declared, state: new Map(state), kinds, remote: new Set(), ...rest });
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
  ["an experiment is archived", [experiment("archived")], []],
  ["an experiment that is left goes on", [experiment("active", { onDelete: "retain" })], []],
  ["another kind has the key", [checkout], [declares("Segment", "new", { key: "checkout" })]],
])("a preview says nothing where %s", (_, ...facts) => {
  expect(notices(...facts)).toEqual([]);
});

describe("gone for good", () => {
  const forGood = (they: string) =>
    new RegExp(`^${they} no longer in the program\\. Deleting (it|them) is for good`);

  test("one segment", () => {
    expect(notices([vip], [])).toEqual([
      'segment "vip" is no longer in the program. Deleting it is for good: the console cannot bring it back. ' +
        'To leave it there, put it back with onDelete: "retain", run "pulumi up", then take it out.',
    ]);
  });

  test("several, of several kinds, in one line", () => {
    const metric = stored("Metric", "m", { name: "revenue", type: "sum" });
    expect(notices([vip, metric], [])).toEqual([
      expect.stringMatching(forGood('segment "vip", metric "revenue" are')),
    ]);
  });

  test("what each resource says about destroy decides", () => {
    const final = stored("Gate", "checkout", { onDelete: "delete" });
    expect(notices([final, old({ onDelete: "archive" })], [])).toEqual([
      expect.stringMatching(/^segment "vip" is no longer in the program. Archiving it is for good/),
      expect.stringMatching(forGood('gate "checkout" is')),
    ]);
    const running = experiment("active", { onDelete: "delete" });
    expect(notices([running], [])).toEqual([expect.stringContaining("Deleting it is for good")]);
  });

  test("a part of a component of this program, and what an early version stored", () => {
    const early = stored("Segment", "early", { __self: undefined });
    const [text] = notices([stored("Segment", "part", {}, shopPart), early], []);
    expect(text).toMatch(forGood('segment "part", segment "early" are'));
  });

  test("a resource of get, and an object of one name and another type, do not keep it", () => {
    expect(notices([vip], [keeps("Segment", "seen", { key: "vip" }, { isRead: true })])).toHaveLength(1);
    const [sum, mean] = ["sum", "mean"].map((type) => ({ name: "revenue", type }));
    expect(notices([stored("Metric", "m", sum)], [declares("Metric", "other", mean)])[0]).toContain(
      "is for good",
    );
  });

  test("twenty are named and the rest is counted", () => {
    const many = Array.from({ length: 23 }, (_, index) => stored("Segment", `segment_${index}`));
    const [text = "", ...more] = notices(many, []);
    expect(more).toEqual([]);
    expect(text).toContain(gone('segment "segment_19" and 3 more are'));
    expect(text).not.toContain("segment_20");
  });
});

describe("gone from the program, and kept in the console", () => {
  const shop = "urn:pulumi:dev::flags::aws:ec2:Instance::shop";
  const server: Stored = [shop, { type: "aws:ec2:Instance", outputs: {} }];
  const partOfShop = shop.replace("aws:ec2", "my:index:Shop$aws:ec2");
  const goesWith = (other: string) => new Map([[checkout[0], { deletedWith: other }]]);

  test("a gate whose deletedWith goes too is forgotten and stays live: said, also where others use it", () => {
    const endOptions = goesWith(shop);
    const said = (archive: string) =>
      `${gone('gate "checkout" is')}, nor is "shop", which its deletedWith names: "pulumi up" forgets it and leaves ` +
      `it in the console as it is. To ${archive} it, put it back without deletedWith, run "pulumi up", then take it out.`;
    expect(allNotices([checkout, server], [], { endOptions })).toEqual([said("archive")]);
    const user = keeps("Gate", "asker", asks("checkout", "passes_gate"));
    expect(allNotices([checkout, server], [user], { endOptions })).toEqual([said("archive")]);
    const final = stored("Gate", "checkout", { onDelete: "delete" });
    expect(allNotices([final, server], [], { endOptions })).toEqual([said("delete")]);
  });

  const [withShop, withVip] = [{ endOptions: goesWith(shop) }, { endOptions: goesWith(vip[0]) }];
  const ofOther = { endOptions: goesWith(partOfShop), remote: new Set(["my:index:Shop"]) };
  test.each<[string, ...Facts]>([
    ["stays", [checkout, server], [], { ...withShop, present: new Set([shop]) }],
    ["is of this package and stays", [checkout, vip], [keeps("Segment", "vip")], withVip],
    ["went long since", [checkout], [], withShop],
    ["is a part that another process declares", [checkout, [partOfShop, server[1]]], [], ofOther],
  ])("no more is said than that it goes where the other one %s", (_, ...facts) => {
    expect(allNotices(...facts)).toEqual([
      expect.stringContaining(`${gone('gate "checkout" is')}, and this preview cannot know`),
    ]);
  });

  test("what retainOnDelete or onDelete keeps is said to stay, where Pulumi shows a delete", () => {
    const stays = '"pulumi up" forgets it and leaves it in the console as it is, because of';
    const endOptions = new Map([[checkout[0], { retainOnDelete: true as const }]]);
    expect(allNotices([old({ onDelete: "retain" }), checkout], [], { endOptions })).toEqual([
      `${gone('segment "vip" is')}. ${stays} onDelete: "retain".`,
      `${gone('gate "checkout" is')}. ${stays} retainOnDelete.`,
    ]);
  });
});

describe("gone while something asks for it", () => {
  const refusal = (gate = "checkout") =>
    `${failing}: ${gone('segment "vip" is')}, and "pulumi up" cannot delete it while gate "${gate}" refers to it ` +
    `${unlessTargeted}. Take the reference away first; or put it back with forceDelete: true, run "pulumi up", then take it out.`;
  const asking = (outputs: object) => keeps("Gate", "checkout", outputs);
  const inConsole = (kind: string, id: string, values: object = {}) => ({ kind, id, values: { ...values } });

  test("what the program says decides, whatever state has", () => {
    for (const said of [asks("vip"), asks(["staff", "vip"], "fails_segment")])
      expect(notices([vip, checkout], [asking(said)])).toEqual([refusal()]);
    const before = stored("Gate", "checkout", asks("vip"));
    expect(notices([vip, before], [asking({ rules: [] })])[0]).not.toContain(failing);
  });

  test.each([
    ["a condition of another type", asks("vip", "passes_gate")],
    ["another segment", asks("staff")],
    ["rules that are not known yet", {}],
  ])("%s asks for something else", (_, outputs) => {
    expect(notices([vip, checkout], [asking(outputs)])[0]).not.toContain(failing);
  });

  test("what goes as well does not count, and what is left in the console does", () => {
    expect(notices([vip, stored("Gate", "checkout", asks("vip"))], [])[0]).not.toContain(failing);
    const retained = stored("Gate", "checkout", { ...asks("vip"), onDelete: "retain" });
    expect(notices([vip, retained], [])).toEqual([refusal()]);
  });

  test("with forceDelete, or archived, it is only for good", () => {
    const end = (more: object) => notices([old(more), checkout], [asking(asks("vip"))])[0];
    const text = /^segment "vip" is no longer in the program\. Deleting it is for good/;
    expect(end({ forceDelete: true })).toMatch(text);
    expect(end({ onDelete: "archive" })).toContain("Archiving it is for good");
  });

  test("objects that are not of this stack ask too; of those that are, the program tells", () => {
    const gates = { by_hand: "vip", checkout: "vip", other: "staff" };
    const live = [
      inConsole("segment", "vip"),
      ...Object.entries(gates).map(([id, segment]) => inConsole("gate", id, asks(segment))),
      inConsole("unheard", "of", asks("vip")),
    ];
    expect(notices([vip, checkout], [asking({ rules: [] })], { live })).toEqual([refusal("by_hand")]);
  });

  test("what get has read is not of this stack, in the program or dropped", () => {
    const live = [inConsole("segment", "vip"), inConsole("gate", "by_hand", asks("vip"))];
    const outputs = { key: "by_hand", ...asks("vip") };
    const seen = stored("Gate", "seen", { ...outputs, __self: undefined, __managed: [] });
    const read = keeps("Gate", "seen", outputs, { isRead: true });
    expect(notices([vip, seen], [], { live })).toEqual([refusal("by_hand")]);
    expect(notices([vip, seen], [read], { live })).toEqual([refusal("by_hand")]);
    expect(notices([vip, seen], [read])).toEqual([refusal("by_hand")]);
  });

  test("the others are still said to go for good", () => {
    expect(notices([vip, stored("Segment", "old"), checkout], [asking(asks("vip"))])).toEqual([
      refusal(),
      expect.stringMatching(/^segment "old" is no longer in the program. Deleting it is for good/),
    ]);
  });

  test("twenty texts, and the rest is counted", () => {
    const keys = Array.from({ length: 22 }, (_, index) => `segment_${index}`);
    const segments = keys.map((key) => stored("Segment", key));
    const said = notices(segments, [asking(asks(keys))]);
    expect(said).toHaveLength(21);
    expect(said[20]).toBe(`${failing}: of what is no longer in the program, others use 2 more objects.`);
  });

  const gateText = (asker: string) =>
    `${failing}: ${gone('gate "checkout" is')}, and "pulumi up" cannot archive it while gate "${asker}" refers to it ` +
    `${unlessTargeted}. Take the reference away first; or put it back with forceArchive: true, run "pulumi up", then take it out.`;
  const askingGate = keeps("Gate", "asker", asks("checkout", "passes_gate"));
  const asker = stored("Gate", "asker");
  const theirs = inConsole("gate", "theirs", asks("checkout", "fails_gate"));

  test("a gate that another gate asks for cannot be archived, of this program or of the console", () => {
    expect(notices([checkout, asker], [askingGate])).toEqual([gateText("asker")]);
    const live = [theirs, inConsole("gate", "checkout")];
    expect(notices([checkout], [], { live })).toEqual([gateText("theirs")]);
    // Somebody has deleted or archived it by hand.
    expect(notices([checkout], [], { live: [theirs] })).toEqual([]);
  });

  test("one that is left, or archived by force, is none of it; nor one of another resource", () => {
    for (const more of [{ onDelete: "retain" }, { forceArchive: true }])
      expect(notices([stored("Gate", "checkout", more), asker], [askingGate])).toEqual([]);
    const moved = declares("Gate", "checkout_2", { key: "checkout" }, { takesOver: true });
    expect(notices([checkout, asker], [askingGate, moved])).toEqual([]);
  });

  test("a layer with an experiment on it, by the id that its name makes", () => {
    const area = stored("Layer", "area", { key: undefined, name: "Checkout area" });
    const live = [inConsole("experiment", "theirs", { layerID: "checkout_area" })];
    expect(notices([area], [], { live })).toEqual([
      `${failing}: ${gone('layer "Checkout area" is')}, and "pulumi up" cannot delete it while experiment "theirs" refers to it ` +
        `${unlessTargeted}. Take the reference away first.`,
    ]);
    expect(notices([area], [], { live: [] })[0]).toContain("is for good");
  });
});

test("a running experiment ends for good, and its results stay in the archive", () => {
  expect(notices([experiment("active")], [])).toEqual([
    `${gone('experiment "colours" (active) is')}. Archiving ends it for good: nothing starts it again, and its ` +
      'results stay in the archive. To leave it running, put it back with onDelete: "retain", run "pulumi up", then take it out.',
  ]);
  const another = stored("Experiment", "sizes", { status: "active" });
  expect(notices([experiment("active"), another], [])[0]).toContain("Archiving ends them for good");
});

describe("another stack may have it", () => {
  const unknowable = (objects: string, it: string, they: string) =>
    `${gone(objects)}, and this preview cannot know whether another stack has adopted ${it}. If ${they} to stay, run "pulumi ` +
    'state move" or "pulumi state delete" before "pulumi up"; onDelete: "retain" counts once an "up" has put it into state.';

  test("is said of each removal, in one line", () => {
    expect(allNotices([checkout], [])).toEqual([unknowable('gate "checkout" is', "it", "it is")]);
    const [, text] = allNotices([checkout, vip], []);
    expect(text).toBe(unknowable('gate "checkout", segment "vip" are', "them", "they are"));
  });

  test("not of what the journal shows that another stack has: that stays", () => {
    const takers = new Map([[checkout[0], { at: Date.UTC(2026, 10, 23), did: "adopt" as const }]]);
    expect(allNotices([checkout], [], { takers })).toEqual([
      `${gone('gate "checkout" is')}. The journal shows that another stack took it over on 2026-11-23: "pulumi up" leaves it as it is.`,
    ]);
  });

  test("nor of what stays anyway, and of what up will refuse to delete", () => {
    expect(allNotices([stored("Gate", "left", { onDelete: "retain" })], [])).toEqual([
      expect.stringContaining(staysText),
    ]);
    expect(allNotices([vip, checkout], [keeps("Gate", "checkout", asks("vip"))])).toHaveLength(1);
  });
});

describe("renamed", () => {
  const former = stored("Gate", "old", { key: "checkout" });
  const renamed = (name: string, rest: Partial<DeclaredResource> = {}) =>
    notices([former], [declares("Gate", name, { key: "checkout" }, rest)]);

  test("without an alias, or with one that is misspelt: both names, and the alias", () => {
    const text =
      `${failing}: gate "checkout": state has it under the resource name "old", the program under "new". ` +
      'If it was renamed, set aliases: [{ name: "old" }].';
    expect(renamed("new")).toEqual([text]);
    expect(renamed("new", { aliases: [urn("Gate", "odl")] })).toEqual([text]);
  });

  test("a segment too, and nothing is said about its end", () => {
    expect(notices([vip], [declares("Segment", "vips", { key: "vip" })])).toEqual([
      expect.stringContaining('aliases: [{ name: "vip" }]'),
    ]);
  });

  test("into a component: the URN is the alias", () => {
    const place = urn("Gate", "old", shopPart);
    expect(renamed("old", { urn: place })).toEqual([
      `${failing}: gate "checkout": state has it under the URN "${former[0]}", the program under "${place}". ` +
        `If it was moved, set aliases: ["${former[0]}"].`,
    ]);
  });

  test("a name that holds what divides a URN", () => {
    const odd = stored("Gate", "a::b", { key: "checkout" });
    expect(notices([odd], [declares("Gate", "c", { key: "checkout" })])[0]).toContain(
      'the resource name "a::b"',
    );
  });
});

describe("elsewhere", () => {
  const here = new Set(["here", "explicit"]);
  const notice = (...state: Stored[]) =>
    elsewhereNotice({ state: new Map(state), kinds }, here, (object) => `${object} is in another console.`);
  const at = (console: unknown, key: string) => stored("Gate", key, { __console: console });

  test("is not said of what is here, nor of what does not tell", () => {
    const theirs: Stored = [foreign[0], { ...foreign[1], outputs: { __console: "there" } }];
    for (const state of [[], [at("here", "a"), at("explicit", "b"), at(undefined, "c")], [theirs]])
      expect(notice(...state)).toBeUndefined();
  });

  test("names one, several, and twenty of many", () => {
    expect(notice(at("there", "a"), at("here", "b"))).toBe('gate "a" is in another console.');
    const both = notice(at("there", "a"), at("there", "b"));
    expect(both).toBe('gate "a", as well as gate "b", is in another console.');
    const all = Array.from({ length: 60 }, (_, index) => at("there", `gate_${index}`));
    expect(notice(...all)).toContain('gate "gate_19" and 40 more, is in another console.');
    const environments = stored("Environments", "all", { key: undefined, __console: "there" });
    expect(notice(environments)).toBe("environment list is in another console.");
  });
});
