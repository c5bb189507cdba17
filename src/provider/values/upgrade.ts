import { keptNames } from "../schema/audit";
import type { ResourceDefinition } from "../schema/define";
import { unusableSettings } from "../schema/errors";
import { formatMember } from "../schema/internal";
import type { JsonObject } from "../schema/json";
import { canonical } from "./compare";

/** The form in which states are written now. 1, which does not say so, is that of 0.1. */
export const stateFormat = 2;

/**
 * Refuses a state that a later version wrote: this one would leave out what it does not know.
 * @param object in messages, for example `gate "checkout"`
 * @throws ConsoleError "settings".
 */
export function refuseNewerState(object: string, state: JsonObject): void {
  const format = state[formatMember];
  if (typeof format !== "number" || format <= stateFormat) return;
  throw unusableSettings(
    `A newer version of this provider wrote the state of ${object}, and this version cannot read it. ` +
      "Nothing was changed. Install the newer version of pulumi-feature-console, or of its plugin.",
  );
}

/** A value as state holds it. */
export function stored(definition: ResourceDefinition, name: string, value: unknown): unknown {
  return definition.fields[name]?.traits.valueType ? canonical(definition, name, value) : value;
}

/**
 * A state that an earlier version wrote, as this one writes it. Version 0.1 kept the ids of a segment themselves, and 0.2 the values
 * that only lookups show now.
 */
export function upgraded(definition: ResourceDefinition, state: JsonObject): JsonObject {
  const kept = keptNames(definition);
  const entries = Object.entries(state);
  const members = entries.flatMap(([name, value]): [string, unknown][] =>
    kept.has(name) || definition.fields[name] === undefined ? [[name, stored(definition, name, value)]] : [],
  );
  const isCurrent = members.length === entries.length && members.every(([name, now]) => now === state[name]);
  return isCurrent ? state : Object.fromEntries(members);
}
