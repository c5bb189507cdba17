import { type JsonObject, stableText } from "../core/json";

/**
 * What this run knows of replacements. Pulumi tells neither a delete nor a create that it is half of one, but it calls
 * the diff that announces it before both, in the same process.
 */
const announced = new Set<string>();
const gone = new Set<string>();

/** A diff found that the object has to be replaced. */
export function announceReplacement(object: string): void {
  announced.add(object);
}

/** True when the object that is being deleted makes room for another. */
export function makesRoom(object: string): boolean {
  if (!announced.delete(object)) return false;
  gone.add(object);
  return true;
}

/** Arguments without an import that named an object which has just made room: it was fulfilled long ago. */
export function withoutFulfilledImport(inputs: JsonObject, nameOf: (id: string) => string): JsonObject {
  const { __adopt: imported, ...rest } = inputs;
  return typeof imported === "string" && gone.has(nameOf(imported)) ? rest : inputs;
}

/** Names that an object keeps although its resource is called otherwise now, by kind and arguments. */
const kept = new Map<string, JsonObject>();

/** Arguments that decide, where a program is silent, under which name code finds an object. */
const naming = ["key", "name"];

/**
 * Arguments with the names that the object to be replaced has. Pulumi checks the arguments of a replacement a second time,
 * without those of last time: under an alias the object would come back under another key than the one that code asks for.
 */
export function withKeptNames(kind: string, olds: JsonObject, news: JsonObject): JsonObject {
  const creating = Object.keys(olds).length === 0;
  const renamed = naming.filter(
    (name) => news[name] === undefined && olds[name] !== undefined && olds[name] !== news.__logicalName,
  );
  // Most runs keep no name at all.
  if (creating ? kept.size === 0 : renamed.length === 0) return news;
  const place = `${kind} ${stableText(news)}`;
  if (creating) {
    const names = kept.get(place);
    kept.delete(place);
    return { ...names, ...news };
  }
  kept.set(place, Object.fromEntries(renamed.map((name) => [name, olds[name]])));
  return news;
}
