import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import path from "node:path";
import { filesBelow } from "../../stack/source-places";
import type { Sources } from "../program";

const isSource = /(?<!\.d)\.[mc]?[jt]sx?$/;

/** The sources of a program: every file of TypeScript and JavaScript below a folder, but for what is installed. */
export function sourcesIn(folder: string): Sources {
  const files = filesBelow(folder).filter((file) => isSource.test(path.posix.basename(file)));
  const read = (file: string) => {
    const bytes = readFileSync(path.join(folder, file));
    return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
  };
  return { folder, files, read };
}
