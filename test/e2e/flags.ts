import type { JsonObject } from "../../src/core/json";

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

/** Changes in place, a round each: flag -> the arguments changed and the one path that a preview must name, of ids both that tell them. */
export const rounds: Record<string, { args: JsonObject; path: string | string[] }>[] = [
  {
    checkout: { args: { description: "Other" }, path: "description" },
    limits: { args: { description: "Other" }, path: "description" },
    staff: {
      args: {
        rules: [
          {
            name: "Mail",
            passPercentage: 99.99,
            conditions: [condition("email", { operator: "any", targetValue: ["a@example.com"] })],
          },
        ],
      },
      path: "rules[0].passPercentage",
    },
    people: { args: { ids: ["u1", "u2", "u3"] }, path: ["ids.count", "ids.hash"] },
    area: { args: { description: "Other" }, path: "description" },
    exposures: { args: { description: "Other" }, path: "description" },
  },
  {
    checkout: { args: { rules: [staffRule] }, path: "rules[0].passPercentage" },
    limits: { args: { defaultValue: { most: 3 } }, path: "defaultValue.most" },
    staff: {
      args: {
        rules: [
          {
            name: "Mail",
            passPercentage: 99.99,
            conditions: [condition("email", { operator: "none", targetValue: ["a@example.com"] })],
          },
        ],
      },
      path: "rules[0].conditions[0].operator",
    },
    area: {
      args: { parameters: [{ name: "colour", type: "string", defaultValue: "red" }] },
      path: "parameters[0].defaultValue",
    },
    exposures: { args: { sql: "select 2" }, path: "sql" },
  },
  {
    checkout: { args: { isEnabled: false }, path: "isEnabled" },
    limits: {
      args: {
        rules: [
          { name: "All", passPercentage: 50, conditions: [{ type: "public" }], returnValue: { most: 4 } },
        ],
      },
      path: "rules[0].returnValue.most",
    },
    area: { args: { targetApps: ["web"] }, path: "targetApps" },
    exposures: { args: { timestampColumn: "t2" }, path: "timestampColumn" },
  },
  {
    checkout: { args: { tags: ["shop", "till"] }, path: "tags[1]" },
    limits: { args: { isEnabled: false }, path: "isEnabled" },
    exposures: {
      args: { idTypeMapping: [{ serviceUnitID: "userID", column: "user" }] },
      path: "idTypeMapping[0].column",
    },
  },
  {
    checkout: { args: { type: "PERMANENT" }, path: "type" },
    limits: { args: { schema: '{"type":"object"}' }, path: "schema" },
    exposures: { args: { scheduledReloadHour: 5 }, path: "scheduledReloadHour" },
  },
  {
    checkout: { args: { name: "Checkout 2.0 (x)".replace(/[()]/g, "") }, path: "name" },
    limits: { args: { tags: ["shop"] }, path: "tags" },
    exposures: { args: { isVerified: true }, path: "isVerified" },
  },
  {
    checkout: { args: { monitoringMetrics: [{ name: "revenue", type: "sum" }] }, path: "monitoringMetrics" },
    limits: { args: { idType: "stableID" }, path: "idType" },
    exposures: { args: { tags: ["warehouse"] }, path: "tags" },
  },
  {
    checkout: { args: { reviewSettings: { requiredReview: true } }, path: "reviewSettings" },
    limits: { args: { team: "growth" }, path: "team" },
    exposures: { args: { groupNameColumn: "gn" }, path: "groupNameColumn" },
  },
];

/** Arguments that a program removes, and what the console must then show under the API's name. */
export const removals: Record<string, Record<string, unknown>> = {
  checkout: { description: "", tags: [], monitoringMetrics: [] },
  limits: { description: "", tags: [], schema: null, team: null },
  area: { description: "", targetApps: [], parameters: [] },
  exposures: { description: "", tags: [], scheduledReloadHour: null },
  staff: { rules: [] },
};
