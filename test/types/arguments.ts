// Compiled and never run: every expected error below is a promise of the generated types.
import * as fc from "../../src/index";

const rule: fc.GateRule = { name: "Staff", passPercentage: 12.5, conditions: [{ type: "public" }] };

/** Every argument may be left out, said, or said to be undefined. */
export const gate = new fc.Gate("gate");
export const silent = new fc.Gate("silent", { description: undefined, rules: [rule], team: null });

/** Where text is wanted, a resource stands for its id. */
export const referring = new fc.Gate("referring", {
  rules: [{ ...rule, conditions: [{ type: "passes_gate", targetValue: gate }] }],
});

// @ts-expect-error: no argument of that name
export const unknownMember: fc.GateArgs = { descripton: "a slip" };

// @ts-expect-error: only the console sets it
export const outputAsArgument: fc.GateArgs = { createdTime: 1 };

// @ts-expect-error: the same slip in a constructor
export const unknownInConstructor = new fc.Gate("unknown", { descripton: "a slip" });

// @ts-expect-error: the console gives rules their ids
export const ruleWithId: fc.GateRule = { ...rule, id: "from-the-console" };

export const ruleWithIdInArguments: fc.GateArgs = {
  // @ts-expect-error: the same inside of arguments
  rules: [{ name: "Staff", passPercentage: 1, conditions: [], id: "from-the-console" }],
};

// @ts-expect-error: one of four
export const wrongStatus: fc.GateArgs = { status: "Running" };

// @ts-expect-error: null does not clear a description
export const nullDescription: fc.GateArgs = { description: null };

// @ts-expect-error: a layer needs a unit id type
export const incomplete = new fc.Layer("incomplete");

// @ts-expect-error: a layer cannot be archived
export const archivedLayer: fc.LayerArgs = { idType: "userID", onDelete: "archive" };

/** State has what the console adds. */
export function fromState(state: fc.GateState): [string | undefined, string[], string, number] {
  return [state.rules[0]?.id, state.targetApps, state.status, state.createdTime];
}

/** What may be absent must be asked for. */
export function absent(state: fc.GateState): string {
  // @ts-expect-error: null in the API, so absent in state
  return state.lastModifierEmail;
}

/** Every output is there as a property. */
export const outputs = {
  ids: gate.rules.apply((rules) => rules.map(({ id }) => id ?? "none")),
  created: gate.createdTime.apply((time) => time.toFixed()),
  reviewer: gate.activeReview.apply((review) => review?.reviewID ?? "nobody"),
};

// @ts-expect-error: no output of that name
export const unknownOutput = gate.createTime;
