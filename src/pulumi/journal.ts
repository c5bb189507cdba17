import { createHash } from "node:crypto";
import { promises as files } from "node:fs";
import path from "node:path";
import { isObject, type JsonObject, stableText } from "../core/json";
import type { Journal, JournalEntry } from "../engine";

/** Where journals are kept, from the folder of the Pulumi project: a file for each stack and console, a line for each note. */
const folder = path.join(".feature-console", "journal");

/** How long a note counts, milliseconds. An interrupted run is followed by another long before that. */
export const noteLifetimeMs = 7 * 24 * 3_600_000;

/** From this many lines on, a file that is mostly out of date is written anew. */
const manyLines = 1000;

/** What a journal needs. */
export interface JournalPorts {
  /** The folder of the Pulumi project. */
  readonly home: string;
  /** Project and stack of this run; undefined when no program has told. */
  readonly stack: () => string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * The journal of each stack about one console. A folder that cannot be written or read is no failure: then nothing is
 * remembered, and what an interrupted run left has to be taken over by hand.
 */
export function fileJournal(console: string, { home, stack, now }: JournalPorts): Journal {
  const books = new Map<string, Book>();
  const bookOf = (name = stack()): Book | undefined => {
    if (name === undefined) return undefined;
    const known = books.get(name);
    if (known !== undefined) return known;
    const book = new Book(path.join(home, folder, `${journalName(name, console)}.jsonl`), console, now);
    books.set(name, book);
    return book;
  };
  return {
    async find(object) {
      return bookOf()?.find(object);
    },
    async others(object) {
      const own = bookOf()?.file;
      const names = await files.readdir(path.join(home, folder)).catch(() => []);
      const beside = names.map((name) => path.join(home, folder, name)).filter((file) => file !== own);
      const found = await Promise.all(beside.map(async (file) => (await entriesOf(file)).get(object)));
      return found.flatMap((entry) =>
        entry?.console === console && now() - entry.at <= noteLifetimeMs ? [entry] : [],
      );
    },
    async note(object, entry, name) {
      await bookOf(name)?.write(object, entry);
    },
    async drop(object, name) {
      await bookOf(name)?.write(object, undefined);
    },
  };
}

/** A file of notes. The last line about an object counts; one that says nothing of it forgets it. */
class Book {
  readonly file: string;
  readonly #console: string;
  readonly #now: () => number;
  #entries: Promise<Map<string, JournalEntry>> | undefined;
  #pending: string[] = [];
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(file: string, console: string, now: () => number) {
    this.file = file;
    this.#console = console;
    this.#now = now;
  }

  async find(object: string): Promise<JournalEntry | undefined> {
    const entry = (await this.#read()).get(object);
    return entry !== undefined && this.#now() - entry.at <= noteLifetimeMs ? entry : undefined;
  }

  /** Resolves when it is written: what is sent after that can be found again. */
  async write(object: string, entry: JournalEntry | undefined): Promise<void> {
    const entries = await this.#read();
    if (entry === undefined && !entries.has(object)) return;
    if (entry === undefined) entries.delete(object);
    else entries.set(object, entry);
    this.#pending.push(this.#line(object, entry));
    // Those that come while others are being written go together, after them.
    this.#next ??= this.#writing.then(() => this.#flush());
    await this.#next;
  }

  #flush(): Promise<void> {
    const text = this.#pending.join("");
    this.#pending = [];
    this.#next = undefined;
    this.#writing = files
      .mkdir(path.dirname(this.file), { recursive: true })
      .then(() => files.appendFile(this.file, text))
      .catch(() => {});
    return this.#writing;
  }

  #read(): Promise<Map<string, JournalEntry>> {
    this.#entries ??= this.#load();
    return this.#entries;
  }

  async #load(): Promise<Map<string, JournalEntry>> {
    const text = await files.readFile(this.file, "utf8").catch(() => "");
    const entries = entriesIn(text);
    const count = text.split("\n").length;
    for (const [object, { at }] of entries) if (this.#now() - at > noteLifetimeMs) entries.delete(object);
    if (count > manyLines && count > 2 * entries.size) await this.#rewrite(entries);
    return entries;
  }

  #line(object: string, entry: JournalEntry | undefined): string {
    return `${JSON.stringify({ object, ...(entry && { ...entry, console: this.#console }) })}\n`;
  }

  async #rewrite(entries: ReadonlyMap<string, JournalEntry>): Promise<void> {
    const fresh = `${this.file}.${process.pid}`;
    const text = [...entries].map(([object, entry]) => this.#line(object, entry)).join("");
    await files
      .writeFile(fresh, text)
      .then(
        () => files.rename(fresh, this.file),
        () => undefined,
      )
      .catch(() => {});
  }
}

/** What a file notes now. Not kept: another stack may be at work right now, and the file is its own. */
async function entriesOf(file: string): Promise<Map<string, JournalEntry>> {
  return entriesIn(await files.readFile(file, "utf8").catch(() => ""));
}

function entriesIn(text: string): Map<string, JournalEntry> {
  const entries = new Map<string, JournalEntry>();
  for (const line of text.split("\n")) keep(entries, line);
  return entries;
}

/** A line that a kill has torn says nothing. */
function keep(entries: Map<string, JournalEntry>, text: string): void {
  const noted = objectIn(text);
  if (typeof noted?.object !== "string") return;
  const { object, ...entry } = noted as JsonObject & { object: string };
  if (isEntry(entry)) entries.set(object, entry);
  else entries.delete(object);
}

/** The note that a text holds; undefined for any other text. */
export function entryIn(text: string): JournalEntry | undefined {
  const noted = objectIn(text);
  return isEntry(noted) ? noted : undefined;
}

function isEntry(noted: unknown): noted is JournalEntry {
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
