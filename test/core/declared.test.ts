import { describe, expect, test } from "@jest/globals";
import { check } from "../../src/provider/decisions/check";
import { DeclaredDemands } from "../../src/provider/decisions/declared-demands";
import { DeclaredNames } from "../../src/provider/decisions/declared-names";
import { overclaims, overclaimText, shareClaimOf } from "../../src/provider/decisions/declared-shares";
import { catalog, type KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { Desk } from "../drift/desk";
import { kind, withRule } from "./subjects";

describe("names that a program declares", () => {
  type Resource = readonly [kind: KindName, resourceName: string, args: JsonObject];

  const app = (name: string): Resource => ["targetApp", name, { description: "" }];
  const unit = (name: unknown): Resource => ["unitIdType", "unit", { name }];
  const segment = (name: string, args: JsonObject = {}): Resource => [
    ...(["segment", name, { type: "rule_based", ...args }] as const),
  ];
  const gate = (args: JsonObject): Resource => ["gate", "one", { key: "one", ...args }];
  const within = (...environments: string[]) => gate(withRule([], { environments }));
  const asking = (type: string, targetValue: unknown) => gate(withRule([{ type, targetValue }]));
  const companion = gate({ idType: "compnayID" });
  const settings = { isProduction: false, requiresReview: false, requiresReleasePipeline: false };
  const listed = (...names: unknown[]): Resource => [
    ...(["environments", "environments"] as const),
    { environments: names.map((name) => ({ name, ...settings })) },
  ];

  /** Warnings about a program, whose resources are checked in this order. */
  function warnings(program: readonly Resource[]): string[] {
    const names = new DeclaredNames();
    for (const [name, resourceName, args] of program) {
      const definition = kind(name);
      const { inputs, problems } = check(definition, {}, { __program: { name: resourceName }, ...args });
      expect(problems).toEqual([]);
      names.resource(definition, inputs, `${definition.title} "${resourceName}"`);
    }
    return names.warnings();
  }

  const target = "rules[0].conditions[0].targetValue";
  const phone = gate(withRule([{ type: "target_app", operator: "any", targetValue: ["phnoe"] }]));
  const tag: Resource = ["tag", "payments", { description: "" }];
  const slip = (found: string, what: string, meant: string) =>
    `"${found}" is no ${what} of this program; did you mean "${meant}"?`;
  const notListed = (name: string) => `"${name}" is not among the environments of this program`;
  const load = [listed("production", "load test"), within("load-test", "production", "qa")];

  test.each<[program: readonly Resource[], ...warnings: string[]]>([
    [[app("web"), gate({ targetApps: ["wbe", "web"] })], `targetApps: ${slip("wbe", "target app", "web")}`],
    [[app("web"), gate({ targetApps: "wbe" })], `targetApps: ${slip("wbe", "target app", "web")}`],
    [[app("phone"), phone], `${target}: ${slip("phnoe", "target app", "phone")}`],
    [[unit("companyID"), companion], `idType: ${slip("compnayID", "unit id type", "companyID")}`],
    [[tag, gate({ tags: ["paymnets"] })], `tags: ${slip("paymnets", "tag", "payments")}`],
    [
      [segment("staff_all"), asking("passes_segment", "saff_all")],
      `${target}: ${slip("saff_all", "segment", "staff_all")}`,
    ],
    [
      load,
      `rules[0].environments: ${notListed("load-test")}; did you mean "load test"?`,
      `rules[0].environments: ${notListed("qa")}`,
    ],
  ])("a name that the program could have declared: %j", (program, ...expected) => {
    for (const order of [program, program.toReversed()])
      expect(warnings(order).sort()).toEqual(expected.map((text) => `gate "one": ${text}`));
  });

  const layer: Resource = ["layer", "main", { name: "Main Page", idType: "userID" }];
  const imported: Resource = ["releasePipeline", "main", { name: "Main pipeline", __adopt: "main_pipeline" }];

  test.each<[string, Resource[]]>([
    ["where the program declares no such kind", [gate({ targetApps: ["wbe"], idType: "compnayID" })]],
    ["of environments that the program does not list", [within("prodcution")]],
    ["of what is declared", [app("web"), app("wbe"), gate({ targetApps: ["wbe"] })]],
    ["of a name that is not close", [app("web"), gate({ targetApps: ["phone"] })]],
    ["of a number more", [app("web"), gate({ targetApps: ["web2"] })]],
    [
      "of what the console has from the start",
      [unit("userId2"), unit("usersID"), gate({ idType: "userID" })],
    ],
    ["of a name that is not known yet", [app("web"), gate({ targetApps: [UNKNOWN] })]],
    ["while a declared name is not known yet", [unit(UNKNOWN), unit("companyID"), companion]],
    ["while a listed name is not known yet", [listed("production", UNKNOWN), within("qa")]],
    ["of a key", [segment("staff", { key: "all_staff" }), asking("passes_segment", "all_staff")]],
    ["of the id made of a name", [layer, ["experiment", "offer", { layerID: "main_page" }]]],
    ["of an imported id that the console made", [imported, gate({ releasePipelineID: "main_pipeline" })]],
    ["of an import", [segment("old", { __adopt: "staff_all" }), asking("passes_segment", "staff_all")]],
  ])("no warning %s", (_, program) => {
    expect(warnings(program)).toEqual([]);
    expect(warnings(program.toReversed())).toEqual([]);
  });

  test("each warning is told once, however often a resource is checked", () => {
    const names = new DeclaredNames();
    names.declared("targetApp", ["web"]);
    for (const by of ['gate "a"', 'gate "a"', 'gate "b"']) names.used("targetApp", "wbe", by, "targetApps");
    expect([names.warnings().length, names.warnings()]).toEqual([2, []]);
    for (const name of ["wbe", "webb"]) names.used("targetApp", name, 'gate "a"', "targetApps");
    expect(names.warnings()).toEqual([`gate "a": targetApps: ${slip("webb", "target app", "web")}`]);
  });

  test.each<[what: string, asker: object, made: object, isTold: boolean]>([
    ["a text", {}, {}, true],
    ["a text, and its resource by another argument", { comesOf: ["Segment vip"] }, {}, false],
    ["a text, of a segment that comes of the gate", {}, { comesOf: ["Gate asks"] }, false],
    ["a text, of a segment that exists", {}, { isNew: false }, false],
    ["a text, in a gate that exists", { isNew: false }, {}, true],
  ])("a new segment that a gate names by %s", (_what, asker, made, isTold) => {
    const names = new DeclaredNames();
    const user = (
      resource: string,
      { comesOf = [], isNew = true }: { comesOf?: string[]; isNew?: boolean },
    ) => ({
      ...{ resource, isNew },
      comesOf: new Set(comesOf),
    });
    const rules = withRule([{ type: "passes_segment", targetValue: "vip" }]);
    names.resource(catalog.gate, { key: "asks", ...rules }, 'gate "asks"', user("Gate asks", asker));
    names.resource(catalog.segment, { key: "vip" }, 'segment "vip"', user("Segment vip", made));
    expect(names.warnings()).toEqual(
      isTold
        ? [
            'gate "asks": rules[0].conditions[0].targetValue: "vip" is a text, and this update creates segment "vip", perhaps later: pass the resource in its place',
          ]
        : [],
    );
  });

  test("of two new gates that ask each other, one has to be a text", () => {
    const names = new DeclaredNames();
    for (const [key, targetValue] of Object.entries({ one: "two", two: "one" })) {
      const args = { key, name: key, ...withRule([{ type: "fails_gate", targetValue }]) };
      const user = { resource: `Gate ${key}`, comesOf: new Set<string>(), isNew: true };
      names.resource(catalog.gate, args, `gate "${key}"`, user);
    }
    expect(names.warnings().filter((line) => line.includes("is a text"))).toEqual([]);
  });

  test("gates of a circle ask themselves, each told once; who only leads to it does not", () => {
    const names = new DeclaredNames();
    for (const [key, targetValue] of Object.entries({ one: "two", two: "three", three: "two" })) {
      const args = { key, name: key, ...withRule([{ type: "fails_gate", targetValue }]) };
      names.resource(catalog.gate, args, `gate "${key}"`);
    }
    expect(names.warnings()).toEqual([
      expect.stringMatching(
        /^gate "two" asks itself by way of gate "three": statsig-node answers its default/,
      ),
      expect.stringMatching(/^gate "three" asks itself by way of gate "two": /),
    ]);
    expect(names.warnings()).toEqual([]);
  });
});

describe("running experiments of a layer", () => {
  const claim = (name: string, args: object) => {
    const given = { layerID: "shop", status: "active", ...args };
    return shareClaimOf(kind("experiment"), given, `experiment "${name}"`) ?? [];
  };

  test("have 100 % of it together", () => {
    const claims = [claim("a", { allocation: 80 }), claim("b", { allocation: 60 })].flat();
    expect(overclaims(claims).map(overclaimText)).toEqual([
      'experiment "a" and experiment "b" ask for 140 % of layer "shop" together: whichever starts last gets only the rest',
    ]);
    expect(overclaims([claim("a", { allocation: 80 }), claim("a", { allocation: 100 })].flat())).toEqual([]);
    expect(claim("a", {})).toMatchObject({ percent: 100, of: 'layer "shop"' });
  });

  test("have it together in a layer that the update makes, where the program shows which one it is", () => {
    const args = { layerID: UNKNOWN, status: "active", allocation: 60 };
    const claims = ["a", "b"].flatMap(
      (name) => shareClaimOf(kind("experiment"), args, name, () => 'layer "shop"') ?? [],
    );
    expect(overclaims(claims)).toEqual([{ of: 'layer "shop"', percent: 120, by: ["a", "b"] }]);
    expect(shareClaimOf(kind("experiment"), args, "a", () => 'gate "shop"')).toBeUndefined();
  });

  test.each([{ status: "setup" }, { layerID: undefined }, { layerID: UNKNOWN }, { allocation: UNKNOWN }])(
    "count none with %j",
    (args) => expect(claim("a", { allocation: 100, ...args })).toEqual([]),
  );
});

describe("team settings that demand teams", () => {
  function program() {
    const demands = new DeclaredDemands();
    const found = (name: KindName, args: JsonObject, isNew = true) =>
      [...demands.resource(kind(name), args), ...(isNew ? demands.newObject(kind(name), args) : [])].map(
        ({ message }) => message,
      );
    return { found, demand: () => found("teamSettings", { requireTeamsOnConfigs: true }) };
  }
  const refusal = "the team settings of this program demand one of new objects";

  test("refuse a new gate without a team, whichever comes first", () => {
    const first = program();
    expect([first.demand(), first.found("gate", { key: "a" })]).toEqual([[], [`is needed: ${refusal}`]]);
    const last = program();
    expect([last.found("gate", { key: "a" }), last.found("dynamicConfig", { key: "b" })]).toEqual([[], []]);
    expect(last.demand()).toEqual([
      'demands a team of new objects, and this program gives none to gate "a", dynamic config "b": set the team of each, or set this in a later up',
    ]);
  });

  test.each<[string, KindName, JsonObject, boolean]>([
    ["has a team", "gate", { team: "Shop" }, true],
    ["has the id of a team", "gate", { teamID: "1" }, true],
    ["has a team that is not known yet", "experiment", { teamID: UNKNOWN }, true],
    ["is there already", "gate", {}, false],
    ["is of a kind that needs none", "segment", {}, true],
  ])("do not refuse an object that %s", (_, name, args, isNew) => {
    const { found, demand } = program();
    demand();
    expect([found(name, args, isNew), demand()]).toEqual([[], []]);
  });

  test("that demand none refuse nothing", () => {
    const { found } = program();
    found("teamSettings", { requireTeamsOnConfigs: false });
    expect(found("gate", { key: "a" })).toEqual([]);
  });

  test("count a gate that is to be taken over as new where the console does not have it", async () => {
    const api = new Desk();
    try {
      api.write(
        'new fc.TeamSettings("all", { requireTeamsOnConfigs: true });\nnew fc.Gate("flag", { adopt: true });\n',
      );
      await expect(api.changes()).rejects.toThrow(refusal);
      await api.raw.gate.create({ body: { name: "flag" } });
      expect(await api.changes()).toEqual({ all: "create", flag: "create" });
    } finally {
      await api.close();
    }
  });
});
