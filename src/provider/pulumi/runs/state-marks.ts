import { seenMarks } from "../../engine";
import type { ResourceDefinition } from "../../schema/define";
import { consoleMember, formatMember, resourceMember, stackMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { stateOf } from "../../values/managed";
import { stateFormat } from "../../values/upgrade";
import type { ProviderProcess } from "../process";
import { toPulumi } from "../wire";

/** What goes into state after a write. */
export function outputsOf(
  process: ProviderProcess,
  definition: ResourceDefinition,
  { live, args, marks }: Readonly<Record<"live" | "args" | "marks", JsonObject>>,
): JsonObject {
  const seen = seenMarks(process.context(), definition, args, live);
  return toPulumi({ ...stateOf(definition, live, args), ...marks, ...seen });
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
