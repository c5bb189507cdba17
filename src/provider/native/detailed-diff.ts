import { inputNames, type ResourceDefinition } from "../schema/define";
import { type JsonObject, picked } from "../schema/json";
import { changedPaths, isNothing } from "../values/compare";
import { optionsOf } from "../values/options";

/** One place that differs. */
export interface Difference {
  /** As a program writes it: `rules[0].passPercentage`. */
  readonly path: string;
  readonly kind: "add" | "delete" | "update";
  readonly replaces: boolean;
  /** True for a difference of two arguments, false for one of the state and an argument. */
  readonly ofInputs: boolean;
}

/** The values of last time: the arguments, and the state that they led to. */
export interface LastValues {
  readonly inputs: JsonObject;
  readonly state: JsonObject;
}

/**
 * Every place at which the arguments differ in meaning from those of last time; where none does, from the state, in which a
 * refresh or a failed write left another value. `replaces`: names of arguments whose change replaces the object.
 */
export function detailedDiff(
  definition: ResourceDefinition,
  { inputs, state }: LastValues,
  news: JsonObject,
  replaces: readonly string[],
): Difference[] {
  const names = [...inputNames(definition), ...Object.keys(optionsOf(definition))];
  const between = (olds: JsonObject, compared: readonly string[], ofInputs: boolean) =>
    compared.flatMap((name) =>
      differencesOf(definition, name, olds[name], news[name]).map((one) => ({
        ...one,
        replaces: replaces.includes(name),
        ofInputs,
      })),
    );
  const found = between(inputs, names, true);
  if (found.length > 0) return found;
  const set = names.filter((name) => news[name] !== undefined);
  return between(picked(state, set), set, false);
}

function differencesOf(definition: ResourceDefinition, name: string, from: unknown, to: unknown) {
  if (isNothing(from) && isNothing(to)) return [];
  if (from === undefined) return [{ path: name, kind: "add" as const }];
  if (to === undefined) return [{ path: name, kind: "delete" as const }];
  return changedPaths(definition, name, from, to).map((path) => ({ path, kind: "update" as const }));
}
