import type { SharedRedis } from "../client/redis";
import { sharedHash } from "../client/redis-hash";
import type { CreateJournal, JournalEntry } from "../engine";
import { entryIn, type JournalPorts, journalName, noteLifetimeMs } from "./journal";

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
  // Times are kept by the console's clock: that of the machine which finds an entry is another one.
  const aheadMs = () => clockOffsetMs() ?? 0;
  return {
    async find(object, name) {
      const hash = await hashOf(name);
      const entry = entryIn((await hash?.get(object)) ?? "");
      if (entry === undefined) return undefined;
      const at = entry.at - aheadMs();
      return now() - at <= noteLifetimeMs ? { ...entry, at } : undefined;
    },
    async write(object, entry, name) {
      const hash = await hashOf(name);
      await hash?.set(object, JSON.stringify({ ...entry, at: entry.at + aheadMs() }));
    },
    async drop(object, name) {
      const hash = await hashOf(name);
      await hash?.remove(object);
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
    // In Redis nobody can tell which other stacks there are.
    entriesOfOthers: async (object) => (await own.entriesOfOthers?.(object)) ?? [],
    async write(...note) {
      await Promise.all([own.write(...note), shared.write(...note)]);
    },
    async drop(...which) {
      await Promise.all([own.drop(...which), shared.drop(...which)]);
    },
  };
}

function isNewer(one: JournalEntry | undefined, than: JournalEntry | undefined): boolean {
  return one !== undefined && (than === undefined || one.at - than.at > sameNoteMs);
}
