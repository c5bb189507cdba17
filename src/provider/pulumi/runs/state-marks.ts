import { seenMarks } from "../../engine";
import {
  consoleMember,
  explicitMember,
  formatMember,
  projectMember,
  resourceMember,
  reviewsMember,
  stackMember,
} from "../../schema/internal";
import { type JsonObject, picked } from "../../schema/json";
import { partialStateOf, stateOf } from "../../values/managed";
import { stateFormat } from "../../values/upgrade";
import type { KindInProcess, ProviderProcess } from "../process";
import { toPulumi } from "../wire";

/** Outputs for the state after a write. `before`: the arguments of last time. Of a change that waits for a review, state has nothing. */
export function outputsOf(
  { definition, process }: KindInProcess,
  { live, args, marks, before }: Readonly<Record<"live" | "args" | "marks" | "before", JsonObject>>,
): JsonObject {
  const seen = seenMarks(process.declared(definition, args), live);
  const reviews = picked(live, [reviewsMember]);
  const state =
    reviewsMember in live ? partialStateOf(definition, live, args, before) : stateOf(definition, live, args);
  return toPulumi({ ...state, ...marks, ...seen, ...reviews });
}

/** A mark that no other resource has. */
export function newSelf({ ports }: ProviderProcess): string {
  return ports.random().toString(36).slice(2);
}

/**
 * Members of a state beside the object: in which form it is written, where the object is, and whose it is. Asks for the project, once a
 * run. `before`: the state of last time. @throws ConsoleError where the console cannot be reached.
 */
export async function marksOf(
  process: ProviderProcess,
  inputs: JsonObject,
  before: JsonObject = {},
): Promise<JsonObject> {
  const stack = process.stack.mark();
  return {
    [formatMember]: stateFormat,
    ...(await placeMarks(process, before)),
    ...(stack === undefined ? {} : { [stackMember]: stack }),
    ...(inputs[resourceMember] === undefined ? {} : { [resourceMember]: inputs[resourceMember] }),
  };
}

/** Members of a state that name the place of the object. */
export async function placeMarks(process: ProviderProcess, before: JsonObject): Promise<JsonObject> {
  const project = (await process.session().project()) ?? before[projectMember];
  const explicit = process.explicit ?? before[explicitMember];
  return {
    [consoleMember]: process.session().console,
    ...(project === undefined ? {} : { [projectMember]: project }),
    ...(explicit === undefined ? {} : { [explicitMember]: explicit }),
  };
}
