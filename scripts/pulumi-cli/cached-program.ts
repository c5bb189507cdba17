import path from "node:path";
import { ensureFolder } from "../process/atomic-folder";
import { type Build, buildProgram } from "./build";
import { cacheFolder } from "./cached";
import { goCommand, whyNoGo } from "./go";

/**
 * The folder of a program that the first call builds from Go modules into the user's cache folder.
 * `digest`: identifies files that the build takes from this project. @throws Error where it is not built yet and there is no Go.
 */
export async function builtProgram(build: Build, digest?: string): Promise<string> {
  const cache = cacheFolder();
  const parts = [build.program, build.version, digest, process.platform, process.arch];
  const folder = path.join(cache, parts.filter((part) => part !== undefined).join("-"));
  await ensureFolder(folder, {
    async fill(staging) {
      const why = await whyNoGo();
      if (why !== undefined) throw new Error(why);
      await buildProgram(await goCommand(cache), build, staging);
    },
    onWait: () => process.stderr.write(`Waiting for another process that builds ${build.program}\n`),
  });
  return folder;
}
