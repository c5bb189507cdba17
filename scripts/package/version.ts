import { readFile } from "node:fs/promises";
import path from "node:path";
import { repositoryRoot } from "../pulumi-cli/environment";

/** The version of this package. */
export async function ownVersion(): Promise<string> {
  const manifest = await readFile(path.join(repositoryRoot, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
