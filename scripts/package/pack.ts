import { cp } from "node:fs/promises";
import path from "node:path";
import { npmCommand, run } from "../process/run";

/** What `npm pack` reports. */
export interface Packed {
  /** The name of the tarball. */
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs a package as npm would publish it, into a folder; without one it only lists its files. `dist` must be built. */
export async function pack(repository: string, folder?: string): Promise<Packed> {
  const target = folder === undefined ? ["--dry-run"] : ["--pack-destination", folder];
  const args = ["pack", "--json", "--ignore-scripts", ...target];
  const packed = await run(npmCommand, args, { cwd: repository, timeoutMs: 60_000 });
  if (packed.code !== 0) throw new Error(`npm pack failed: ${packed.problem ?? packed.stderr.trim()}`);
  const [entry] = JSON.parse(packed.stdout) as Packed[];
  if (entry === undefined) throw new Error("npm pack made no tarball");
  return entry;
}

/** Copies what npm would publish of a package, and nothing else, to where it would install it. */
export async function copyPacked(repository: string, target: string): Promise<void> {
  for (const file of (await pack(repository)).files)
    await cp(path.join(repository, file.path), path.join(target, file.path));
}
