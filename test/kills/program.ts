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

/** What gates refer to, and what the project itself has: 27 resources. */
function foundation(text: string): Declared[] {
  return [
    ...times(3, (i) => ({ kind: "Tag", name: `tag_${i}`, args: { description: text, isCore: i === 1 } })),
    ...times(2, (i) => ({ kind: "UnitIdType", name: `unit_${i}`, args: { description: text } })),
    ...times(2, (i) => ({ kind: "TargetApp", name: `app_${i}`, args: { description: text } })),
    ...times(3, (i) => ({
      kind: "Segment",
      name: `ruled_${i}`,
      args: { type: "rule_based", tags: ["$tag_0.name"], rules: [mail(`@${i}.${text}`)] },
    })),
    ...times(3, (i) => ({
      kind: "Segment",
      name: `listed_${i}`,
      args: {
        type: i === 2 ? "user_store_id_list" : "id_list",
        ids: times(20 + text.length, (n) => `u${i}-${n}`),
      },
    })),
    ...times(2, (i) => ({
      kind: "MetricSource",
      name: `purchases_${i}`,
      args: { sql: `select ${i}`, timestampColumn: "ts", idTypeMapping: mapping, description: text },
    })),
    ...times(2, (i) => ({
      kind: "AssignmentSource",
      name: `exposures_${i}`,
      args: {
        ...{ sql: `select ${i}`, timestampColumn: "ts", idTypeMapping: mapping, description: text },
        ...{ experimentIDColumn: "experiment", groupIDColumn: "grp" },
      },
    })),
    ...times(4, (i) => ({
      kind: "Metric",
      name: `metric_${i}`,
      args: {
        ...{ type: "sum", unitTypes: ["userID"], metricEvents: [{ name: "purchase", type: "value" }] },
        ...{ description: text, tags: ["$tag_2.name"] },
      },
    })),
    ...times(2, (i) => ({
      kind: "ReleasePipeline",
      name: `pipeline_${i}`,
      args: {
        triggerNotice: text,
        phases: [
          {
            ...{ name: "Staff", timeIntervalMs: 60_000, requiredReview: true },
            rules: [{ name: "Mail", conditions: mail("@example.com").conditions }],
          },
        ],
      },
    })),
    ...times(3, (i) => ({
      kind: "Layer",
      name: `layer_${i}`,
      args: {
        ...{ idType: "userID", description: text },
        parameters: [{ name: "colour", type: "string", defaultValue: `blue ${text}` }],
      },
    })),
    {
      kind: "Environments",
      name: "environments",
      args: {
        environments: ["production", "staging", text].map((name, index) => ({
          ...{ name, isProduction: index === 0, requiresReview: false, requiresReleasePipeline: false },
        })),
      },
    },
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
  return states.map((args, index) => ({ kind: "Experiment", name: `experiment_${index}`, args }));
}

/** What refers to much of the rest: 10 resources. */
function superstructure(text: string): Declared[] {
  return [
    ...times(3, (i) => ({
      kind: "Holdout",
      name: `holdout_${i}`,
      args: {
        ...{ description: text, passPercentage: 2.5, isEnabled: i !== 1 },
        ...{ gateIDs: [`$gate_${i}.id`, `$gate_${i + 3}.id`], layerIDs: ["$layer_2.id"] },
        experimentIDs: ["$experiment_0.id"],
      },
    })),
    ...times(3, (i) => ({
      kind: "ParamStore",
      name: `store_${i}`,
      args: {
        ...{ displayName: `Store ${i}`, description: text, tags: ["$tag_0.name"] },
        parameters: [
          { name: "title", refType: "static", paramType: "string", value: text },
          {
            ...{ name: "colour", refType: "gate", paramType: "string", gateName: `$gate_${i}.id` },
            ...{ passValue: "green", failValue: "blue" },
          },
        ],
      },
    })),
    ...times(3, (i) => ({
      kind: "Alert",
      name: `alert_${i}`,
      args: {
        ...{
          message: text,
          alertThreshold: 0.5 + i,
          condition: "less",
          priority: "P2",
          tags: ["$tag_1.name"],
        },
        definitionMetricsJson: ['{"metric": "purchase::event_count"}'],
        subscribers: [{ type: "user", id: "user-1" }],
      },
    })),
    { kind: "GateLaunch", name: "launch", args: { gate: "outside" } },
  ];
}

/** A gate; every few one has something of its own. */
function gate(index: number, text: string): Declared {
  const args: JsonObject = {
    description: text,
    tags: index % 4 === 0 ? ["$tag_0.name", "$tag_1.name"] : [],
    targetApps: index % 6 === 0 ? ["$app_0.name"] : [],
    rules: index % 3 === 0 ? [mail("@example.com"), everyone] : [everyone],
    ...(index % 5 === 1 ? { status: ["Launched", "Disabled", "Archived"][index % 3] } : {}),
    ...(index % 5 === 2 ? { isEnabled: false } : {}),
  };
  if (index % 7 === 0)
    args.rules = [
      { ...everyone, conditions: [{ type: "passes_segment", targetValue: `$ruled_${index % 3}.id` }] },
    ];
  return { kind: "Gate", name: `gate_${index}`, args };
}

/** A dynamic config. */
function config(index: number, text: string): Declared {
  const rule = { ...everyone, returnValue: { most: index, text } };
  return {
    kind: "DynamicConfig",
    name: `config_${index}`,
    args: { description: text, defaultValue: { most: 1 }, rules: [rule], tags: ["$tag_2.name"] },
  };
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
    ...times(left - configs, (index) => gate(index, text)),
    ...times(configs, (index) => config(index, text)),
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
