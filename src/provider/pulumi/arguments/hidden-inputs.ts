import {
  formerUrnsMember,
  heldMember,
  kindsMember,
  secretsMember,
  stackNameMember,
  urnMember,
} from "../../schema/internal";
import { isObject, type JsonObject } from "../../schema/json";
import type { Path } from "../../schema/path";
import type { StoredAs } from "../runs/exported-state";

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

/** What names the object that state has for the resource, as the program of a preview tells. */
export function heldIn(news: JsonObject): JsonObject | undefined {
  const held = news[heldMember];
  return isObject(held) ? held : undefined;
}

/** Where state has the resource, as the program of an update tells. */
export function storedAsIn(news: JsonObject): StoredAs | undefined {
  const { [stackNameMember]: stack, [urnMember]: urn, [formerUrnsMember]: former } = news;
  if (typeof stack !== "string") return undefined;
  return { stack, urns: [urn, ...(Array.isArray(former) ? former : [])].map(String) };
}
