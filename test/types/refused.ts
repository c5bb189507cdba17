// Compiled and never run: a program that says what stands here must not compile.

import * as fc from "../../src/index";
import type { ConsoleClient } from "../../src/provider/client";

declare const gate: fc.Gate;
declare const staff: fc.Segment;
declare const tag: fc.Tag;
declare const units: fc.UnitIdType;
declare const state: fc.GateState;
const rule: fc.GateRuleArgs = { name: "Staff", passPercentage: 12.5, conditions: [] };

/** Arguments. */
export const args: fc.GateArgs[] = [
  // @ts-expect-error: no argument of that name
  { descripton: "a slip" },
  // @ts-expect-error: only the console sets it
  { createdTime: 1 },
  // @ts-expect-error: one of four
  { status: "Running" },
  // @ts-expect-error: null does not clear a description
  { description: null },
  // @ts-expect-error: text, not a number
  { description: 1 },
  // @ts-expect-error: a list of rules
  { rules: rule },
  // @ts-expect-error: archive, delete or retain
  { onDelete: "remove" },
  // @ts-expect-error: a gate has no such option
  { validate: true },
  // @ts-expect-error: true or false
  { isEnabled: "yes" },
  // @ts-expect-error: a member of a setting
  { reviewSettings: { requireReview: true } },
  // @ts-expect-error: tags are text
  { tags: [1] },
  // @ts-expect-error: a gate is no unit id type
  { idType: gate },
  // @ts-expect-error: a segment is no tag
  { tags: [staff] },
  // @ts-expect-error: a tag is no pipeline
  { releasePipelineID: tag },
  // @ts-expect-error: nor does a resource stand for text that is no id
  { description: gate },
  // @ts-expect-error: nor for the names of apps
  { targetApps: [gate] },
];

/** Rules. */
export const rules: fc.GateRuleArgs[] = [
  // @ts-expect-error: a share is needed
  { name: "Staff", conditions: [] },
  // @ts-expect-error: the console gives rules their ids
  { ...rule, id: "from-the-console" },
  // @ts-expect-error: a gate's rule has no value
  { ...rule, returnValue: {} },
  // @ts-expect-error: a number
  { ...rule, passPercentage: "10" },
  // @ts-expect-error: a list
  { ...rule, environments: "production" },
];

/** Conditions. */
export const conditions: fc.ConditionArgs[] = [
  // @ts-expect-error: no such type
  { type: "mail", operator: "any", targetValue: [] },
  // @ts-expect-error: no such operator
  { type: "email", operator: "contains", targetValue: [] },
  // @ts-expect-error: unusual for it
  { type: "email", operator: "gt", targetValue: 1 },
  // @ts-expect-error: nothing to compare with
  { type: "email", operator: "any" },
  // @ts-expect-error: everyone is everyone
  { type: "public", targetValue: ["a"] },
  // @ts-expect-error: a version is text
  { type: "app_version", operator: "version_gt", targetValue: 1 },
  // @ts-expect-error: a time is a number
  { type: "time", operator: "after", targetValue: "tomorrow" },
  // @ts-expect-error: which field?
  { type: "custom_field", operator: "gt", targetValue: 1 },
  // @ts-expect-error: which unit?
  { type: "unit_id", operator: "any", targetValue: ["a"] },
  // @ts-expect-error: a field is for custom fields
  { type: "email", operator: "any", targetValue: ["a"], field: "x" },
  // @ts-expect-error: one gate
  { type: "passes_gate", targetValue: ["a", "b"] },
  // @ts-expect-error: a segment is no gate
  { type: "passes_gate", targetValue: staff },
  // @ts-expect-error: a gate is no segment
  { type: "passes_segment", targetValue: gate },
  // @ts-expect-error: among the segments neither
  { type: "passes_segment", targetValue: [staff, gate] },
  // @ts-expect-error: unusual, and no operator at all
  fc.unusual({ type: "email", operator: "contains" }),
];

/** Conditions of segments know fewer types. */
export const inSegment: fc.SegmentConditionArgs[] = [
  // @ts-expect-error: not in segments
  { type: "passes_gate", targetValue: gate },
  // @ts-expect-error: nor this
  { type: "public" },
];

// @ts-expect-error: a layer needs a unit id type
export const incomplete = new fc.Layer("incomplete");
// @ts-expect-error: a layer cannot be archived
export const archived: fc.LayerArgs = { idType: units, onDelete: "archive" };
// @ts-expect-error: overrides are of something
export const ownerless = new fc.GateOverrides("qa", { passingUserIDs: ["qa_1"] });
// @ts-expect-error: of a gate
export const misplaced = new fc.GateOverrides("qa", { gate: staff });
// @ts-expect-error: a set of ids is no text
export const ids: fc.SegmentArgs = { type: "id_list", ids: "vip.txt" };
// @ts-expect-error: the plain form holds no resource
export const plain: fc.Plain<fc.GateArgs> = { idType: units };
// @ts-expect-error: no output of that name
export const output = gate.createTime;
// @ts-expect-error: null in the API, so absent in state
export const absent: string = state.lastModifierEmail;
// @ts-expect-error: an option is no part of an answer
export const option = fc.getGate({ id: "a" }).then(({ adopt }) => adopt);
// @ts-expect-error: which gate?
export const which = fc.getGate();
// @ts-expect-error: no such filter
export const filter = fc.listGates({ colour: "red" });

interface Limits {
  most: number;
}
// @ts-expect-error: a number
export const limits = new fc.DynamicConfig<Limits>("limits", { defaultValue: { most: "3" } });
export const typedRule: fc.DynamicConfigArgs<Limits> = {
  // @ts-expect-error: the same in a rule
  rules: [{ name: "Staff", conditions: [], returnValue: { least: 1 } }],
};
export const layer: fc.LayerArgs<{ price: number }> = {
  idType: "userID",
  // @ts-expect-error: none of its values is text
  parameters: [{ name: "price", type: "number", defaultValue: "3" }],
};

declare const client: ConsoleClient;
/** The client. */
export const calls = () => [
  // @ts-expect-error: which gate?
  client.gate.get(),
  // @ts-expect-error: its id
  client.gate.get({ key: "a_gate" }),
  // @ts-expect-error: and the rule's
  client.gate.patchRule({ id: "a_gate", body: {} }),
  // @ts-expect-error: true or false
  client.gate.patch({ id: "a_gate", body: { isEnabled: "yes" } }),
  // @ts-expect-error: a read has no body
  client.gate.get({ id: "a_gate", body: {} }),
  // @ts-expect-error: no such filter
  client.gate.list({ query: { colour: "red" } }),
  // @ts-expect-error: a group, and a reason
  client.experiment.makeDecision({ id: "an_experiment", body: { decisionReason: "better" } }),
  // @ts-expect-error: a list is read one by one
  client.gate.list().length,
];
