import type { SharedRedis } from "../../client/limits/redis";
import { sharedHash } from "../../client/limits/redis-hash";
import { stackOfMark } from "../../decisions/stack-mark";
import { type CreateJournal, consoleTimeOf, type JournalEntry } from "../../engine";
import { isObject, type JsonObject } from "../../schema/json";
import {
  adoptionLifetimeMs,
  entryIn,
  entryLifetimeMs,
  type JournalPorts,
  journalName,
  noteLifetimeMs,
} from "./journal";

/** What a journal in Redis needs. */
export interface RedisJournalPorts extends Pick<JournalPorts, "stack" | "now"> {
  readonly redis: SharedRedis;
  /** Names the project in the console: many projects have one address. Undefined while that is not known. */
  readonly project: () => Promise<string | undefined>;
  /** How far the console's clock is ahead of this machine's, milliseconds; undefined while that is not known. */
  readonly clockOffsetMs: () => number | undefined;
}

/** What holds while a journal in Redis does not. */
export const withoutRedisJournal = "creates are noted in the project's folder only";

/**
 * The journals of stacks about one console, where every run finds them that uses the same Redis: one that has the folder of
 * no other, as a job of a pipeline, too.
 */
export function redisJournal(
  console: string,
  { redis, project, stack, now, clockOffsetMs }: RedisJournalPorts,
): CreateJournal {
  const hashOf = async (name = stack()) => {
    const id = name === undefined ? undefined : await project();
    if (name === undefined || id === undefined) return undefined;
    const key = `feature-console:journal:${journalName(name, console, id)}`;
    return sharedHash(redis, key, noteLifetimeMs);
  };
  // Version 0.1 named no backend.
  const formerHashOf = async (mark = stack()) => {
    const name = mark === undefined ? undefined : stackOfMark(mark).name;
    return name === mark ? undefined : hashOf(name);
  };
  const adoptions = adoptionsIn({ redis, project, stack }, console);
  const isFresh = (entry: JournalEntry, lifetimeMs: number) =>
    now() + (clockOffsetMs() ?? 0) - consoleTimeOf(entry) <= lifetimeMs;
  return {
    async find(object, name) {
      const [hash, former] = await Promise.all([hashOf(name), formerHashOf(name)]);
      const [text, formerText] = await Promise.all([hash?.get(object), former?.get(object)]);
      const entry = inConsoleTime(entryIn(text ?? formerText ?? ""));
      return entry !== undefined && isFresh(entry, noteLifetimeMs) ? entry : undefined;
    },
    async entriesOfOthers(object, name) {
      const entry = inConsoleTime(await adoptions.ofOther(object, name));
      return entry !== undefined && isFresh(entry, entryLifetimeMs(entry)) ? [entry] : [];
    },
    async write(object, entry, name) {
      const hash = await hashOf(name);
      const noted = asKept(entry);
      await hash?.set(object, JSON.stringify(noted));
      if (entry.did === "adopt" || entry.did === "unarchive") await adoptions.note(object, noted, name);
      else if (entry.did === "archive") await adoptions.forget(object, name);
    },
    async drop(object, name) {
      const [hash, former] = await Promise.all([hashOf(name), formerHashOf(name)]);
      await Promise.all([hash?.remove(object), former?.remove(object), adoptions.forget(object, name)]);
    },
  };
}

/** An entry as it is kept: by the console's clock, because that of the machine which finds it is another one. */
function asKept(entry: JournalEntry): JsonObject {
  const { answeredAt, consoleAheadMs } = entry;
  if (consoleAheadMs === undefined) return { ...entry, consoleAheadMs: null };
  const answered = answeredAt === undefined ? {} : { answeredAt: answeredAt + consoleAheadMs };
  return { ...entry, at: entry.at + consoleAheadMs, ...answered, consoleAheadMs: 0 };
}

/** An entry as it was kept. Earlier versions did not note whether they knew the console's clock. */
function inConsoleTime(kept: JournalEntry | undefined): JournalEntry | undefined {
  if (kept === undefined) return undefined;
  const { consoleAheadMs, ...entry } = kept as Omit<JournalEntry, "consoleAheadMs"> & JsonObject;
  return consoleAheadMs === null ? entry : { ...entry, consoleAheadMs: 0 };
}

/**
 * Which stack took over an object last, in one hash for all stacks: nobody can list the journals of the others. The stack is
 * a digest.
 */
function adoptionsIn(
  { redis, project, stack }: Pick<RedisJournalPorts, "redis" | "project" | "stack">,
  console: string,
) {
  const hash = async () => {
    const id = await project();
    if (id === undefined) return undefined;
    return sharedHash(redis, `feature-console:adoptions:${journalName(console, id)}`, adoptionLifetimeMs);
  };
  const ownName = (mark = stack()) => (mark === undefined ? undefined : journalName(mark));
  const read = async (object: string) => {
    const noted = entryIn((await (await hash())?.get(object)) ?? "");
    return noted as (JournalEntry & { readonly by?: unknown }) | undefined;
  };
  return {
    async ofOther(object: string, mark?: string): Promise<JournalEntry | undefined> {
      const noted = await read(object);
      if (!isObject(noted) || noted.by === ownName(mark)) return undefined;
      const { by: _, ...entry } = noted;
      return entry as JournalEntry;
    },
    async note(object: string, entry: JsonObject, mark?: string): Promise<void> {
      await (await hash())?.set(object, JSON.stringify({ ...entry, by: ownName(mark) }));
    },
    async forget(object: string, mark?: string): Promise<void> {
      if ((await read(object))?.by === ownName(mark)) await (await hash())?.remove(object);
    },
  };
}

/** How far apart the times of one entry may be in two journals, milliseconds: clocks are known to the second. */
const sameNoteMs = 5000;

/** A journal that is kept in two places: entries go to both, and the newer one of an object counts. */
export function journalInBoth(own: CreateJournal, shared: CreateJournal): CreateJournal {
  return {
    async find(...which) {
      const [inFile, inRedis] = await Promise.all([own.find(...which), shared.find(...which)]);
      return isNewer(inRedis, inFile) ? inRedis : inFile;
    },
    async entriesOfOthers(...which) {
      const found = await Promise.all([own.entriesOfOthers?.(...which), shared.entriesOfOthers?.(...which)]);
      return found.flatMap((entries) => entries ?? []);
    },
    async write(...note) {
      await Promise.all([own.write(...note), shared.write(...note)]);
    },
    async drop(...which) {
      await Promise.all([own.drop(...which), shared.drop(...which)]);
    },
  };
}

function isNewer(one: JournalEntry | undefined, than: JournalEntry | undefined): boolean {
  return one !== undefined && (than === undefined || consoleTimeOf(one) - consoleTimeOf(than) > sameNoteMs);
}
