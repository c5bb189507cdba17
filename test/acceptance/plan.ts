import { isObject, type JsonObject, stableText } from "../../src/provider/schema/json";

/** Members that hold whatever a person put there: they are read as they were sent, with nothing beside it. */
const opaque = new Set(["parameterValues", "defaultValue", "returnValue"]);
/** Members that the service fills where they are sent empty. */
const filled = new Set(["id", "baseID"]);
/** What moves with every write. */
const moving = /^(version|lastModified.*|lastModifier.*)$/;

/** True for what such a tool sends for nothing, and reads as nothing. */
export const isNone = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/**
 * Where what was read is not what was sent, as the plan of another tool would show it; one line a place, none: quiet.
 * No differences are the forms that the published pages call equal: `""`, null, `[]` and absent; one value and a list
 * of it; the order of plain lists; people by their e-mail; members that only the service fills.
 */
export function differences(sent: unknown, read: unknown, path = ""): string[] {
  if (isNone(sent)) return isNone(read) ? [] : [found(path, sent, read)];
  if (Array.isArray(sent)) return listDifferences(sent, Array.isArray(read) ? read : [read], path);
  if (isObject(sent)) {
    if (!isObject(read)) return [found(path, sent, read)];
    return Object.entries(sent).flatMap(([name, value]) => memberDifferences(name, value, read[name], path));
  }
  const one: unknown = Array.isArray(read) && read.length === 1 ? read[0] : read;
  return Object.is(sent, one) ? [] : [found(path, sent, read)];
}

function memberDifferences(name: string, sent: unknown, read: unknown, path: string): string[] {
  const at = path === "" ? name : `${path}.${name}`;
  if (filled.has(name) && isNone(sent)) return isNone(read) ? [found(at, sent, read)] : [];
  if (opaque.has(name) && !isNone(sent))
    return stableText(sent) === stableText(read) ? [] : [found(at, sent, read)];
  return differences(sent, read, at);
}

function listDifferences(sent: readonly unknown[], read: readonly unknown[], path: string): string[] {
  if (sent.length !== read.length) return [found(path, sent, read)];
  if (sent.some(isObject)) return sent.flatMap((one, at) => differences(one, read[at], `${path}[${at}]`));
  const texts = (list: readonly unknown[]) =>
    stableText(list.map((one) => (isObject(one) && "email" in one ? one.email : one)).sort());
  return texts(sent) === texts(read) ? [] : [found(path, sent, read)];
}

function found(path: string, sent: unknown, read: unknown): string {
  return `${path}: sent ${JSON.stringify(sent)}, read ${JSON.stringify(read)}`;
}

/** A read without what every write moves. */
export function settled(read: JsonObject): JsonObject {
  return pick(read, (name) => !moving.test(name));
}

/** What is sent, its elements with the ids that the read has at their places: so a tool keeps what it has made. */
export function withIds(sent: unknown, read: unknown): unknown {
  if (Array.isArray(sent)) {
    const there: readonly unknown[] = Array.isArray(read) ? read : [];
    return sent.map((one: unknown, at) => elementWithIds(one, there[at]));
  }
  if (!isObject(sent)) return sent;
  const there = isObject(read) ? read : {};
  return Object.fromEntries(
    Object.entries(sent).map(([key, value]) => [key, opaque.has(key) ? value : withIds(value, there[key])]),
  );
}

function elementWithIds(sent: unknown, read: unknown): unknown {
  if (!isObject(sent)) return sent;
  const ids = isObject(read) ? pick(read, (name) => filled.has(name)) : {};
  return { ...(withIds(sent, read) as JsonObject), ...ids };
}

/** An object's members by their names. */
export function pick(body: JsonObject, isTaken: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => isTaken(name)));
}
