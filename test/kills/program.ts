import type { JsonObject } from "../../src/provider/schema/json";
import type { Adapter } from "../laws/subject";

/** A resource of the program: its class, its name, and its arguments, in which `$name.output` stands for an output. */
export interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly args: JsonObject;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const mail = (ending: string) => ({
  name: "Mail",
  passPercentage: 12.5,
  conditions: [{ type: "email", operator: "str_contains_any", targetValue: [ending] }],
});
const everyone = { name: "All", passPercentage: 50, conditions: [{ type: "public" }] };
const halves = [
  { name: "Control", size: 50, parameterValues: { colour: "blue" } },
  { name: "Test", size: 50, parameterValues: { colour: "green" } },
];
const mapping = [{ serviceUnitID: "userID", column: "user_id" }];

const several = (
  count: number,
  kind: string,
  name: string,
  args: (index: number) => JsonObject,
): Declared[] => times(count, (index) => ({ kind, name: `${name}_${index}`, args: args(index) }));

/** What gates refer to, and what the project itself has: 27 resources. */
function foundation(text: string): Declared[] {
  const source = (i: number) => ({ sql: `select ${i}`, timestampColumn: "ts", idTypeMapping: mapping });
  const staff = {
    ...{ name: "Staff", timeIntervalMs: 60_000, requiredReview: true },
    rules: [{ name: "Mail", conditions: mail("@example.com").conditions }],
  };
  const environments = ["production", "staging", text].map((name, index) => ({
    ...{ name, isProduction: index === 0, requiresReview: false, requiresReleasePipeline: false },
  }));
  return [
    ...several(3, "Tag", "tag", (i) => ({ description: text, isCore: i === 1 })),
    ...several(2, "UnitIdType", "unit", () => ({ description: text })),
    ...several(2, "TargetApp", "app", () => ({ description: text })),
    ...several(3, "Segment", "ruled", (i) => ({
      ...{ type: "rule_based", tags: ["$tag_0.name"], rules: [mail(`@${i}.${text}`)] },
    })),
    ...several(3, "Segment", "listed", (i) => ({
      type: i === 2 ? "user_store_id_list" : "id_list",
      ids: times(20 + text.length, (n) => `u${i}-${n}`),
    })),
    ...several(2, "MetricSource", "purchases", (i) => ({ ...source(i), description: text })),
    ...several(2, "AssignmentSource", "exposures", (i) => ({
      ...{ ...source(i), description: text, experimentIDColumn: "experiment", groupIDColumn: "grp" },
    })),
    ...several(4, "Metric", "metric", () => ({
      ...{ type: "sum", unitTypes: ["userID"], metricEvents: [{ name: "purchase", type: "value" }] },
      ...{ description: text, tags: ["$tag_2.name"] },
    })),
    ...several(2, "ReleasePipeline", "pipeline", () => ({ triggerNotice: text, phases: [staff] })),
    ...several(3, "Layer", "layer", () => ({
      ...{ idType: "userID", description: text },
      parameters: [{ name: "colour", type: "string", defaultValue: `blue ${text}` }],
    })),
    { kind: "Environments", name: "environments", args: { environments } },
  ];
}

/** Experiments in every state that a program can ask for: 7 resources. */
function experiments(text: string): Declared[] {
  const base = { groups: halves, description: text, controlGroup: "Test" };
  // What has ended takes no changes.
  const over = { ...base, description: "Over" };
  const decided = { launchedGroup: "Test", decisionReason: "Green sells more" };
  const states: JsonObject[] = [
    base,
    { ...base, layerID: "$layer_0.id", allocation: 40 },
    { ...base, status: "active", tags: ["$tag_0.name"] },
    { ...base, status: "active", layerID: "$layer_1.id", allocation: 30, disabledGroups: ["Control"] },
    { ...over, status: "decision_made", ...decided },
    { ...over, status: "abandoned", decisionReason: "No effect" },
    { ...over, status: "archived" },
  ];
  return several(states.length, "Experiment", "experiment", (i) => states[i] ?? {});
}

/** What refers to much of the rest: 10 resources. */
function superstructure(text: string): Declared[] {
  return [
    ...several(3, "Holdout", "holdout", (i) => ({
      ...{ description: text, passPercentage: 2.5, isEnabled: i !== 1 },
      ...{ gateIDs: [`$gate_${i}.id`, `$gate_${i + 3}.id`], layerIDs: ["$layer_2.id"] },
      experimentIDs: ["$experiment_0.id"],
    })),
    ...several(3, "ParamStore", "store", (i) => ({
      ...{ displayName: `Store ${i}`, description: text, tags: ["$tag_0.name"] },
      parameters: [
        { name: "title", refType: "static", paramType: "string", value: text },
        {
          ...{ name: "colour", refType: "gate", paramType: "string", gateName: `$gate_${i}.id` },
          ...{ passValue: "green", failValue: "blue" },
        },
      ],
    })),
    ...several(3, "Alert", "alert", (i) => ({
      ...{ message: text, alertThreshold: 0.5 + i, condition: "less", priority: "P2" },
      ...{ tags: ["$tag_1.name"], definitionMetricsJson: ['{"metric": "purchase::event_count"}'] },
      subscribers: [{ type: "user", id: "user-1" }],
    })),
    { kind: "GateLaunch", name: "launch", args: { gate: "outside" } },
  ];
}

/** A gate; every few one has something of its own. */
function gate(index: number, text: string): JsonObject {
  const rules = index % 3 === 0 ? [mail("@example.com"), everyone] : [everyone];
  const asking = [{ type: "passes_segment", targetValue: `$ruled_${index % 3}.id` }];
  const status = index % 5 === 1 ? ["Launched", "Disabled", "Archived"][index % 3] : undefined;
  return {
    // What stays archived takes no change.
    description: status === "Archived" ? "archived" : text,
    tags: index % 4 === 0 ? ["$tag_0.name", "$tag_1.name"] : [],
    targetApps: index % 6 === 0 ? ["$app_0.name"] : [],
    rules: index % 7 === 0 ? [{ ...everyone, conditions: asking }] : rules,
    ...(status === undefined ? {} : { status }),
    ...(index % 5 === 2 ? { isEnabled: false } : {}),
  };
}

/** A dynamic config. */
function config(index: number, text: string): JsonObject {
  const rule = { ...everyone, returnValue: { most: index, text } };
  return { description: text, defaultValue: { most: 1 }, rules: [rule], tags: ["$tag_2.name"] };
}

/**
 * A program of that many resources of every kind, with references between them; what is left to the number are gates and
 * one dynamic config to five of them. `text`: stands in every one of them.
 */
export function declare(resources: number, text = "first"): Declared[] {
  const rest = [...foundation(text), ...experiments(text), ...superstructure(text)];
  // Holdouts name the first six gates.
  const left = Math.max(8, resources - rest.length);
  const configs = Math.floor(left / 6);
  return [
    ...rest,
    ...several(left - configs, "Gate", "gate", (index) => gate(index, text)),
    ...several(configs, "DynamicConfig", "config", (index) => config(index, text)),
  ];
}

/**
 * The same program later: another text in each, two of each tenth gone, some under another key, some new.
 */
export function change(before: readonly Declared[]): Declared[] {
  const after = declare(before.length, "second");
  const isFree = ({ kind, name }: Declared) => kind === "Gate" && Number(name.slice(5)) > 8;
  return after.flatMap((one): Declared[] => {
    const number = Number(/\d+$/.exec(one.name)?.[0]);
    if (isFree(one) && number % 10 === 3) return [];
    if (isFree(one) && number % 10 === 4)
      return [
        { ...one, args: { ...one.args, key: `${one.name}_other` } },
        { ...one, name: `new_${number}` },
      ];
    if (one.kind === "Tag" && number === 2) return [{ ...one, args: { ...one.args, name: "tag_other" } }];
    if (one.kind === "Alert" && number === 2) return [];
    return [one];
  });
}

/** Objects that the program refers to and does not make. */
export const beside = { gates: [{ name: "outside" }] };

/** The program's text, in JavaScript: a compiler would take longer than what it compiles. */
export function textOf(declared: readonly Declared[], adapter: Adapter): string {
  const lines = inOrder(declared).map(({ kind, name, args }) => {
    const text = JSON.stringify(args).replace(/"\$(\w+)\.(\w+)"/g, "made.$1.$2");
    return `made.${name} = new fc.${kind}(${JSON.stringify(name)}, ${text});`;
  });
  const module = adapter === "native" ? "pulumi-feature-console/native" : "pulumi-feature-console";
  return `const fc = require("${module}");\nconst made = {};\n${lines.join("\n")}\n`;
}

/** Resources after those that they refer to. */
function inOrder(declared: readonly Declared[]): Declared[] {
  const byName = new Map(declared.map((one) => [one.name, one]));
  const done = new Set<Declared>();
  const visit = (one: Declared) => {
    if (done.has(one)) return;
    for (const [, name = ""] of JSON.stringify(one.args).matchAll(/"\$(\w+)\.\w+"/g)) {
      const needed = byName.get(name);
      if (needed === undefined) throw new Error(`${one.name} refers to ${name}, which is not declared`);
      visit(needed);
    }
    done.add(one);
  };
  for (const one of declared) visit(one);
  return [...done];
}
