import { describe, expect, test } from "@jest/globals";
import { askingFor } from "../../src/provider/definitions/parts/condition";
import type {
  DeclaredResource,
  PreviewFacts,
  RemovalFacts,
} from "../../src/provider/pulumi/previews/gone-resources";
import { elsewhereNotice, noticesOf } from "../../src/provider/pulumi/previews/preview-notice";
import type { StoredResource } from "../../src/provider/pulumi/runs/stack-state";

const prefix = "pulumi-nodejs:dynamic/feature-console:";
const gate: RemovalFacts = {
  name: "gate",
  title: "gate",
  identity: ["key"],
  onDelete: "archive",
  final: ["delete"],
  usedBy: { kinds: ["gate"], conditions: askingFor("gate"), ways: ["archive", "delete"] },
  options: ["forceArchive", "forceDelete"],
};
const segment: RemovalFacts = {
  name: "segment",
  title: "segment",
  identity: ["key"],
  onDelete: "delete",
  final: ["delete", "archive"],
  usedBy: { kinds: ["gate", "segment"], conditions: askingFor("segment"), ways: ["delete"] },
  options: ["forceDelete"],
};
const layer: RemovalFacts = {
  name: "layer",
  title: "layer",
  identity: ["name"],
  naming: { how: "slug", argument: "name" },
  onDelete: "delete",
  final: ["delete"],
  usedBy: { kinds: ["experiment"], fields: ["layerID"], ways: ["delete"] },
};
const experiment: RemovalFacts = {
  name: "experiment",
  title: "experiment",
  identity: ["key"],
  onDelete: "archive",
  final: ["delete"],
  ends: { field: "status", values: ["active", "experiment_stopped"] },
};
const metric: RemovalFacts = {
  name: "metric",
  title: "metric",
  identity: ["name", "type"],
  onDelete: "delete",
  final: ["delete"],
};
const environments: RemovalFacts = {
  name: "environments",
  title: "environment list",
  identity: [],
  onDelete: "retain",
  final: [],
};
const kinds = new Map(
  Object.entries({
    ...{ Gate: gate, Segment: segment, Layer: layer, Experiment: experiment },
    ...{ Metric: metric, Environments: environments },
  }).map(([kind, facts]) => [prefix + kind, facts]),
);

const urn = (kind: string, name: string, parents = "") =>
  `urn:pulumi:dev::flags::${parents}${prefix}${kind}::${name}`;

type Stored = readonly [string, StoredResource];

function stored(kind: string, name: string, outputs: object, parents = ""): Stored {
  const self = { __self: `self of ${name}`, __managed: ["key"] };
  return [urn(kind, name, parents), { type: prefix + kind, outputs: { ...self, ...outputs } }];
}

function declared(
  kind: string,
  name: string,
  outputs: object,
  rest: Partial<DeclaredResource> = {},
): DeclaredResource {
  return {
    urn: urn(kind, name),
    type: prefix + kind,
    isStored: false,
    isRead: false,
    takesOver: false,
    aliases: [],
    outputs: { ...outputs },
    ...rest,
  };
}

const asks = (id: unknown, type = "passes_segment") => ({
  rules: [{ name: "VIP", conditions: [{ type, targetValue: id }] }],
});

function notices(
  state: readonly Stored[],
  program: readonly DeclaredResource[],
  rest: Partial<PreviewFacts> = {},
): string[] {
  return allNotices(state, program, rest).filter(
    (text) => !text.includes("cannot know whether another stack") && !text.includes(staysText),
  );
}

/** Of what its options keep. */
const staysText = 'because of onDelete: "retain".';

function allNotices(
  state: readonly Stored[],
  program: readonly DeclaredResource[],
  rest: Partial<PreviewFacts> = {},
): string[] {
  return noticesOf({ declared: program, state: new Map(state), kinds, remote: new Set(), ...rest });
}

const vip = stored("Segment", "vip", { key: "vip" });
const checkout = stored("Gate", "checkout", { key: "checkout" });

describe("quiet", () => {
  const parents = "my:index:Shop$";
  const inComponent = stored("Segment", "vip", { key: "vip" }, parents);
  const cases: [string, Stored[], DeclaredResource[], Partial<PreviewFacts>?][] = [
    ["nothing in state, nothing declared", [], []],
    ["everything is declared", [vip], [declared("Segment", "vip", { key: "vip" }, { isStored: true })]],
    ["a new resource", [], [declared("Segment", "vip", { key: "vip" })]],
    ["a kind that destroy leaves alone", [stored("Environments", "all", { environments: [] })], []],
    [
      "a resource of another package",
      [["urn:pulumi:dev::flags::aws:s3:Bucket::b", { type: "aws:s3:Bucket", outputs: {} }]],
      [],
    ],
    [
      "what get has read",
      [[urn("Segment", "vip"), { type: `${prefix}Segment`, outputs: { key: "vip", __managed: [] } }]],
      [],
    ],
    [
      "a resource renamed with an alias",
      [vip],
      [declared("Segment", "vips", { key: "vip" }, { isStored: true, aliases: [urn("Segment", "vip")] })],
    ],
    [
      "one renamed with an alias and replaced",
      [vip],
      [declared("Segment", "vips", { key: "vips" }, { aliases: [urn("Segment", "vip")] })],
    ],
    [
      "one whose component passes an alias on",
      [inComponent],
      [declared("Segment", "vip", { key: "vip" }, { isStored: true })],
    ],
    [
      "one whose component passes an alias on, and whose key is not known yet",
      [inComponent],
      [declared("Segment", "vip", {}, { isStored: true })],
    ],
    [
      "one that another resource takes over",
      [vip],
      [declared("Segment", "vips", { key: "vip" }, { takesOver: true })],
    ],
    [
      "one whose key another resource has now",
      [vip, stored("Segment", "staff", { key: "staff" })],
      [declared("Segment", "staff", { key: "vip" })],
    ],
    ["a part of a component of another process", [inComponent], [], { remote: new Set(["my:index:Shop"]) }],
    [
      "what is in another console",
      [stored("Segment", "vip", { key: "vip", __console: "there" })],
      [],
      { consoles: new Set(["here"]) },
    ],
  ];
  test.each(cases)("%s", (...[, state, program, rest]) => {
    expect(notices(state, program, rest)).toEqual([]);
  });
});

describe("gone for good", () => {
  test("one segment", () => {
    expect(notices([vip], [])).toEqual([
      'segment "vip" is no longer in the program. Deleting it is for good: the console cannot bring it back. ' +
        'To leave it there, put it back with onDelete: "retain", run "pulumi up", then take it out.',
    ]);
  });

  test("several, of several kinds, in one line", () => {
    const [text, ...more] = notices([vip, stored("Metric", "m", { name: "revenue", type: "sum" })], []);
    expect(more).toEqual([]);
    expect(text).toMatch(
      /^segment "vip", metric "revenue" are no longer in the program. Deleting them is for good/,
    );
  });

  test("what each resource says about destroy decides", () => {
    const said = notices(
      [
        stored("Gate", "checkout", { key: "checkout", onDelete: "delete" }),
        stored("Segment", "vip", { key: "vip", onDelete: "archive" }),
      ],
      [],
    );
    expect(said).toHaveLength(2);
    expect(said[0]).toMatch(/^segment "vip" is no longer in the program. Archiving it is for good/);
    expect(said[1]).toMatch(/^gate "checkout" is no longer in the program. Deleting it is for good/);
  });

  test("a part of a component of this program, and what an early version stored", () => {
    const part = stored("Segment", "part", { key: "part" }, "my:index:Shop$");
    const early = stored("Segment", "early", { key: "early", __self: undefined });
    expect(notices([part, early], [])[0]).toMatch(/^segment "part", segment "early" are no longer/);
  });

  test("a resource of get does not keep it", () => {
    const read = declared("Segment", "seen", { key: "vip" }, { isRead: true, isStored: true });
    expect(notices([vip], [read])).toHaveLength(1);
  });

  test("objects of one name and another type are others", () => {
    const sum = stored("Metric", "m", { name: "revenue", type: "sum" });
    const mean = declared("Metric", "other", { name: "revenue", type: "mean" });
    expect(notices([sum], [mean])[0]).toContain("is for good");
  });

  test("twenty are named and the rest is counted", () => {
    const many = Array.from({ length: 23 }, (_, index) =>
      stored("Segment", `s${index}`, { key: `segment_${index}` }),
    );
    const [text = "", ...more] = notices(many, []);
    expect(more).toEqual([]);
    expect(text).toContain('segment "segment_19" and 3 more are no longer in the program');
    expect(text).not.toContain("segment_20");
  });
});

describe("gone from the program, and kept in the console", () => {
  const shop = "urn:pulumi:dev::flags::aws:ec2:Instance::shop";
  const server: Stored = [shop, { type: "aws:ec2:Instance", outputs: {} }];
  const goesWith = (urn: string) => new Map([[checkout[0], { deletedWith: urn }]]);

  test("a gate whose deletedWith goes too is forgotten and stays live: said, also where others use it", () => {
    const endOptions = goesWith(shop);
    const said =
      'gate "checkout" is no longer in the program, nor is "shop", which its deletedWith names: "pulumi up" forgets it and leaves ' +
      'it in the console as it is. To archive it, put it back without deletedWith, run "pulumi up", then take it out.';
    expect(allNotices([checkout, server], [], { endOptions })).toEqual([said]);
    const user = declared(
      "Gate",
      "asker",
      { key: "asker", ...asks("checkout", "passes_gate") },
      { isStored: true },
    );
    expect(allNotices([checkout, server], [user], { endOptions })).toEqual([said]);
    const final = stored("Gate", "checkout", { key: "checkout", onDelete: "delete" });
    const [text, ...others] = allNotices([final, server], [], { endOptions });
    expect([text?.includes("To delete it, put it back without deletedWith"), others]).toEqual([true, []]);
  });

  test.each<[string, Stored[], DeclaredResource[], Partial<PreviewFacts>]>([
    ["stays", [checkout, server], [], { endOptions: goesWith(shop), present: new Set([shop]) }],
    [
      "is of this package and stays",
      [checkout, vip],
      [declared("Segment", "vip", { key: "vip" }, { isStored: true })],
      { endOptions: goesWith(vip[0]) },
    ],
    ["went long since", [checkout], [], { endOptions: goesWith(shop) }],
    [
      "is a part that another process declares",
      [checkout, [shop.replace("aws:ec2", "my:index:Shop$aws:ec2"), server[1]]],
      [],
      {
        endOptions: goesWith(shop.replace("aws:ec2", "my:index:Shop$aws:ec2")),
        remote: new Set(["my:index:Shop"]),
      },
    ],
  ])("no more is said than that it goes where the other one %s", (_, state, program, rest) => {
    const said = allNotices(state, program, rest);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('gate "checkout" is no longer in the program, and this preview cannot know');
  });

  test("what retainOnDelete or onDelete keeps is said to stay, where Pulumi shows a delete", () => {
    const retained = stored("Segment", "vip", { key: "vip", onDelete: "retain" });
    const endOptions = new Map([[checkout[0], { retainOnDelete: true as const }]]);
    expect(allNotices([retained, checkout], [], { endOptions })).toEqual([
      'segment "vip" is no longer in the program. "pulumi up" forgets it and leaves it in the console as it is, because of onDelete: "retain".',
      'gate "checkout" is no longer in the program. "pulumi up" forgets it and leaves it in the console as it is, because of retainOnDelete.',
    ]);
  });
});

describe("gone while something asks for it", () => {
  const refusal =
    'This update will fail: segment "vip" is no longer in the program, and "pulumi up" cannot delete it while gate "checkout" ' +
    "refers to it (a run with --target, or retainOnDelete, leaves it alone). Take the reference away first; or put it back with " +
    'forceDelete: true, run "pulumi up", then take it out.';
  const asking = (outputs: object) =>
    declared("Gate", "checkout", { key: "checkout", ...outputs }, { isStored: true });

  test("what the program says decides, whatever state has", () => {
    expect(notices([vip, checkout], [asking(asks("vip"))])).toEqual([refusal]);
    expect(notices([vip, checkout], [asking(asks(["staff", "vip"], "fails_segment"))])).toEqual([refusal]);
    const before = stored("Gate", "checkout", { key: "checkout", ...asks("vip") });
    expect(notices([vip, before], [asking({ rules: [] })])[0]).not.toContain("This update will fail");
  });

  test.each([
    ["a condition of another type", asks("vip", "passes_gate")],
    ["another segment", asks("staff")],
    ["rules that are not known yet", {}],
  ])("%s asks for something else", (_, outputs) => {
    expect(notices([vip, checkout], [asking(outputs)])[0]).not.toContain("This update will fail");
  });

  test("what goes as well does not count, and what is left in the console does", () => {
    const before = { key: "checkout", ...asks("vip") };
    expect(notices([vip, stored("Gate", "checkout", before)], [])[0]).not.toContain("This update will fail");
    const retained = stored("Gate", "checkout", { ...before, onDelete: "retain" });
    expect(notices([vip, retained], [])).toEqual([refusal]);
  });

  test("with forceDelete it is only for good", () => {
    const forced = stored("Segment", "vip", { key: "vip", forceDelete: true });
    expect(notices([forced, checkout], [asking(asks("vip"))])[0]).toMatch(/^segment "vip" is no longer/);
    expect(notices([forced, checkout], [asking(asks("vip"))])[0]).not.toContain("This update will fail");
  });

  test("an archived one may be asked for", () => {
    const archived = stored("Segment", "vip", { key: "vip", onDelete: "archive" });
    expect(notices([archived, checkout], [asking(asks("vip"))])[0]).toContain("Archiving it is for good");
  });

  test("objects that are not of this stack ask too; of those that are, the program tells", () => {
    const live = [
      { kind: "segment", id: "vip", values: {} },
      { kind: "gate", id: "by_hand", values: asks("vip") },
      { kind: "gate", id: "checkout", values: asks("vip") },
      { kind: "gate", id: "other", values: asks("staff") },
      { kind: "unheard", id: "of", values: asks("vip") },
    ];
    const said = notices([vip, checkout], [asking({ rules: [] })], { live });
    expect(said).toEqual([refusal.replace('gate "checkout"', 'gate "by_hand"')]);
  });

  test("what get has read is not of this stack, in the program or dropped", () => {
    const live = [
      { kind: "segment", id: "vip", values: {} },
      { kind: "gate", id: "by_hand", values: asks("vip") },
    ];
    const byHand = [refusal.replace('gate "checkout"', 'gate "by_hand"')];
    const outputs = { key: "by_hand", ...asks("vip") };
    const [at, before] = stored("Gate", "seen", { ...outputs, __self: undefined, __managed: [] });
    expect(notices([vip, [at, before]], [], { live })).toEqual(byHand);
    const read = declared("Gate", "seen", outputs, { isRead: true, isStored: true });
    expect(notices([vip, [at, before]], [read], { live })).toEqual(byHand);
    expect(notices([vip, [at, before]], [read])).toEqual(byHand);
  });

  test("the others are still said to go for good", () => {
    const said = notices([vip, stored("Segment", "old", { key: "old" }), checkout], [asking(asks("vip"))]);
    expect(said).toHaveLength(2);
    expect(said[1]).toMatch(/^segment "old" is no longer in the program. Deleting it is for good/);
  });

  test("twenty texts, and the rest is counted", () => {
    const keys = Array.from({ length: 22 }, (_, index) => `segment_${index}`);
    const said = notices(
      keys.map((key) => stored("Segment", key, { key })),
      [asking(asks(keys))],
    );
    expect(said).toHaveLength(21);
    expect(said[20]).toBe(
      "This update will fail: of what is no longer in the program, others use 2 more objects.",
    );
  });
});

describe("gone, and the console keeps what is used", () => {
  const askingGate = declared(
    "Gate",
    "asker",
    { key: "asker", ...asks("checkout", "passes_gate") },
    { isStored: true },
  );
  const asker = stored("Gate", "asker", { key: "asker" });

  test("a gate that another gate asks for cannot be archived, of this program or of the console", () => {
    const text =
      'This update will fail: gate "checkout" is no longer in the program, and "pulumi up" cannot archive it while ' +
      'gate "asker" refers to it (a run with --target, or retainOnDelete, leaves it alone). Take the reference away first; ' +
      'or put it back with forceArchive: true, run "pulumi up", then take it out.';
    expect(notices([checkout, asker], [askingGate])).toEqual([text]);
    const theirs = { kind: "gate", id: "theirs", values: asks("checkout", "fails_gate") };
    const live = [theirs, { kind: "gate", id: "checkout", values: {} }];
    expect(notices([checkout], [], { live })).toEqual([text.replace('"asker"', '"theirs"')]);
  });

  test("of a gate that somebody has deleted or archived by hand nothing is refused", () => {
    const theirs = { kind: "gate", id: "theirs", values: asks("checkout", "fails_gate") };
    expect(notices([checkout], [], { live: [theirs] })).toEqual([]);
  });

  test("one that is left, or archived by force, is none of it; nor one of another resource", () => {
    for (const more of [{ onDelete: "retain" }, { forceArchive: true }])
      expect(
        notices([stored("Gate", "checkout", { key: "checkout", ...more }), asker], [askingGate]),
      ).toEqual([]);
    const moved = declared("Gate", "checkout_2", { key: "checkout" }, { takesOver: true });
    expect(notices([checkout, asker], [askingGate, moved])).toEqual([]);
  });

  test("a layer with an experiment on it, by the id that its name makes", () => {
    const area = stored("Layer", "area", { name: "Checkout area" });
    const live = [{ kind: "experiment", id: "theirs", values: { layerID: "checkout_area" } }];
    expect(notices([area], [], { live })).toEqual([
      'This update will fail: layer "Checkout area" is no longer in the program, and "pulumi up" cannot delete it while ' +
        'experiment "theirs" refers to it (a run with --target, or retainOnDelete, leaves it alone). Take the reference away first.',
    ]);
    expect(notices([area], [], { live: [] })[0]).toContain("is for good");
  });
});

describe("gone while it runs", () => {
  const running = (name: string, more: object = {}) =>
    stored("Experiment", name, { key: name, status: "active", ...more });

  test("it ends for good, and its results stay in the archive", () => {
    expect(notices([running("colours")], [])).toEqual([
      'experiment "colours" (active) is no longer in the program. Archiving ends it for good: nothing starts it again, and its ' +
        'results stay in the archive. To leave it running, put it back with onDelete: "retain", run "pulumi up", then take it out.',
    ]);
    expect(notices([running("colours"), running("sizes")], [])[0]).toContain("Archiving ends them for good");
  });

  test.each(["setup", "decision_made", "archived"])("in state %s nothing ends", (status) => {
    expect(notices([running("colours", { status })], [])).toEqual([]);
  });

  test("one that is left goes on, and one that is deleted goes with its results", () => {
    expect(notices([running("colours", { onDelete: "retain" })], [])).toEqual([]);
    expect(notices([running("colours", { onDelete: "delete" })], [])[0]).toContain("Deleting it is for good");
  });
});

describe("another stack may have it", () => {
  const unknowable = (objects: string, it: string, they: string) =>
    `${objects} no longer in the program, and this preview cannot know whether another stack has adopted ${it}. If ${they} ` +
    'to stay, run "pulumi state move" or "pulumi state delete" before "pulumi up"; onDelete: "retain" counts once an "up" has ' +
    "put it into state.";

  test("is said of each removal, in one line", () => {
    expect(allNotices([checkout], [])).toEqual([unknowable('gate "checkout" is', "it", "it is")]);
    const [, text] = allNotices([checkout, vip], []);
    expect(text).toBe(unknowable('gate "checkout", segment "vip" are', "them", "they are"));
  });

  test("not of what the journal shows that another stack has: that stays", () => {
    const at = Date.UTC(2026, 10, 23);
    const takers = new Map([[urn("Gate", "checkout"), { at, did: "adopt" as const }]]);
    expect(allNotices([checkout], [], { takers })).toEqual([
      'gate "checkout" is no longer in the program. The journal shows that another stack took it over on 2026-11-23: "pulumi up" ' +
        "leaves it as it is.",
    ]);
  });

  test("nor of what stays anyway, and of what up will refuse to delete", () => {
    expect(allNotices([stored("Gate", "left", { key: "left", onDelete: "retain" })], [])).toEqual([
      expect.stringContaining(staysText),
    ]);
    const asking = declared("Gate", "checkout", { key: "checkout", ...asks("vip") }, { isStored: true });
    expect(allNotices([vip, checkout], [asking])).toHaveLength(1);
  });
});

describe("renamed", () => {
  const old = stored("Gate", "old", { key: "checkout" });

  test("without an alias: both names, and the alias", () => {
    expect(notices([old], [declared("Gate", "new", { key: "checkout" })])).toEqual([
      'This update will fail: gate "checkout": state has it under the resource name "old", the program under "new". ' +
        'If it was renamed, set aliases: [{ name: "old" }].',
    ]);
  });

  test("a segment too, and nothing is said about its end", () => {
    const said = notices([vip], [declared("Segment", "vips", { key: "vip" })]);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('aliases: [{ name: "vip" }]');
  });

  test("into a component: the URN is the alias", () => {
    const place = urn("Gate", "old", "my:index:Shop$");
    expect(notices([old], [declared("Gate", "old", { key: "checkout" }, { urn: place })])).toEqual([
      `This update will fail: gate "checkout": state has it under the URN "${urn("Gate", "old")}", the program under "${place}". ` +
        `If it was moved, set aliases: ["${urn("Gate", "old")}"].`,
    ]);
  });

  test("with an alias that is misspelt", () => {
    const aliases = [urn("Gate", "odl")];
    expect(notices([old], [declared("Gate", "new", { key: "checkout" }, { aliases })])).toHaveLength(1);
  });

  test("a name that holds what divides a URN", () => {
    const [text] = notices(
      [stored("Gate", "a::b", { key: "checkout" })],
      [declared("Gate", "c", { key: "checkout" })],
    );
    expect(text).toContain('the resource name "a::b"');
  });

  test("another kind of the same key is another object", () => {
    expect(notices([old], [declared("Segment", "new", { key: "checkout" })])).toEqual([]);
  });
});

describe("elsewhere", () => {
  const here = new Set(["here", "explicit"]);
  const say = (object: string) => `${object} is in another console.`;
  const notice = (...state: Stored[]) => elsewhereNotice({ state: new Map(state), kinds }, here, say);
  const at = (console: unknown, key: string) => stored("Gate", key, { key, __console: console });

  test("is not said of what is here, nor of what does not tell", () => {
    expect(notice()).toBeUndefined();
    expect(notice(at("here", "a"), at("explicit", "b"), at(undefined, "c"))).toBeUndefined();
    const foreign: Stored = [
      "urn:pulumi:dev::flags::x:y:Z::a",
      { type: "x:y:Z", outputs: { __console: "there" } },
    ];
    expect(notice(foreign)).toBeUndefined();
  });

  test("names one, several, and twenty of many", () => {
    expect(notice(at("there", "a"), at("here", "b"))).toBe('gate "a" is in another console.');
    expect(notice(at("there", "a"), at("there", "b"))).toBe(
      'gate "a", as well as gate "b", is in another console.',
    );
    const all = Array.from({ length: 60 }, (_, index) => at("there", `gate_${index}`));
    expect(notice(...all)).toContain('gate "gate_19" and 40 more, is in another console.');
    expect(notice(stored("Environments", "all", { __console: "there" }))).toBe(
      "environment list is in another console.",
    );
  });
});
