import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import type { ProjectContent } from "./packed-project";

const root = path.join(repositoryRoot, "examples");
/** What npm and the embedded console make in the folder of an example. */
const made = ["node_modules", ".feature-console"];

/** Names of the folders in `examples` that are npm packages. */
export function exampleNames(): string[] {
  return readdirSync(root).filter((name) => existsSync(path.join(root, name, "package.json")));
}

/** An example's files as the content of a project of its own. */
export function exampleContent(name: string): ProjectContent {
  const files = Object.fromEntries(filesBelow(path.join(root, name)));
  return { name, program: files["index.ts"] ?? "", files };
}

function filesBelow(folder: string, below = ""): [string, string][] {
  return readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap(
    (entry): [string, string][] => {
      const file = path.posix.join(below, entry.name);
      if (made.includes(entry.name)) return [];
      return entry.isDirectory()
        ? filesBelow(folder, file)
        : [[file, readFileSync(path.join(folder, file), "utf8")]];
    },
  );
}
