import { createHash } from "node:crypto";
import { catalog } from "../../provider/definitions/index";
import type { JsonObject } from "../../provider/schema/json";
import { idsOfSegment } from "../console/id-lists";
import type { World } from "../store/store";

/** A file of ids that grows at its end: one line for each id that came or went. */
interface IdListFile {
  /** Which form of the segment it tells. */
  readonly version: string;
  readonly fileID: string;
  /** Milliseconds since 1970. */
  readonly creationTime: number;
  readonly lines: string;
  /** Hashes that are in it. */
  readonly hashes: ReadonlySet<string>;
}

/** The files of the segments that are too long for the document. */
export type IdListFiles = ReturnType<typeof createIdListFiles>;

/** A file with more lines than this for each id is begun anew. */
const mostLinesPerId = 4;

/** Makes files when they are asked for, and lets them grow afterwards: SDKs then fetch only what is new. */
export function createIdListFiles(clock: () => number, makeId: () => string) {
  const files = new Map<string, IdListFile>();
  const bring = (world: World, name: string): IdListFile => {
    const version = versionOf(world, name);
    const known = files.get(name);
    if (known?.version === version) return known;
    const hashes = new Set(idsOfSegment(world, name).map(hashOf));
    const begin = () => ({ fileID: makeId(), creationTime: clock(), lines: "", hashes: new Set<string>() });
    const former = known !== undefined && grows(known, hashes) ? known : begin();
    const file = { ...former, version, lines: former.lines + changesOf(former.hashes, hashes), hashes };
    files.set(name, file);
    return file;
  };
  return {
    /** The list of the files, as SDKs ask for it. @param url makes the address of a file */
    index(world: World, names: readonly string[], url: (name: string, file: string) => string): JsonObject {
      for (const name of files.keys()) if (!names.includes(name)) files.delete(name);
      const entries = names.map((name) => {
        const { fileID, creationTime, lines } = bring(world, name);
        return [name, { name, size: lines.length, url: url(name, fileID), creationTime, fileID }];
      });
      return Object.fromEntries(entries);
    },
    /** The content of a file; undefined when there is none of that name and id. */
    read(name: string, fileID: string): string | undefined {
      const file = files.get(name);
      return file?.fileID === fileID ? file.lines : undefined;
    },
  };
}

/** A segment of the same name may have been made anew. */
function versionOf(world: World, name: string): string {
  const item = world.get(catalog.segment.name, name);
  return `${String(item?.createdTime)} ${String(item?.$listVersion)}`;
}

const grows = ({ lines }: IdListFile, wanted: ReadonlySet<string>): boolean =>
  lines.length < (wanted.size + 1) * mostLinesPerId * "+12345678\n".length;

function changesOf(held: ReadonlySet<string>, wanted: ReadonlySet<string>): string {
  const gone = [...held].filter((hash) => !wanted.has(hash)).map((hash) => `-${hash}\n`);
  const come = [...wanted].filter((hash) => !held.has(hash)).map((hash) => `+${hash}\n`);
  return [...gone, ...come].join("");
}

/** The hash by which an SDK finds a unit in a list (console-api/specs.md, section 9). */
function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("base64").slice(0, 8);
}
