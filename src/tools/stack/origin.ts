import { execFileSync } from "node:child_process";
import { changeLink } from "../../provider/pulumi/runs/session";

/** Place and time of a report. */
export interface Origin {
  /** Short; undefined outside of a repository. `4f0c2d1 with changes` where files differ from it. */
  readonly commit: string | undefined;
  readonly author: string | undefined;
  /** Page of the pull request that a pipeline runs for, else of its commit. */
  readonly page: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The origin of a report that is made in a folder, by what git and the pipeline say. */
export function originOf(folder: string, environment: NodeJS.ProcessEnv, at: number): Origin {
  const commit = git(folder, "describe", "--always", "--exclude=*", "--dirty= with changes");
  const author = git(folder, "log", "-1", "--format=%an");
  return { commit: commit || undefined, author: author || undefined, page: changeLink(environment), at };
}

/** Output of git; empty where it fails. */
export function git(folder: string, ...args: readonly string[]): string {
  try {
    return execFileSync("git", ["-C", folder, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "";
  }
}
