import { keptByConsole } from "../decisions/plan";
import { inputNames, type ResourceDefinition } from "../schema/define";
import { isObject, type JsonObject, picked } from "../schema/json";
import { type Path, propertyText } from "../schema/path";
import { isNothing } from "../values/compare";
import { managedNames } from "../values/managed";
import { optionsOf } from "../values/options";
import { differingPlaces } from "../values/places";

/** One place that differs. */
export interface Difference {
  /** A property path of Pulumi: `rules[0].passPercentage`, `defaultValue["x.y"]`. */
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
  /** Paths of which Pulumi ignores changes. */
  readonly ignored?: readonly string[];
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
  const kept = keptByConsole(definition, managedNames(definition, inputs), news);
  const found = between(
    inputs,
    names.filter((name) => !kept.includes(name)),
    true,
  );
  if (found.length > 0) return found;
  const set = names.filter((name) => news[name] !== undefined);
  return between(picked(state, set), set, false);
}

function differencesOf(definition: ResourceDefinition, name: string, from: unknown, to: unknown) {
  if (isNothing(from) && isNothing(to)) return [];
  if (from === undefined) return [{ path: name, kind: "add" as const }];
  if (to === undefined) return [{ path: name, kind: "delete" as const }];
  const [olds, news] = [{ [name]: from }, { [name]: to }];
  const paths = differingPlaces(definition, name, { live: from, program: to }).map(({ path }) =>
    propertyText(placeIn(olds, news, path)),
  );
  return [...new Set(paths)].sort().map((path) => ({ path, kind: "update" as const }));
}

/**
 * The innermost place on a path that two values have, where Pulumi finds what to show. A list without an order is one place, and so is
 * one whose elements, known by their names, stand elsewhere.
 */
function placeIn(from: unknown, to: unknown, [step, ...rest]: Path): Path {
  if (step === undefined) return [];
  if (Array.isArray(from) && Array.isArray(to)) {
    const named = (list: readonly unknown[]) => list.findIndex((one) => isObject(one) && one.name === step);
    const index = typeof step === "number" ? step : named(to);
    const [left, right] = [from[index], to[index]];
    const isSame = typeof step === "number" || named(from) === index;
    if (!isSame || !isObject(left) || !isObject(right)) return [];
    return [index, ...placeIn(left, right, rest)];
  }
  if (!isObject(from) || !isObject(to) || typeof step === "number") return [];
  return [step, ...placeIn(from[step], to[step], rest)];
}
