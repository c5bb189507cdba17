import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const file = path.join(__dirname, "found.json");

/** By the name of a fault, the test file that found it last time; null for one that no test has found yet. */
export type FoundRecord = Readonly<Record<string, string | null>>;

/** The record that stands beside the faults. */
export function readRecord(): FoundRecord {
  return readJson(file) ?? {};
}

/** Keeps the record, in the order of the faults; what is no fault any more goes. */
export function writeRecord(record: FoundRecord, names: readonly string[]): void {
  const entries = names.flatMap((name) => (name in record ? [[name, record[name]]] : []));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

/** What a run has found so far, from which a later run over the same files goes on. */
export class Verdicts {
  readonly #file: string;
  readonly #digest: string;
  readonly #found: Map<string, string | null>;

  /** `digest`: of the files; what was found in others does not count. `anew`: nothing does. */
  constructor(place: string, digest: string, anew: boolean) {
    this.#file = place;
    this.#digest = digest;
    const kept = anew ? undefined : readJson<{ digest: string; found: [string, string | null][] }>(place);
    this.#found = new Map(kept?.digest === digest ? kept.found : []);
  }

  has(name: string): boolean {
    return this.#found.has(name);
  }

  /** The test file that found a fault; undefined where none did. */
  get(name: string): string | undefined {
    return this.#found.get(name) ?? undefined;
  }

  set(name: string, by: string | undefined): void {
    this.#found.set(name, by ?? null);
    writeFileSync(this.#file, JSON.stringify({ digest: this.#digest, found: [...this.#found] }));
  }
}

function readJson<T>(from: string): T | undefined {
  return existsSync(from) ? (JSON.parse(readFileSync(from, "utf8")) as T) : undefined;
}
