import { createHash } from "node:crypto";
import { appendFileSync, promises as files } from "node:fs";
import path from "node:path";
import { makePrivateFolder } from "../../../private-folder";
import { stackOfMark } from "../../decisions/stack-mark";
import {
  type CreateJournal,
  consoleTimeOf,
  type JournalEntry,
  type PreviewNote,
  type PreviewNotes,
} from "../../engine";
import { isObject, type JsonObject, stableText } from "../../schema/json";

/** Where the journal of creates is kept, from the folder of the Pulumi project. */
export const journalFolder: string = path.join(".feature-console", "journal");

/** Where notes are kept, from the folder of the Pulumi project: a file for each stack and console, a line for each note. */
const folders = {
  journal: journalFolder,
  previews: path.join(".feature-console", "previews"),
};

/** How long a note counts, milliseconds. An interrupted run is followed by another long before that. */
export const noteLifetimeMs = 7 * 24 * 3_600_000;

/** How long the note of an adoption counts: the stack that had the object before may be run rarely. */
export const adoptionLifetimeMs = 365 * 24 * 3_600_000;

/** How long an entry of the create journal counts, milliseconds. */
export function entryLifetimeMs({ did }: Pick<JournalEntry, "did">): number {
  return did === "adopt" || did === "unarchive" ? adoptionLifetimeMs : noteLifetimeMs;
}

/** From this many lines on, a file that is mostly out of date is written anew. */
const manyLines = 1000;

/** What a journal needs. */
export interface JournalPorts {
  /** The folder of the Pulumi project. */
  readonly home: string;
  /** The mark of this run's stack; undefined when no program has told. */
  readonly stack: () => string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * The journal of each stack about one console. A folder that cannot be written or read is no failure: then nothing is
 * remembered, and what an interrupted run left has to be taken over by hand.
 */
export function fileJournal(console: string, ports: JournalPorts): CreateJournal {
  const fileOf = noteFilesIn<JournalEntry>(folders.journal, console, ports, entryLifetimeMs);
  // Version 0.1 named no backend.
  const formerFileOf = (mark = ports.stack()) => {
    const name = mark === undefined ? undefined : stackOfMark(mark).name;
    return name === mark || name === undefined ? undefined : fileOf(name);
  };
  const folder = path.join(ports.home, folders.journal);
  const entriesOf = entriesOfOtherStacks();
  return {
    async find(object, name) {
      return (await fileOf(name)?.find(object)) ?? (await formerFileOf(name)?.find(object));
    },
    async entriesOfOthers(object, name) {
      const own = [fileOf(name)?.file, formerFileOf(name)?.file];
      const names = (await files.readdir(folder).catch(() => [])).filter((one) => one.endsWith(fileEnding));
      const beside = names.map((one) => path.join(folder, one)).filter((file) => !own.includes(file));
      const found = await Promise.all(beside.map(async (file) => (await entriesOf(file)).get(object)));
      return found.flatMap((entry) =>
        entry?.console === console && ports.now() - consoleTimeOf(entry) <= entryLifetimeMs(entry)
          ? [entry]
          : [],
      );
    },
    async write(object, entry, name) {
      await fileOf(name)?.write(object, { ...entry, console });
    },
    async drop(object, name) {
      await Promise.all([fileOf(name), formerFileOf(name)].map((one) => one?.write(object, undefined)));
    },
  };
}

const fileEnding = ".jsonl";

/**
 * What previews of each stack found in one console. In the project's folder only: a run is held to what a preview beside
 * it has said. A folder that cannot be written or read is no failure: then no run is held to anything.
 */
export function filePreviewNotes(console: string, ports: JournalPorts): PreviewNotes {
  const fileOf = noteFilesIn<PreviewNote>(folders.previews, console, ports, () => noteLifetimeMs);
  return {
    async find(resource) {
      return fileOf()?.find(resource);
    },
    async note(resource, note) {
      await fileOf()?.write(resource, note);
    },
    async drop(resource) {
      await fileOf()?.write(resource, undefined);
    },
  };
}

/** The book of a stack about one console; undefined while the stack is not known. */
function noteFilesIn<Note extends Dated>(
  folder: string,
  console: string,
  { home, stack, now }: JournalPorts,
  lifetimeMs: (note: Note) => number,
) {
  const noteFiles = new Map<string, NoteFile<Note>>();
  return (name = stack()): NoteFile<Note> | undefined => {
    if (name === undefined) return undefined;
    const known = noteFiles.get(name);
    if (known !== undefined) return known;
    const file = path.join(home, folder, `${journalName(name, console)}${fileEnding}`);
    const noteFile = new NoteFile<Note>(file, now, lifetimeMs);
    noteFiles.set(name, noteFile);
    return noteFile;
  };
}

/** A note tells when it was made, milliseconds since 1970, and how far the console's clock was ahead of the one it was made by. */
type Dated = Pick<JournalEntry, "at" | "consoleAheadMs">;

/** A file of notes. The last line about an object counts; one that says nothing of it forgets it. */
class NoteFile<Note extends Dated> {
  readonly file: string;
  readonly #now: () => number;
  readonly #lifetimeMs: (note: Note) => number;
  #entries: Promise<Map<string, Note>> | undefined;
  #pending: string[] = [];
  #writing: Promise<void> | undefined;

  constructor(file: string, now: () => number, lifetimeMs: (note: Note) => number) {
    this.file = file;
    this.#now = now;
    this.#lifetimeMs = lifetimeMs;
  }

  async find(object: string): Promise<Note | undefined> {
    const entry = (await this.#read()).get(object);
    return entry !== undefined && this.#counts(entry) ? entry : undefined;
  }

  #counts(entry: Note): boolean {
    return this.#now() - consoleTimeOf(entry) <= this.#lifetimeMs(entry);
  }

  /** Resolves when it is written: what is sent after that can be found again. */
  async write(object: string, entry: Note | undefined): Promise<void> {
    const entries = await this.#read();
    if (entry === undefined && !entries.has(object)) return;
    if (entry === undefined) entries.delete(object);
    else entries.set(object, entry);
    this.#pending.push(line(object, entry));
    // What comes in one turn of the event loop goes together.
    this.#writing ??= nextTurn().then(() => this.#flush());
    await this.#writing;
  }

  /** Not by the thread pool, whose four steps take longer than the writing. */
  #flush(): void {
    const text = this.#pending.join("");
    this.#pending = [];
    this.#writing = undefined;
    append(this.file, text);
  }

  #read(): Promise<Map<string, Note>> {
    this.#entries ??= this.#load();
    return this.#entries;
  }

  async #load(): Promise<Map<string, Note>> {
    const text = await files.readFile(this.file, "utf8").catch(() => "");
    const entries = entriesIn<Note>(text);
    const count = text.split("\n").filter((one) => one !== "").length;
    for (const [object, entry] of entries) if (!this.#counts(entry)) entries.delete(object);
    if (count > manyLines && count > 2 * entries.size) await this.#rewrite(entries);
    return entries;
  }

  async #rewrite(entries: ReadonlyMap<string, Note>): Promise<void> {
    const fresh = `${this.file}.${process.pid}`;
    const text = [...entries].map(([object, entry]) => line(object, entry)).join("");
    try {
      await files.writeFile(fresh, text, { mode: 0o600 });
      await files.rename(fresh, this.file);
    } catch {
      await files.rm(fresh, { force: true }).catch(() => undefined);
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * A folder that cannot be written is no failure. Begins with an end of line: where a kill or a full disk has torn the last
 * line, by this process or another one, these stand alone.
 */
function append(file: string, text: string): void {
  const write = () => appendFileSync(file, `\n${text}`, { mode: 0o600 });
  try {
    write();
  } catch {
    try {
      makePrivateFolder(path.dirname(file));
      write();
    } catch {
      // Then nothing is remembered.
    }
  }
}

function line(object: string, entry: Dated | undefined): string {
  return `${JSON.stringify({ object, ...entry })}\n`;
}

/** What files of other stacks note now. Each is read again once it has changed: its stack may be at work right now. */
function entriesOfOtherStacks() {
  const known = new Map<string, { readonly version: string; readonly entries: Map<string, JournalEntry> }>();
  return async (file: string): Promise<Map<string, JournalEntry>> => {
    const version = await versionOf(file);
    const last = known.get(file);
    if (last?.version === version) return last.entries;
    const entries = entriesIn<JournalEntry>(await files.readFile(file, "utf8").catch(() => ""));
    known.set(file, { version, entries });
    return entries;
  };
}

/** A text that is another one after each change of a file, which only ever grows or is replaced. */
async function versionOf(file: string): Promise<string> {
  const { ino, size, mtimeNs } = await files.stat(file, { bigint: true }).catch(() => nowhere);
  return `${ino} ${size} ${mtimeNs}`;
}

const nowhere = { ino: 0n, size: 0n, mtimeNs: 0n };

function entriesIn<Note extends Dated>(text: string): Map<string, Note> {
  const entries = new Map<string, Note>();
  for (const one of text.split("\n")) keep(entries, one);
  return entries;
}

/** A line that a kill has torn says nothing. */
function keep<Note extends Dated>(entries: Map<string, Note>, text: string): void {
  const noted = objectIn(text);
  if (typeof noted?.object !== "string") return;
  const { object, ...entry } = noted as JsonObject & { object: string };
  if (isNote<Note>(entry)) entries.set(object, entry);
  else entries.delete(object);
}

/** The note that a text holds; undefined for any other text. */
export function entryIn(text: string): JournalEntry | undefined {
  const noted = objectIn(text);
  return isNote<JournalEntry>(noted) ? noted : undefined;
}

function isNote<Note extends Dated>(noted: unknown): noted is Note {
  return isObject(noted) && typeof noted.at === "number";
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What a journal is kept under: a digest, from which nothing that it is of can be read. */
export function journalName(...of: readonly string[]): string {
  return createHash("sha256").update(stableText(of)).digest("hex").slice(0, 32);
}
