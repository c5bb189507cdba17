import { createHash } from "node:crypto";
import { promises as files } from "node:fs";
import path from "node:path";
import { stableText } from "../core/json";
import type { CreateNotes } from "../engine";

/** Where notes of creates are kept, from the folder of the Pulumi project: a file for each. */
const folder = path.join(".feature-console", "creates");

/** How long a note counts. An interrupted run is followed by another long before that. */
const lifetimeMs = 7 * 24 * 3_600_000;

/** The stack of this process: Pulumi starts one for each operation. A program that makes no use of our classes has none. */
let stack = "";

/** Takes over from a resource of the program for which stack this process works. */
export function noteStack(name: unknown): void {
  if (typeof name === "string") stack = name;
}

/**
 * Notes of one stack about one console. A folder that cannot be written or read is no failure: then nothing is
 * remembered, and what an interrupted run left has to be adopted by hand.
 */
export function notesFor(console: string): CreateNotes {
  const partOf = (...parts: unknown[]) =>
    createHash("sha256").update(stableText(parts)).digest("hex").slice(0, 32);
  const endOf = (object: string) => `-${partOf(console, object)}.json`;
  const fileOf = (object: string) => path.join(folder, `${partOf(stack)}${endOf(object)}`);
  let tidied: Promise<void> | undefined;
  return {
    async find(object) {
      try {
        const file = fileOf(object);
        if (await isOld(file)) return undefined;
        const { there } = JSON.parse(await files.readFile(file, "utf8")) as { there?: unknown };
        return Array.isArray(there) ? there.map(String) : undefined;
      } catch {
        return undefined;
      }
    },
    async keep(object, there) {
      try {
        await files.mkdir(folder, { recursive: true });
        tidied ??= removeOld();
        await tidied;
        await files.writeFile(fileOf(object), `${JSON.stringify({ there })}\n`);
      } catch {
        // As above.
      }
    },
    async drop(object) {
      // A destroy runs no program that would tell the stack; without a note nothing is taken over wrongly.
      const names = await files.readdir(folder).catch(() => []);
      for (const name of names.filter((one) => one.endsWith(endOf(object))))
        await files.unlink(path.join(folder, name)).catch(() => {});
    },
  };
}

async function removeOld(): Promise<void> {
  for (const name of await files.readdir(folder)) {
    const file = path.join(folder, name);
    // Another process may be at it too.
    if (await isOld(file).catch(() => false)) await files.unlink(file).catch(() => {});
  }
}

async function isOld(file: string): Promise<boolean> {
  return Date.now() - (await files.stat(file)).mtimeMs > lifetimeMs;
}
