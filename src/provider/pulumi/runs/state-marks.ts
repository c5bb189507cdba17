import { seenMarks } from "../../engine";
import type { ResourceDefinition } from "../../schema/define";
import {
  consoleMember,
  formatMember,
  resourceMember,
  reviewsMember,
  stackMember,
} from "../../schema/internal";
import { type JsonObject, picked } from "../../schema/json";
import { partialStateOf, stateOf } from "../../values/managed";
import { stateFormat } from "../../values/upgrade";
import type { ProviderProcess } from "../process";
import { toPulumi } from "../wire";

/** What goes into state after a write. `before`: the arguments of last time. Of a change that waits for a review, state has nothing. */
export function outputsOf(
  process: ProviderProcess,
  definition: ResourceDefinition,
  { live, args, marks, before }: Readonly<Record<"live" | "args" | "marks" | "before", JsonObject>>,
): JsonObject {
  const seen = seenMarks(process.context(), definition, args, live);
  const reviews = picked(live, [reviewsMember]);
  const state =
    reviewsMember in live ? partialStateOf(definition, live, args, before) : stateOf(definition, live, args);
  return toPulumi({ ...state, ...marks, ...seen, ...reviews });
}

/** A mark that no other resource has. */
export function newSelf({ ports }: ProviderProcess): string {
  return ports.random().toString(36).slice(2);
}

/** What a state tells beside the object: in which form it is written, where the object is, and whose it is. */
export function marksOf(process: ProviderProcess, inputs: JsonObject): JsonObject {
  const stack = process.mark();
  return {
    [formatMember]: stateFormat,
    [consoleMember]: process.console(),
    ...(stack === undefined ? {} : { [stackMember]: stack }),
    ...(inputs[resourceMember] === undefined ? {} : { [resourceMember]: inputs[resourceMember] }),
  };
}
