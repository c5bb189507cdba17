import { heldMember, kindsMember, secretsMember } from "../core/internal";
import { isObject, type JsonObject } from "../core/json";
import type { Path } from "../core/path";

/** Kinds of the resources that the program passed, by the path of the argument. */
export function kindsIn(news: JsonObject): Readonly<Record<string, string>> {
  const kinds = news[kindsMember];
  return isObject(kinds) ? (kinds as Record<string, string>) : {};
}

/** Where in the arguments the program has secrets. Pulumi hands a provider the values without a word. */
export function secretPaths(news: JsonObject): Path[] {
  const paths = news[secretsMember];
  return Array.isArray(paths) ? (paths as Path[]) : [];
}

/** What names the object that state has for the resource, as far as the program can tell. */
export function heldIn(news: JsonObject): JsonObject | undefined {
  const held = news[heldMember];
  return isObject(held) ? held : undefined;
}
