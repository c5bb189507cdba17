import { lastMarkOf } from "../schema/audit";
import type { ResourceDefinition } from "../schema/define";
import { seenMember } from "../schema/internal";
import type { JsonObject } from "../schema/json";
import { isStatusOfConsole, movesByItself } from "../values/console-owned";
import { lastProgramIn, managedView, viewOf } from "../values/managed";
import { matchesArgs } from "../values/sparse-values";

/** The version, or time of change, of an object that was seen, as members of its state. Nothing where reads show neither. */
export function seenMark(definition: ResourceDefinition, live: JsonObject): JsonObject {
  const seen = lastMarkOf(definition, live);
  return seen === undefined ? {} : { [seenMember]: seen };
}

/** What somebody has done to an object since state was last refreshed. */
export interface ConcurrentEdit {
  /** Version or time of change, then and now; undefined where values alone tell. */
  readonly from: unknown;
  readonly to: unknown;
  /** Fields that are not as they were. */
  readonly names: readonly string[];
}

/**
 * The edit that a live object shows and state does not know; undefined where there is none. Without a mark in state, as before
 * the protection was switched on, values alone tell. What the console owns, or moves by a schedule, is no edit.
 */
export function concurrentEdit(
  definition: ResourceDefinition,
  state: JsonObject,
  live: JsonObject,
): ConcurrentEdit | undefined {
  const names = changedNames(definition, state, live);
  const [from, to] = [state[seenMember], lastMarkOf(definition, live)];
  const isMarked = from !== undefined && to !== undefined;
  if (names.length === 0 && (!isMarked || from === to || movesByItself(definition, state, live)))
    return undefined;
  return isMarked && from === to ? undefined : { from, to, names };
}

function changedNames(definition: ResourceDefinition, state: JsonObject, live: JsonObject): string[] {
  const now = managedView(definition, { live, lastProgram: lastProgramIn(state) });
  const seen = viewOf(definition, state);
  return Object.entries(definition.fields).flatMap(([name, { traits }]) => {
    if (traits.volatile || traits.remembered || traits.readsOtherId || traits.audit !== undefined) return [];
    if (isStatusOfConsole(definition, name, state, live)) return [];
    return matchesArgs(definition, name, seen[name], now[name]) ? [] : [name];
  });
}
