import { createHash } from "node:crypto";
import { everyKind } from "../definitions";
import { type Category, isConsoleError } from "../schema/errors";
import type { Route } from "../schema/verbs";
import type { Parsed } from "./answer";
import type { ResolvedSettings } from "./settings";

/** What the name of a project is found with. */
export interface ProjectNamePorts {
  readonly settings: Pick<ResolvedSettings, "baseUrl" | "apiKey">;
  readonly call: (route: Route) => Promise<Parsed>;
  readonly report: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A console that does not tell the project is not asked again for this long. Milliseconds. */
const askAgainAfterMs = 5000;

/**
 * The name of a project among all who share a Redis: asked for once; undefined while the console does not tell it, which is
 * reported once.
 */
export function projectNameReader({ settings, call, report, now }: ProjectNamePorts) {
  let name: Promise<string> | undefined;
  let unknownUntil = 0;
  let isReported = false;
  return async (): Promise<string | undefined> => {
    if (now() < unknownUntil) return undefined;
    name ??= projectName(settings, call);
    try {
      return await name;
    } catch {
      name = undefined;
      unknownUntil = now() + askAgainAfterMs;
      if (!isReported) report(unknownText);
      isReported = true;
      return undefined;
    }
  };
}

const unknownText =
  "The console does not return the id of this project: until it does, this process shares nothing over feature-console:redisUrl.";

/** What a console answers that will not tell the project, now or later. */
const withholding: ReadonlySet<Category> = new Set(["forbidden", "unauthorized", "not-found"]);

/**
 * A name that all processes of one project know: its id, or, where the console does not tell it, a hash of address and
 * key, from which neither can be read.
 */
export async function projectName(
  { baseUrl, apiKey }: Pick<ResolvedSettings, "baseUrl" | "apiKey">,
  call: (route: Route) => Promise<Parsed>,
): Promise<string> {
  try {
    const { data } = await call(everyKind.project.routes.get);
    const id = (data as { readonly id?: unknown } | undefined)?.id;
    if (typeof id === "string" && id !== "") return hash(`${baseUrl} ${id}`);
  } catch (error) {
    // A key may write and not read this; its own name does then. Any other failure would part runs that share a Redis.
    if (!isConsoleError(error) || !withholding.has(error.category)) throw error;
  }
  return hash(`${baseUrl} ${apiKey}`);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
