import type { JsonObject } from "../../src/provider/schema/json";

/** The program of the lifecycle test as data: resource name -> kind and arguments. */
export type Flags = Record<string, { kind: string; args: JsonObject }>;

/** One of every kind, with a reference between two of them. */
export const baseFlags: Flags = {
  staff: {
    kind: "Segment",
    args: {
      type: "rule_based",
      tags: ["people"],
      rules: [
        {
          name: "Mail",
          passPercentage: 100,
          conditions: [{ type: "email", operator: "any", targetValue: ["a@example.com"] }],
        },
      ],
    },
  },
  people: { kind: "Segment", args: { type: "id_list", ids: ["u1", "u2"] } },
  checkout: {
    kind: "Gate",
    args: {
      key: "checkout_v2",
      description: "New checkout",
      tags: ["shop"],
      rules: [
        { name: "Staff", passPercentage: 10, conditions: [{ type: "passes_segment", targetValue: "staff" }] },
      ],
    },
  },
  limits: {
    kind: "DynamicConfig",
    args: {
      description: "Limits",
      defaultValue: { most: 1 },
      rules: [
        { name: "All", passPercentage: 50, conditions: [{ type: "public" }], returnValue: { most: 2 } },
      ],
    },
  },
  area: {
    kind: "Layer",
    args: {
      name: "Checkout area",
      idType: "userID",
      description: "Area",
      parameters: [{ name: "colour", type: "string", defaultValue: "blue" }],
    },
  },
  exposures: {
    kind: "AssignmentSource",
    args: {
      description: "Exposures",
      sql: "select 1",
      timestampColumn: "ts",
      experimentIDColumn: "e",
      groupIDColumn: "g",
      idTypeMapping: [{ serviceUnitID: "userID", column: "u" }],
    },
  },
};

/** The TypeScript program of some flags. */
export function programOf(flags: Flags): string {
  const lines = Object.entries(flags).map(([name, { kind, args }]) => {
    // The gate refers to the segment by passing the resource itself.
    const text = JSON.stringify(args, null, 2).replace(
      '"targetValue": "staff"',
      '"targetValue": resources.staff',
    );
    return `resources.${name.replace(/\W/g, "_")} = new fc.${kind}(${JSON.stringify(name)}, ${text} as never);`;
  });
  return `import * as pulumi from "@pulumi/pulumi";
import * as fc from "pulumi-feature-console";
const resources: Record<string, pulumi.CustomResource> = {};
${lines.join("\n")}
export const ids = Object.fromEntries(Object.entries(resources).map(([name, resource]) => [name, resource.id]));
`;
}

/** The same flags with other arguments for some of them; `undefined` removes one. */
export function changed(flags: Flags, changes: Record<string, JsonObject>): Flags {
  const copy = { ...flags };
  for (const [name, args] of Object.entries(changes)) {
    const flag = copy[name];
    if (flag === undefined) throw new Error(`no flag ${name}`);
    const merged = Object.entries({ ...flag.args, ...args }).filter(([, value]) => value !== undefined);
    copy[name] = { ...flag, args: Object.fromEntries(merged) };
  }
  return copy;
}

const condition = (type: string, rest: JsonObject) => ({ type, ...rest });
const staffRule = {
  name: "Staff",
  passPercentage: 12.5,
  conditions: [condition("passes_segment", { targetValue: "staff" })],
};

const mailRule = (passPercentage: number, operator: string) => ({
  name: "Mail",
  passPercentage,
  conditions: [condition("email", { operator, targetValue: ["a@example.com"] })],
});

/** A change of one argument of a flag in place, and the one path that a preview must name, of ids both that tell them. */
export interface Change {
  readonly flag: string;
  readonly args: JsonObject;
  readonly path: string | readonly string[];
}

/** Every change by itself. */
export const changes: readonly Change[] = [
  ...changesOf("checkout", [
    [{ description: "Other" }, "description"],
    [{ rules: [staffRule] }, "rules[0].passPercentage"],
    [{ isEnabled: false }, "isEnabled"],
    [{ tags: ["shop", "till"] }, "tags[1]"],
    [{ type: "PERMANENT" }, "type"],
    [{ name: "Checkout 2.0 x" }, "name"],
    [{ monitoringMetrics: [{ name: "revenue", type: "sum" }] }, "monitoringMetrics"],
    [{ reviewSettings: { requiredReview: true } }, "reviewSettings"],
  ]),
  ...changesOf("limits", [
    [{ description: "Other" }, "description"],
    [{ defaultValue: { most: 3 } }, "defaultValue.most"],
    [
      {
        rules: [
          { name: "All", passPercentage: 50, conditions: [{ type: "public" }], returnValue: { most: 4 } },
        ],
      },
      "rules[0].returnValue.most",
    ],
    [{ isEnabled: false }, "isEnabled"],
    [{ schema: '{"type":"object"}' }, "schema"],
    [{ tags: ["shop"] }, "tags"],
    [{ idType: "stableID" }, "idType"],
    [{ team: "growth" }, "team"],
  ]),
  ...changesOf("staff", [
    [{ rules: [mailRule(99.99, "any")] }, "rules[0].passPercentage"],
    [{ rules: [mailRule(100, "none")] }, "rules[0].conditions[0].operator"],
  ]),
  ...changesOf("people", [[{ ids: ["u1", "u2", "u3"] }, ["ids.count", "ids.hash"]]]),
  ...changesOf("area", [
    [{ description: "Other" }, "description"],
    [{ parameters: [{ name: "colour", type: "string", defaultValue: "red" }] }, "parameters[0].defaultValue"],
    [{ targetApps: ["web"] }, "targetApps"],
  ]),
  ...changesOf("exposures", [
    [{ description: "Other" }, "description"],
    [{ sql: "select 2" }, "sql"],
    [{ timestampColumn: "t2" }, "timestampColumn"],
    [{ idTypeMapping: [{ serviceUnitID: "userID", column: "user" }] }, "idTypeMapping[0].column"],
    [{ scheduledReloadHour: 5 }, "scheduledReloadHour"],
    [{ isVerified: true }, "isVerified"],
    [{ tags: ["warehouse"] }, "tags"],
    [{ groupNameColumn: "gn" }, "groupNameColumn"],
  ]),
];

function changesOf(flag: string, those: readonly (readonly [JsonObject, Change["path"]])[]): Change[] {
  return those.map(([args, path]) => ({ flag, args, path }));
}

/** Arguments that a program removes, and what the console must then show under the API's name. */
export const removals: Record<string, Record<string, unknown>> = {
  checkout: { description: "", tags: [], monitoringMetrics: [] },
  limits: { description: "", tags: [], schema: null, team: null },
  area: { description: "", targetApps: [], parameters: [] },
  exposures: { description: "", tags: [], scheduledReloadHour: null },
  staff: { rules: [] },
};
