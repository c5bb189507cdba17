import { appendFileSync, promises as files } from "node:fs";
import path from "node:path";
import { makePrivateFolder } from "../../../private-folder";
import { consoleTimeOf, type JournalEntry } from "../../engine";
import { type JsonObject, objectFrom } from "../../schema/json";
import { privateMode, writeWholeFile } from "./whole-file";
import { reasonOf } from "./writable";

/** From this many lines on, a file that is mostly out of date is written anew. */
const manyLines = 1000;

/** Access of a journal's file to the run. */
interface JournalFilePorts {
  readonly now: () => number;
  readonly lifetimeMs: (entry: JournalEntry) => number;
  /** Told why entries cannot be read or written. */
  readonly tell: (why: string) => void;
}

/** A file of a journal. The last line about an object counts; one without an entry forgets it. */
export class JournalFile {
  readonly file: string;
  readonly #ports: JournalFilePorts;
  #isOpen = false;
  #entries: Promise<Map<string, JournalEntry>> | undefined;

  constructor(file: string, ports: JournalFilePorts) {
    this.file = file;
    this.#ports = ports;
  }

  async find(object: string): Promise<JournalEntry | undefined> {
    const entry = (await this.#read()).get(object);
    return entry !== undefined && this.#counts(entry) ? entry : undefined;
  }

  #counts(entry: JournalEntry): boolean {
    const { now, lifetimeMs } = this.#ports;
    return now() - consoleTimeOf(entry) <= lifetimeMs(entry);
  }

  /** Resolves when it is written: what is sent after that can be found again. */
  async write(object: string, entry: JournalEntry | undefined): Promise<void> {
    const entries = await this.#read();
    if (entry === undefined && !entries.has(object)) return;
    if (entry === undefined) entries.delete(object);
    else entries.set(object, entry);
    try {
      this.#append(line(object, entry));
    } catch (error) {
      this.#ports.tell(`cannot be written (${reasonOf(error)})`);
    }
  }

  /**
   * Begins with an end of line: where a kill or a full disk has torn the last line, by this process or another one, these stand
   * alone. Not by the thread pool, whose steps take longer than the writing. @throws the error of the system.
   */
  #append(text: string): void {
    const write = () => appendFileSync(this.file, `\n${text}`, { mode: privateMode });
    if (!this.#isOpen) makePrivateFolder(path.dirname(this.file));
    this.#isOpen = true;
    try {
      write();
    } catch (error) {
      if (!isMissing(error as NodeJS.ErrnoException)) throw error;
      // A person or a script removed the folder meanwhile.
      makePrivateFolder(path.dirname(this.file));
      write();
    }
  }

  #read(): Promise<Map<string, JournalEntry>> {
    this.#entries ??= this.#load();
    return this.#entries;
  }

  async #load(): Promise<Map<string, JournalEntry>> {
    const text = await files.readFile(this.file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (!isMissing(error)) this.#ports.tell(`cannot be read (${reasonOf(error)})`);
      return "";
    });
    const entries = entriesIn(text);
    const count = text.split("\n").filter((one) => one !== "").length;
    for (const [object, entry] of entries) if (!this.#counts(entry)) entries.delete(object);
    if (count > manyLines && count > 2 * entries.size) this.#rewrite(entries);
    return entries;
  }

  #rewrite(entries: ReadonlyMap<string, JournalEntry>): void {
    try {
      writeWholeFile(this.file, [...entries].map(([object, entry]) => line(object, entry)).join(""));
    } catch {
      // Then it stays long.
    }
  }
}

/** True for a path that leads nowhere. If a part of it is a file, the write that follows reports so. */
function isMissing({ code }: NodeJS.ErrnoException): boolean {
  return code === "ENOENT" || code === "ENOTDIR";
}

function line(object: string, entry: JournalEntry | undefined): string {
  return `${JSON.stringify({ object, ...entry })}\n`;
}

/** The entries that a text holds now, by object. */
export function entriesIn(text: string): Map<string, JournalEntry> {
  const entries = new Map<string, JournalEntry>();
  for (const one of text.split("\n")) keep(entries, one);
  return entries;
}

/** A line that a kill has torn says nothing. */
function keep(entries: Map<string, JournalEntry>, text: string): void {
  const noted = objectFrom(text);
  if (typeof noted?.object !== "string") return;
  const { object, ...entry } = noted as JsonObject & { object: string };
  if (isEntry(entry)) entries.set(object, entry);
  else entries.delete(object);
}

function isEntry(noted: JsonObject): noted is JsonObject & JournalEntry {
  return typeof noted.at === "number";
}
