import { z } from "zod";
import type { Problem } from "../../schema/define";
import { nested, optional } from "../../schema/field";
import { isObject, type JsonObject } from "../../schema/json";
import { UNKNOWN } from "../../schema/unknown";
import { argumentName } from "../../texts/argument-names";
import { quote } from "../../texts/issue-text";

/** A name or key. People name things in the console as they like: only a new object has to keep to the limits. */
export const limitedName = (characters: RegExp, most = 100) =>
  nested(z.string().min(3).max(most).regex(characters), { limitedAtCreation: true });

/** Names and keys of gates and dynamic configs (console-api, section 8). */
export const dottedName = limitedName(/^[a-zA-Z0-9_\-. ]*$/);
export const dottedKey = limitedName(/^[a-zA-Z0-9_\-.]*$/);

/** Names of segments and layers, and keys of segments: no dot. */
export const plainName = limitedName(/^[a-zA-Z0-9_\- ]*$/);
export const plainKey = limitedName(/^[a-zA-Z0-9_-]*$/);

/** A name that is the key of the object, in any characters. */
export const nameAsKey = optional(z.string().min(1), "Its key. Left out: the resource name.", {
  replaces: true,
});

/** Descriptions of every kind but assignment sources. */
export const description = z.string().max(1000);

/** A share of units in percent; the console keeps two decimals. */
export const percentage = z.number().min(0).max(100).multipleOf(0.01);

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
    const message = `${quote(name)} is the name of ${argumentName(list)}[${first}] too; ${noun} names are unique`;
    return first === undefined ? [] : [{ path: ["name"], message }];
  });
}
