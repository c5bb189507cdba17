import { equalJson, type JsonObject } from "../../src/provider/schema/json";

/** Names of resources whose outputs arguments take. */
export function referencesIn(args: JsonObject): string[] {
  return [...JSON.stringify(args).matchAll(/"\$id":"([^"]+)"/g)].map(([, name = ""]) => name);
}

/** Arguments that differ. */
export function changedNames(olds: JsonObject, news: JsonObject): string[] {
  const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])];
  return names.filter((name) => !equalJson(olds[name], news[name]));
}

/** The text by which the engine finds a resource's provider; the host adds it to what a provider answers. */
export function textOf({ __provider }: JsonObject): JsonObject {
  return { __provider };
}

/** Over the wire nothing is shared, and what is undefined is gone. */
export function copy<T extends JsonObject>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
