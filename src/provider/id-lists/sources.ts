import { readFileSync } from "node:fs";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { inflateRawSync } from "node:zlib";
import type { Problem, ResourceDefinition } from "../schema/define";
import { invalidArgument, messageOf } from "../schema/errors";
import { isObject, type JsonObject } from "../schema/json";
import { assetSignature, SIGNATURE, UNKNOWN } from "../schema/unknown";
import type { IdSource } from "./changes";
import { digestOf } from "./digest";
import { listMember, packedBytes, textMember } from "./packed";
import { idListNames } from "./value-type";

/** Hashes of a digest by the hash of all, as far as this run has made it. */
export type HashesIn = (hash: string) => string | undefined;

/** Source of ids: compact, so that a million of them can wait for the create or update that needs them. */
interface Source {
  readonly ids: Iterable<string>;
  /** The file that is read anew each time. */
  readonly file?: string;
}

/** Arguments with a digest in the place of ids, and why ids could not be had. */
export interface Taken {
  readonly args: JsonObject;
  readonly problems: readonly Problem[];
}

/**
 * The ids that the program of this run has given, by the hash of their digest. Pulumi calls check, diff and the create or
 * update that follows in one process; inputs and state never hold ids.
 */
export class IdSources {
  readonly #sources = new Map<string, Source>();
  /** Hashes of the digests of this run, by the hash of all: the inputs that come back from Pulumi are without. */
  readonly #hashes = new Map<string, string>();

  /** The hashes of a digest that was made in this run. */
  readonly hashesIn: HashesIn = (hash) => this.#hashes.get(hash);

  /** Reads the ids of arguments and keeps them for the rest of this run. Reads files, and nothing of the network. */
  take(definition: ResourceDefinition, news: JsonObject): Taken {
    const args = { ...news };
    const problems: Problem[] = [];
    for (const name of idListNames(definition)) {
      try {
        args[name] = this.#taken(args[name]);
      } catch (error) {
        problems.push({ path: [name], message: messageOf(error) });
        delete args[name];
      }
    }
    return { args, problems };
  }

  /** Any other value stays as it is: the check of the arguments says what is wrong with it. */
  #taken(value: unknown): unknown {
    const source = sourceOf(value);
    if (source === undefined || source === UNKNOWN) return source ?? value;
    const { ids } = source;
    if (Array.isArray(ids) && ids.includes(UNKNOWN)) return UNKNOWN;
    if (Array.isArray(ids) && !ids.every((id) => typeof id === "string" && id !== "")) return ids;
    const digest = digestOf(ids);
    this.#sources.set(digest.hash, source);
    this.#hashes.set(digest.hash, digest.__hashes);
    return digest;
  }

  /** The ids of a digest; undefined when no program of this run gave them. @throws ConsoleError when their file changed. */
  readonly idsOf: IdSource = (digest) => {
    const { ids, file } = this.#sources.get(digest.hash) ?? {};
    if (ids !== undefined && file !== undefined && digestOf(ids).hash !== digest.hash)
      throw invalidArgument(
        `The file ${JSON.stringify(file)} was changed while this run went on. Nothing was changed in the console. Run "pulumi up" again.`,
      );
    return ids;
  };
}

function sourceOf(value: unknown): Source | typeof UNKNOWN | undefined {
  if (Array.isArray(value)) return { ids: value as string[] };
  if (!isObject(value)) return undefined;
  if (Object.values(value).includes(UNKNOWN)) return UNKNOWN;
  if (value[SIGNATURE] === assetSignature) return assetSource(value);
  if (typeof value[listMember] === "string") return { ids: JSON.parse(value[listMember]) as string[] };
  if (typeof value[textMember] === "string") return textSource(Buffer.from(value[textMember], "base64"));
  const isFile = typeof value.file === "string" && value.file !== "" && Object.keys(value).length === 1;
  return isFile ? fileSource(value.file as string) : undefined;
}

function assetSource({ path: file, text, uri }: JsonObject): Source {
  if (typeof file === "string" && file !== "") return fileSource(file);
  if (typeof uri === "string" && uri !== "")
    throw new Error(`found an asset at ${uri}; nothing is fetched: use a file or a text`);
  return textSource(packedBytes(String(text ?? "")));
}

function fileSource(file: string): Source {
  return { ids: lines(() => readBytes(file)), file };
}

function textSource(packed: Buffer): Source {
  return { ids: lines(() => inflateRawSync(packed)) };
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const found =
      code === "ENOENT" ? "there is no such file" : `it cannot be read (${code ?? messageOf(error)})`;
    throw new Error(
      `found the file ${JSON.stringify(file)}, but ${found}; correct its path, from ${path.resolve()}`,
    );
  }
}

const lineFeed = 10;

/** From this many bytes of ids on, what came before a pass over them, and what it leaves behind, is cleared away. */
const manyBytes = 8 * 1024 * 1024;

/**
 * One id a line. Space around it, empty lines, the line ends of any system and a byte order mark have no meaning. Each id
 * is made when its turn comes.
 */
function lines(read: () => Buffer): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      let bytes = read();
      const isLarge = bytes.length >= manyBytes;
      if (isLarge) tidy();
      for (let from = 0; from < bytes.length; ) {
        const end = bytes.indexOf(lineFeed, from);
        const to = end < 0 ? bytes.length : end;
        // Trimming takes a byte order mark and a carriage return away too.
        const id = bytes.toString("utf8", from, to).trim();
        if (id !== "") yield id;
        from = to + 1;
      }
      bytes = Buffer.alloc(0);
      if (isLarge) tidy();
    },
  };
}

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

let collect: Collect | undefined;

/**
 * Clears memory that is no longer used, and keeps the part of it small in which new values begin. Left to itself, Node
 * waits until there is much more of it than a runner in a small container has: with a million ids every request and answer
 * leaves tens of megabytes behind, and the part for new values alone grows to 128 MB. No other file sets flags of V8:
 * without these two a million ids take more than the 512 MB that they may, by the figures in docs/architecture.md. Source:
 * V8's flags and the options of its `gc`; measured by `npm run prove -- ids`.
 */
export function tidy(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    setFlagsFromString("--semi-space-growth-factor=1");
    collect = runInNewContext("gc") as Collect;
  }
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
