import type { JsonObject } from "../../src/provider/schema/json";
import type { Adapter } from "../laws/subject";
import { type Declared, declared, programText } from "../world/programs";

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
): Declared[] => times(count, (index) => declared(kind, `${name}_${index}`, args(index)));
/** The name of a tag or an app, which is not its id. */
const nameIn = (resource: string) => ({ $code: `made["${resource}"].name` });
const idOf = (resource: string) => ({ $id: resource });

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
    ...several(3, "tag", "tag", (i) => ({ description: text, isCore: i === 1 })),
    ...several(2, "unitIdType", "unit", () => ({ description: text })),
    ...several(2, "targetApp", "app", () => ({ description: text })),
    ...several(3, "segment", "ruled", (i) => ({
      ...{ type: "rule_based", tags: [nameIn("tag.tag_0")], rules: [mail(`@${i}.${text}`)] },
    })),
    ...several(3, "segment", "listed", (i) => ({
      type: i === 2 ? "user_store_id_list" : "id_list",
      ids: times(20 + text.length, (n) => `u${i}-${n}`),
    })),
    ...several(2, "metricSource", "purchases", (i) => ({ ...source(i), description: text })),
    ...several(2, "assignmentSource", "exposures", (i) => ({
      ...{ ...source(i), description: text, experimentIDColumn: "experiment", groupIDColumn: "grp" },
    })),
    ...several(4, "metric", "metric", () => ({
      ...{ type: "sum", unitTypes: ["userID"], metricEvents: [{ name: "purchase", type: "value" }] },
      ...{ description: text, tags: [nameIn("tag.tag_2")] },
    })),
    ...several(2, "releasePipeline", "pipeline", () => ({ triggerNotice: text, phases: [staff] })),
    ...several(3, "layer", "layer", () => ({
      ...{ idType: "userID", description: text },
      parameters: [{ name: "colour", type: "string", defaultValue: `blue ${text}` }],
    })),
    declared("environments", "environments", { environments }),
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
    { ...base, layerID: idOf("layer.layer_0"), allocation: 40 },
    { ...base, status: "active", tags: [nameIn("tag.tag_0")] },
    {
      ...base,
      status: "active",
      layerID: idOf("layer.layer_1"),
      allocation: 30,
      disabledGroups: ["Control"],
    },
    { ...over, status: "decision_made", ...decided },
    { ...over, status: "abandoned", decisionReason: "No effect" },
    { ...over, status: "archived" },
  ];
  return several(states.length, "experiment", "experiment", (i) => states[i] ?? {});
}

/** What refers to much of the rest: 10 resources. */
function superstructure(text: string): Declared[] {
  return [
    ...several(3, "holdout", "holdout", (i) => ({
      ...{ description: text, passPercentage: 2.5, isEnabled: i !== 1 },
      ...{ gateIDs: [idOf(`gate.gate_${i}`), idOf(`gate.gate_${i + 3}`)], layerIDs: [idOf("layer.layer_2")] },
      experimentIDs: [idOf("experiment.experiment_0")],
    })),
    ...several(3, "paramStore", "store", (i) => ({
      ...{ displayName: `Store ${i}`, description: text, tags: [nameIn("tag.tag_0")] },
      parameters: [
        { name: "title", refType: "static", paramType: "string", value: text },
        {
          ...{ name: "colour", refType: "gate", paramType: "string", gateName: idOf(`gate.gate_${i}`) },
          ...{ passValue: "green", failValue: "blue" },
        },
      ],
    })),
    ...several(3, "alert", "alert", (i) => ({
      ...{ message: text, alertThreshold: 0.5 + i, condition: "less", priority: "P2" },
      ...{ tags: [nameIn("tag.tag_1")], definitionMetricsJson: ['{"metric": "purchase::event_count"}'] },
      subscribers: [{ type: "user", id: "user-1" }],
    })),
    declared("gateLaunch", "launch", { gate: "outside" }),
  ];
}

/** A gate; every few one has something of its own. */
function gate(index: number, text: string): JsonObject {
  const rules = index % 3 === 0 ? [mail("@example.com"), everyone] : [everyone];
  const asking = [{ type: "passes_segment", targetValue: idOf(`segment.ruled_${index % 3}`) }];
  const status = index % 5 === 1 ? ["Launched", "Disabled", "Archived"][index % 3] : undefined;
  return {
    // What stays archived takes no change.
    description: status === "Archived" ? "archived" : text,
    tags: index % 4 === 0 ? [nameIn("tag.tag_0"), nameIn("tag.tag_1")] : [],
    targetApps: index % 6 === 0 ? [nameIn("targetApp.app_0")] : [],
    rules: index % 7 === 0 ? [{ ...everyone, conditions: asking }] : rules,
    ...(status === undefined ? {} : { status }),
    ...(index % 5 === 2 ? { isEnabled: false } : {}),
  };
}

/** A dynamic config. */
function config(index: number, text: string): JsonObject {
  const rule = { ...everyone, returnValue: { most: index, text } };
  return { description: text, defaultValue: { most: 1 }, rules: [rule], tags: [nameIn("tag.tag_2")] };
}

/**
 * A program of that many resources of every kind, with references between them; what is left to the number are gates and
 * one dynamic config to five of them. `text`: stands in every one of them.
 */
export function declare(resources: number, text = "first"): Declared[] {
  const [base, top] = [foundation(text), [...experiments(text), ...superstructure(text)]];
  // Holdouts name the first six gates.
  const left = Math.max(8, resources - base.length - top.length);
  const configs = Math.floor(left / 6);
  return [
    ...base,
    ...several(left - configs, "gate", "gate", (index) => gate(index, text)),
    ...several(configs, "dynamicConfig", "config", (index) => config(index, text)),
    ...top,
  ];
}

/**
 * The same program later: another text in each, two of each tenth gone, some under another key, some new.
 */
export function change(before: readonly Declared[]): Declared[] {
  const after = declare(before.length, "second");
  const isFree = ({ kind, name }: Declared) => kind === "gate" && Number(name.slice(5)) > 8;
  return after.flatMap((one): Declared[] => {
    const number = Number(/\d+$/.exec(one.name)?.[0]);
    if (isFree(one) && number % 10 === 3) return [];
    if (isFree(one) && number % 10 === 4)
      return [
        { ...one, args: { ...one.args, key: `${one.name}_other` } },
        { ...one, name: `new_${number}` },
      ];
    if (one.kind === "tag" && number === 2) return [{ ...one, args: { ...one.args, name: "tag_other" } }];
    if (one.kind === "alert" && number === 2) return [];
    return [one];
  });
}

/** Objects that the program refers to and does not make. */
export const beside = { gates: [{ name: "outside" }] };

/** The program's text, in JavaScript: a compiler would take longer than what it compiles. */
export function textOf(program: readonly Declared[], adapter: Adapter): string {
  const module = adapter === "native" ? "pulumi-feature-console/native" : "pulumi-feature-console";
  return `const fc = require("${module}");\n${programText(program)}`;
}
