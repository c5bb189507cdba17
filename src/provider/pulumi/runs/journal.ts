import { createHash } from "node:crypto";
import { promises as files, readdirSync, statSync } from "node:fs";
import path from "node:path";
import type { ProjectReader } from "../../client/project-name";
import { stackOfMark } from "../../decisions/stack-mark";
import { type CreateJournal, consoleTimeOf, type JournalEntry } from "../../engine";
import { stableText } from "../../schema/json";
import { keptIn } from "../../schema/memoized";
import { assignment } from "../../texts/argument-names";
import { entriesIn, JournalFile } from "./journal-file";

/** Folder of the journal of creates, from the folder of the Pulumi project: a file for each stack and console. */
export const journalFolder: string = path.join(".feature-console", "journal");

/** Lifetime of an entry, milliseconds. An interrupted run is followed by another long before that. */
const createLifetimeMs = 7 * 24 * 3_600_000;

/** Lifetime of the entry of an adoption: the stack that had the object before may be run rarely. */
const adoptionLifetimeMs = 365 * 24 * 3_600_000;

/** Lifetime of an entry of the create journal, milliseconds. */
function entryLifetimeMs({ did }: Pick<JournalEntry, "did">): number {
  return did === "adopt" || did === "unarchive" ? adoptionLifetimeMs : createLifetimeMs;
}

/** Access of a journal to the run. */
interface JournalPorts {
  /** The folder of the Pulumi project. */
  readonly home: string;
  /** The mark of this run's stack; undefined when no program has told. */
  readonly stack: () => string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The project of the run, of which alone entries count: the keys of one address may lead to several. Asked where an entry names one. */
  readonly project: ProjectReader;
  /** Told once where entries cannot be kept: why, with the name of the folder. */
  readonly onLost?: (why: string) => void;
}

/** Warning of a journal that cannot be kept. */
export function lostJournalText(why: string): string {
  return (
    `The create journal of this stack in ${why}: after a kill, what this run created has to be taken over by hand, ` +
    `with ${assignment("adopt", true)} or FEATURE_CONSOLE_TAKE_OVER=1. "npx feature-console doctor" shows whether it can be kept again.`
  );
}

/** The journal of a run that keeps nothing on disk. */
export const noJournal: CreateJournal = {
  find: () => Promise.resolve(undefined),
  entriesOfOthers: () => Promise.resolve([]),
  write: () => Promise.resolve(),
  drop: () => Promise.resolve(),
};

/**
 * The journal of each stack about one console. A folder that cannot be written or read is no failure, and is reported: then
 * nothing is remembered, and what an interrupted run left has to be taken over by hand.
 */
export function fileJournal(console: string, ports: JournalPorts): CreateJournal {
  const fileOf = journalFilesOf(console, ports);
  // Version 0.1 named no backend.
  const formerFileOf = (mark = ports.stack()) => {
    const name = mark === undefined ? undefined : stackOfMark(mark).name;
    return name === mark || name === undefined ? undefined : fileOf(name);
  };
  /** Entries without a project, as of earlier versions, count anywhere. */
  const isHere = async ({ project }: JournalEntry) => {
    const here = project === undefined ? undefined : (ports.project.known() ?? (await ports.project()));
    return here === undefined || here === project;
  };
  const folder = path.join(ports.home, journalFolder);
  const entriesOf = entriesOfOtherStacks();
  return {
    async find(object, name) {
      const entry = (await fileOf(name)?.find(object)) ?? (await formerFileOf(name)?.find(object));
      return entry !== undefined && (await isHere(entry)) ? entry : undefined;
    },
    async entriesOfOthers(object, name) {
      const own = [fileOf(name)?.file, formerFileOf(name)?.file];
      const beside = filesIn(folder).filter((file) => !own.includes(file));
      const found = await Promise.all(
        beside.map(async (file) => {
          const entry = (await entriesOf(file)).get(object);
          if (entry?.console !== console || ports.now() - consoleTimeOf(entry) > entryLifetimeMs(entry))
            return [];
          return (await isHere(entry)) ? [entry] : [];
        }),
      );
      return found.flat();
    },
    async write(object, entry, name) {
      const project = ports.project.known();
      await fileOf(name)?.write(object, { ...entry, console, ...(project === undefined ? {} : { project }) });
    },
    async drop(object, name) {
      await Promise.all([fileOf(name), formerFileOf(name)].map((one) => one?.write(object, undefined)));
    },
  };
}

const fileEnding = ".jsonl";

/** The file of each stack about one console; undefined while the stack is not known. */
function journalFilesOf(console: string, { home, stack, now, onLost }: JournalPorts) {
  const journalFiles = new Map<string, JournalFile>();
  let isLost = false;
  const tell = (why: string) => {
    if (!isLost) onLost?.(`${journalFolder.replaceAll(path.sep, "/")} ${why}`);
    isLost = true;
  };
  return (name = stack()): JournalFile | undefined => {
    if (name === undefined) return undefined;
    return keptIn(journalFiles, name, () => {
      // A digest, from which nothing can be read.
      const digest = createHash("sha256")
        .update(stableText([name, console]))
        .digest("hex")
        .slice(0, 32);
      const place = path.join(home, journalFolder, `${digest}${fileEnding}`);
      return new JournalFile(place, { now, lifetimeMs: entryLifetimeMs, tell });
    });
  };
}

/** Entries that files of other stacks have now. Each is read again once it has changed: its stack may be at work right now. */
function entriesOfOtherStacks() {
  const known = new Map<string, { readonly version: string; readonly entries: Map<string, JournalEntry> }>();
  return async (file: string): Promise<Map<string, JournalEntry>> => {
    const version = versionOf(file);
    const last = known.get(file);
    if (last?.version === version) return last.entries;
    const entries = entriesIn(await files.readFile(file, "utf8").catch(() => ""));
    known.set(file, { version, entries });
    return entries;
  };
}

/** The files of journals in a folder. Not by the thread pool, which every delete would wait for. */
function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((one) => one.endsWith(fileEnding));
    return names.map((one) => path.join(folder, one));
  } catch {
    return [];
  }
}

/** A text that is another one after each change of a file, which only ever grows or is replaced. */
function versionOf(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    return "";
  }
}
