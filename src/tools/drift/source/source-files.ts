import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Sources } from "../program";

const isSource = /(?<!\.d)\.[mc]?[jt]sx?$/;
const isPassedOver = /^(\..*|node_modules)$/;

/** The sources of a program: every file of TypeScript and JavaScript below a folder, but for what is installed. */
export function sourcesIn(folder: string): Sources {
  const files: string[] = [];
  const walk = (place: string) => {
    const entries = readdirSync(path.join(folder, place), { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const inner = path.posix.join(place, entry.name);
      if (entry.isDirectory() && !isPassedOver.test(entry.name)) walk(inner);
      else if (entry.isFile() && isSource.test(entry.name)) files.push(inner);
    }
  };
  walk("");
  const read = (file: string) => {
    const bytes = readFileSync(path.join(folder, file));
    return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
  };
  return { files, read };
}
