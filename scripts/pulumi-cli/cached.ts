import { homedir } from "node:os";
import path from "node:path";
import type { Finder } from "./discover";
import { holdsBinaries } from "./on-path";
import { CLI_VERSION } from "./versions";

/** This project's folder in the user's cache: `$XDG_CACHE_HOME`, otherwise `~/.cache`. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env, home: string = homedir()): string {
  const configured = environment.XDG_CACHE_HOME;
  // The XDG specification tells to ignore a relative path.
  const base = configured && path.isAbsolute(configured) ? configured : path.join(home, ".cache");
  return path.join(base, "pulumi-feature-console");
}

/** Where the binaries of this version, for this system, are kept. */
export function cachedBinaries(cache: string): string {
  return path.join(cache, `pulumi-${CLI_VERSION}-${process.platform}-${process.arch}`);
}

/** A copy that an earlier run downloaded or built. */
export function cached(cache: string): Finder {
  const folder = cachedBinaries(cache);
  return {
    name: "copy in the cache folder",
    async find() {
      if (!holdsBinaries(folder)) return { why: "none yet" };
      return { folders: [folder], source: `pulumi ${CLI_VERSION} in the cache folder` };
    },
  };
}
