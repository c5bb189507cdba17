import { expect, test } from "@jest/globals";
import { check } from "../../src/provider/decisions/check";
import { DeclaredNames } from "../../src/provider/decisions/declared-names";
import { catalog, type KindName } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";

type Resource = readonly [kind: KindName, resourceName: string, args: JsonObject];

const app = (name: string): Resource => ["targetApp", name, { description: "" }];
const unit = (name: unknown): Resource => ["unitIdType", "unit", { name }];
const listed = (...names: unknown[]): Resource => [
  "environments",
  "environments",
  {
    environments: names.map((name) => ({
      name,
      isProduction: false,
      requiresReview: false,
      requiresReleasePipeline: false,
    })),
  },
];
const gate = (args: JsonObject): Resource => ["gate", "one", { key: "one", ...args }];
const inEnvironments = (...environments: string[]) =>
  gate({ rules: [{ name: "Staff", passPercentage: 1, conditions: [], environments }] });
const asking = (type: string, targetValue: unknown) =>
  gate({ rules: [{ name: "Staff", passPercentage: 1, conditions: [{ type, targetValue }] }] });

/** Warnings about a program, whose resources are checked in this order. */
function warnings(...program: Resource[]): string[] {
  const names = new DeclaredNames();
  for (const [kind, resourceName, args] of program) {
    const definition: ResourceDefinition = catalog[kind];
    const { inputs, problems } = check(definition, {}, { __program: { name: resourceName }, ...args });
    expect(problems).toEqual([]);
    names.resource(definition, inputs, `${definition.title} "${resourceName}"`);
  }
  return names.warnings();
}

const segment = (name: string, args: JsonObject = {}): Resource => [
  "segment",
  name,
  { type: "rule_based", ...args },
];
const phone: Resource = gate({
  rules: [
    {
      ...{ name: "Staff", passPercentage: 1 },
      conditions: [{ type: "target_app", operator: "any", targetValue: ["phnoe"] }],
    },
  ],
});
const target = "rules[0].conditions[0].targetValue";

test.each<[what: string, program: Resource[], ...warnings: string[]]>([
  [
    "a target app",
    [app("web"), gate({ targetApps: ["wbe", "web"] })],
    'targetApps: "wbe" is no target app of this program; did you mean "web"?',
  ],
  [
    "a target app, as text alone",
    [app("web"), gate({ targetApps: "wbe" })],
    'targetApps: "wbe" is no target app of this program; did you mean "web"?',
  ],
  [
    "a target app in a condition",
    [app("phone"), phone],
    `${target}: "phnoe" is no target app of this program; did you mean "phone"?`,
  ],
  [
    "a unit id type",
    [unit("companyID"), gate({ idType: "compnayID" })],
    'idType: "compnayID" is no unit id type of this program; did you mean "companyID"?',
  ],
  [
    "a tag",
    [["tag", "payments", { description: "" }], gate({ tags: ["paymnets"] })],
    'tags: "paymnets" is no tag of this program; did you mean "payments"?',
  ],
  [
    "a segment, by its id",
    [segment("staff_all"), asking("passes_segment", "saff_all")],
    `${target}: "saff_all" is no segment of this program; did you mean "staff_all"?`,
  ],
  [
    "an environment, which the list of the program would name",
    [listed("production", "load test"), inEnvironments("load-test", "production", "qa")],
    'rules[0].environments: "load-test" is not among the environments of this program; did you mean "load test"?',
    'rules[0].environments: "qa" is not among the environments of this program',
  ],
])("a name that the program could have declared: %s", (_, program, ...expected) => {
  for (const order of [program, program.toReversed()])
    expect(warnings(...order).sort()).toEqual(expected.map((text) => `gate "one": ${text}`));
});

test.each<[string, Resource[]]>([
  ["where the program declares no such kind", [gate({ targetApps: ["wbe"], idType: "compnayID" })]],
  ["of environments that the program does not list", [inEnvironments("prodcution")]],
  ["of what is declared", [app("web"), app("wbe"), gate({ targetApps: ["wbe"] })]],
  ["of a name that is not close", [app("web"), gate({ targetApps: ["phone"] })]],
  ["of a number more", [app("web"), gate({ targetApps: ["web2"] })]],
  ["of what the console has from the start", [unit("userId2"), unit("usersID"), gate({ idType: "userID" })]],
  ["of a name that is not known yet", [app("web"), gate({ targetApps: [UNKNOWN] })]],
  [
    "while a declared name is not known yet",
    [unit(UNKNOWN), unit("companyID"), gate({ idType: "compnayID" })],
  ],
  ["while a listed name is not known yet", [listed("production", UNKNOWN), inEnvironments("qa")]],
  [
    "of a segment by its key",
    [segment("staff", { key: "all_staff" }), asking("passes_segment", "all_staff")],
  ],
  [
    "of an object by the id that the console makes of its name",
    [
      ["layer", "main", { name: "Main Page", idType: "userID" }],
      ["experiment", "offer", { layerID: "main_page" }],
    ],
  ],
  [
    "of an object that is brought in under an id that the console has made",
    [
      ["releasePipeline", "main", { name: "Main pipeline", __adopt: "main_pipeline" }],
      gate({ releasePipelineID: "main_pipeline" }),
    ],
  ],
  [
    "of an object that is brought in by its id",
    [segment("old", { __adopt: "staff_all" }), asking("passes_segment", "staff_all")],
  ],
])("no warning %s", (_, program) => {
  expect(warnings(...program)).toEqual([]);
  expect(warnings(...program.toReversed())).toEqual([]);
});

test("each warning is told once, however often a resource is checked", () => {
  const names = new DeclaredNames();
  names.declared("targetApp", ["web"]);
  for (const by of ['gate "a"', 'gate "a"', 'gate "b"']) names.used("targetApp", "wbe", by, "targetApps");
  expect(names.warnings()).toHaveLength(2);
  expect(names.warnings()).toEqual([]);
  names.used("targetApp", "wbe", 'gate "a"', "targetApps");
  names.used("targetApp", "webb", 'gate "a"', "targetApps");
  expect(names.warnings()).toEqual([
    'gate "a": targetApps: "webb" is no target app of this program; did you mean "web"?',
  ]);
});

test("gates of a circle ask themselves, each told once; who only leads to it does not", () => {
  const asking = (key: string, ...ids: string[]) => ({
    ...{ key, name: key },
    rules: [{ name: "A", passPercentage: 1, conditions: [{ type: "fails_gate", targetValue: ids[0] }] }],
  });
  const names = new DeclaredNames();
  for (const [key, other] of Object.entries({ one: "two", two: "three", three: "two" }))
    names.resource(catalog.gate, asking(key, other), `gate "${key}"`);
  expect(names.warnings()).toEqual([
    expect.stringMatching(/^gate "two" asks itself by way of gate "three": statsig-node answers its default/),
    expect.stringMatching(/^gate "three" asks itself by way of gate "two": /),
  ]);
  expect(names.warnings()).toEqual([]);
});
