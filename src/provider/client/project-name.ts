import { createHash } from "node:crypto";
import { everyKind } from "../definitions";
import { type Category, isConsoleError } from "../schema/errors";
import type { Route } from "../schema/verbs";
import type { Parsed } from "./answer";
import { whileThere } from "./limits/redis";
import type { ResolvedSettings } from "./settings";

/** Ports by which the name of a project is found. */
export interface ProjectNamePorts {
  readonly settings: Pick<ResolvedSettings, "baseUrl" | "apiKey">;
  readonly project: () => Promise<string | undefined>;
  readonly report: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * The name of a project among all who share a Redis: asked for once; undefined while the console does not tell it, which is
 * reported once.
 */
export function projectNameReader({ settings, project, ...ports }: ProjectNamePorts) {
  const whileTold = whileThere(ports, () => unknownText);
  let name: string | undefined;
  return async (): Promise<string | undefined> => {
    name ??= await whileTold(() => projectName(settings, project));
    return name;
  };
}

const unknownText =
  "The console does not return the id of this project: until it does, this process shares nothing over feature-console:redisUrl.";

/** Answers of a console that will not show the project, now or later. */
const withholding: ReadonlySet<Category> = new Set(["forbidden", "unauthorized", "not-found"]);

/** The project of a key. */
export interface ProjectReader {
  /** Its id, asked for once; undefined where the key may not read it. @throws ConsoleError for a failure that may pass. */
  (): Promise<string | undefined>;
  /** The id, where an answer has shown it already. */
  known(): string | undefined;
}

/** Asks for the project of a key once: for whatever compares it, and for the name by which processes share a Redis. */
export function projectReader(call: (route: Route) => Promise<Parsed>): ProjectReader {
  let asked: Promise<string | undefined> | undefined;
  let id: string | undefined;
  const read = () => {
    asked ??= projectId(call).then(
      (found) => {
        id = found;
        return found;
      },
      (error: unknown) => {
        const isWithheld = isConsoleError(error) && withholding.has(error.category);
        // A failure that may pass is asked again: a key that the console refuses for a moment may be right.
        if (!isWithheld || error.category === "unauthorized") asked = undefined;
        // A key may write and not read this. Any other failure would part runs that share a Redis.
        if (!isWithheld) throw error;
        return undefined;
      },
    );
    return asked;
  };
  return Object.assign(read, { known: () => id });
}

async function projectId(call: (route: Route) => Promise<Parsed>): Promise<string | undefined> {
  const { data } = await call(everyKind.project.routes.get);
  const id = (data as { readonly id?: unknown } | undefined)?.id;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/**
 * A name that all processes of one project know: its id, or, where the console does not tell it, a hash of address and
 * key, from which neither can be read.
 */
export async function projectName(
  { baseUrl, apiKey }: Pick<ResolvedSettings, "baseUrl" | "apiKey">,
  project: () => Promise<string | undefined>,
): Promise<string> {
  const name = `${baseUrl} ${(await project()) ?? apiKey}`;
  return createHash("sha256").update(name).digest("hex").slice(0, 16);
}
