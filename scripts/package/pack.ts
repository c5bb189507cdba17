import path from "node:path";
import { npmCommand, run } from "../process/run";

/** Packs the package as npm would publish it and returns the path of the tarball. `dist` must be built. */
export async function packTarball(repository: string, folder: string): Promise<string> {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const packed = await run(npmCommand, args, { cwd: repository, timeoutMs: 60_000 });
  if (packed.code !== 0) throw new Error(`npm pack failed: ${packed.problem ?? packed.stderr.trim()}`);
  const [entry] = JSON.parse(packed.stdout) as { filename: string }[];
  if (entry === undefined) throw new Error("npm pack made no tarball");
  return path.join(folder, entry.filename);
}
