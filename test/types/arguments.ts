// Compiled and never run: every line is a promise of the generated types. What must not compile is in refused.ts.
import * as pulumi from "@pulumi/pulumi";
import * as fc from "../../src/index";
import type { ConsoleClient } from "../../src/provider/client";

const text = pulumi.output("text");
const texts = pulumi.output(["one", "two"]);
const rule: fc.GateRuleArgs = { name: "Staff", passPercentage: 12.5, conditions: [{ type: "public" }] };

export const gate = new fc.Gate("gate");
export const staff = new fc.Segment("staff", { type: "rule_based" });
export const units = new fc.UnitIdType("units", { description: "Companies" });
export const tag = new fc.Tag("shop", { description: "Shop" });
export const app = new fc.TargetApp("web", { description: "Web" });
export const layer = new fc.Layer("layer", { idType: units });
export const experiment = new fc.Experiment("experiment", { groups: [] });
export const pipeline = new fc.ReleasePipeline("pipeline", { phases: [] });

/** A rule in a variable keeps its literals, and an error in it stands where it is. */
const inVariable = {
  ...{ name: "Staff", passPercentage: 100 },
  conditions: [{ type: "email", operator: "any", targetValue: ["ann@example.com"] }],
} satisfies fc.GateRuleArgs;
export const ofVariables = new fc.Gate("of_variables", { rules: [inVariable] });

/** Every argument may be left out, said, or said to be undefined; null clears what can be cleared. */
export const silent = new fc.Gate("silent", { description: undefined, rules: [rule], team: null });

/** An output may stand at every depth. */
export const outputs: fc.GateArgs[] = [
  { description: text },
  { description: Promise.resolve("text") },
  { tags: texts },
  { tags: [text, "b"] },
  { rules: pulumi.output([rule]) },
  { rules: [pulumi.output(rule)] },
  { rules: [{ name: text, passPercentage: pulumi.output(10), conditions: [] }] },
  { rules: [{ ...rule, environments: texts }] },
  { rules: [{ ...rule, conditions: [{ type: "email", operator: "any", targetValue: texts }] }] },
  { rules: [{ ...rule, conditions: [{ type: "email", operator: "any", targetValue: [text, "b"] }] }] },
  { isEnabled: pulumi.output(true), status: pulumi.output("Launched" as const) },
  { reviewSettings: { requiredReview: pulumi.output(true) } },
  { onDelete: pulumi.output("retain" as const), adopt: pulumi.output(true) },
];

/** A resource stands for its id, where the id of such an object is meant. */
export const references = [
  new fc.Gate("of_units", { idType: units }),
  new fc.Gate("tagged", { tags: [tag, "beta"] }),
  new fc.Gate("staged", { releasePipelineID: pipeline }),
  new fc.Gate("asking_gate", {
    rules: [{ ...rule, conditions: [{ type: "passes_gate", targetValue: gate }] }],
  }),
  new fc.Gate("asking_segment", {
    rules: [{ ...rule, conditions: [{ type: "passes_segment", targetValue: staff }] }],
  }),
  new fc.Gate("asking_segments", {
    rules: [{ ...rule, conditions: [{ type: "fails_segment", targetValue: [staff, "guests", staff.id] }] }],
  }),
  new fc.Gate("of_units_by_id", { idType: units.id }),
  new fc.Holdout("holding", { gateIDs: [gate, gate.id], experimentIDs: [experiment], layerIDs: [layer] }),
  new fc.Holdout("targeted", { targetingGateID: gate }),
  new fc.Experiment("in_layer", { groups: [], layerID: layer, targetingGateID: gate }),
  new fc.GateOverrides("qa", { gate, passingUserIDs: ["qa_1"] }),
  new fc.ExperimentOverrides("qa", {
    experiment,
    overrides: [
      { type: "gate", id: gate, groupID: experiment.groups.apply((groups) => groups[0]?.id ?? "") },
      { type: "segment", id: staff, groupID: "a" },
    ],
  }),
  new fc.LayerOverrides("qa", { layer, idOverrides: [{ groupName: "A", ids: ["qa_1"], idType: units }] }),
  new fc.GateLaunch("launch", { gate }),
];

/** Every usual condition. */
export const conditions: fc.ConditionArgs[] = [
  { type: "public" },
  { type: "user_id", operator: "any", targetValue: ["a", "b"] },
  { type: "email", operator: "str_contains_any", targetValue: "@example.com" },
  { type: "email", operator: "str_matches", targetValue: "@example[.](com|org)$" },
  { type: "device_model", operator: "str_contains_any", targetValue: "Pixel" },
  { type: "device_model", operator: "is_null" },
  { type: "unit_id", operator: "str_matches", targetValue: ["^c"], customID: units },
  { type: "app_version", operator: "version_gte", targetValue: "1.2.3" },
  { type: "time", operator: "after", targetValue: 1_700_000_000_000 },
  { type: "environment_tier", targetValue: ["production"] },
  { type: "custom_field", operator: "gt", targetValue: 3, field: "level" },
  { type: "custom_field", operator: "any", targetValue: ["a", 1], field: text },
  { type: "custom_field", operator: "is_null", field: "level" },
  { type: "unit_id", operator: "any", targetValue: ["c1"], customID: units },
  { type: "passes_gate", targetValue: "another" },
  { type: "javascript", operator: null, targetValue: null },
];

/** A value that this version does not know is sayable too, in its place. */
export const unknownValues: fc.GateArgs = { type: fc.unusual("NEW_TYPE"), tags: fc.unusual(["a", 1]) };

/** What is unusual is sayable without `any`. */
export const unusual: fc.GateRuleArgs = {
  ...rule,
  conditions: [
    fc.unusual({ type: "country", operator: "str_matches", targetValue: "^N" }),
    fc.unusual({ type: "country", operator: "is_null" }),
    fc.unusual({ type: "time", operator: "after", targetValue: pulumi.output("tomorrow") }),
  ],
};

/** Arguments of a component are those of the resource. */
interface RolloutArgs extends fc.GateArgs {
  readonly share: pulumi.Input<number>;
}

export class Rollout extends pulumi.ComponentResource {
  readonly gate: fc.Gate;
  constructor(name: string, { share, ...args }: RolloutArgs, options?: pulumi.ComponentResourceOptions) {
    super("types:index:Rollout", name, {}, options);
    const everyone: fc.GateRuleArgs = { name: "Everyone", passPercentage: share, conditions: [] };
    this.gate = new fc.Gate(name, { ...args, rules: [everyone] }, { parent: this });
  }
}
export const rollout = new Rollout("rollout", {
  share: text.apply(Number),
  description: text,
  idType: units,
});

/** The plain form holds neither outputs nor resources. */
export const plain: fc.Plain<fc.GateArgs> = {
  description: "text",
  rules: [
    { name: "Staff", passPercentage: 1, conditions: [{ type: "passes_segment", targetValue: "staff" }] },
  ],
};
export const plainText: string | undefined = plain.description;

/** A set of ids is a list, a file, or an asset. */
export const idSets: fc.SegmentArgs[] = [
  { type: "id_list", ids: ["a", text] },
  { type: "id_list", ids: { file: "vip.txt" } },
  { type: "id_list", ids: new pulumi.asset.FileAsset("vip.txt") },
];

/** State has what the console adds, and the console's marks are always there. */
export function fromState(state: fc.GateState): [string, string[], string, number] {
  return [state.rules[0]?.id ?? "", state.targetApps, state.status, state.createdTime];
}

/** Every output is there as a property. */
export const properties = {
  ids: gate.rules.apply((rules) => rules.map(({ id }) => id.toUpperCase())),
  created: gate.createdTime.apply((time) => time.toFixed()),
  page: gate.permalink.apply((page) => page ?? "none"),
};

/** A lookup answers what an answer holds. */
export async function looked(): Promise<(string | number)[]> {
  const { name, rules, createdTime } = await fc.getGate({ id: "a_gate" });
  const { rules: same } = await fc.listGateRules({ id: "a_gate" });
  const overrides = await fc.getGateOverrides({ id: "a_gate" });
  const [alert] = await fc.listAlerts();
  const [event] = await fc.listAlertEvents({ id: "an_alert" });
  return [
    ...[name.trim(), createdTime, rules.length, same[0]?.passPercentage ?? 0],
    ...[overrides.passingUserIDs?.length ?? 0, alert?.name ?? "", event?.eventType ?? "raise"],
  ];
}
export const lookedUp: pulumi.Output<string> = fc.getGateOutput({ id: gate }).name;

/** A program may give its values a type; without one they are any JSON object. */
interface Limits {
  most: number;
  text?: string;
}
export const loose = new fc.DynamicConfig("loose", {
  defaultValue: { most: 3, anything: [text] },
  rules: [{ name: "Others", conditions: [], returnValue: { another: true } }],
});
export const limits = new fc.DynamicConfig<Limits>("limits", {
  defaultValue: { most: text.apply(Number) },
  rules: [{ name: "Staff", conditions: [], returnValue: pulumi.output({ most: 4, text: "four" }) }],
});
export const most: pulumi.Output<number> = limits.defaultValue.apply(({ most }) => most);
export const prices = new fc.Layer<{ price: number; currency: string }>("prices", {
  idType: "userID",
  parameters: [{ name: "price", type: "number", defaultValue: 3 }],
});
export const priced = new fc.Experiment<{ price: number }>("priced", {
  layerID: prices,
  groups: [
    { name: "A", size: 50, parameterValues: { price: 3 } },
    { name: "B", size: 50, parameterValues: { price: 4 } },
  ],
});

/** The client's methods are typed by the operation: the path's parameters, the query, the body and the answer. */
export async function called(client: ConsoleClient): Promise<(string | number)[]> {
  const gate = await client.gate.patch({ id: "a_gate", body: { isEnabled: false, rules: [] } });
  const made = await client.gate.create({ body: { id: "another", name: "Another", idType: "userID" } });
  await client.gate.patchRule({ id: "a_gate", ruleID: "a_rule", body: { passPercentage: 10 } });
  await client.experiment.start({ id: "an_experiment" });
  await client.segment.archive({ id: "a_segment" });
  for await (const { name } of client.gate.list({ query: { tags: ["shop"], limit: 10 } }))
    return [name ?? ""];
  for await (const { id } of client.tag.list()) return [id ?? ""];
  return [gate.name ?? "", gate.createdTime ?? 0, made.id ?? "", String(made.anything)];
}

/** Which of two types with the same forms may be left open. */
export function asking(type: "passes_gate" | "fails_gate", key: string): fc.GateRuleArgs {
  return { ...rule, conditions: [{ type, targetValue: key }] };
}
