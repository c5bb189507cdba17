import type { Problem } from "../../schema/define";
import { isObject, type JsonObject } from "../../schema/json";
import { UNKNOWN } from "../../schema/unknown";
import { quote } from "../../texts/issue-text";

/** Findings about each object of a list, with its place before theirs. */
export function inEach<P extends Problem>(
  args: JsonObject,
  list: string,
  find: (one: JsonObject, index: number) => readonly P[],
): P[] {
  const all = args[list];
  if (!Array.isArray(all)) return [];
  return all.flatMap((one: unknown, index) =>
    isObject(one) ? find(one, index).map((found) => ({ ...found, path: [list, index, ...found.path] })) : [],
  );
}

/** Problems of the objects of a list that have the name of an earlier one. */
export function repeatedNames(args: JsonObject, list: string, noun: string): Problem[] {
  const places = new Map<string, number>();
  return inEach(args, list, ({ name }, index): Problem[] => {
    if (typeof name !== "string" || name === UNKNOWN) return [];
    const first = places.get(name);
    if (first === undefined) places.set(name, index);
    const message = `${quote(name)} is the name of ${list}[${first}] too; ${noun} names are unique`;
    return first === undefined ? [] : [{ path: ["name"], message }];
  });
}
