import type { RouteClient } from "../client/client";
import { pathParameters } from "../client/path";
import { type ObjectDefinition, type ResourceDefinition, routeOf, showsChanges } from "../core/define";
import { ConsoleError, isConsoleError, messageOf, reworded } from "../core/errors";
import type { IdSource } from "../core/id-changes";
import type { JsonObject } from "../core/json";
import type { Route } from "../core/verbs";
import type { Holders } from "./holders";

/** What the engine works with. One per process and console. */
export interface EngineContext {
  readonly client: RouteClient;
  /** Tells the user something in one line. */
  readonly report: (line: string) => void;
  /** Who holds what, as far as this run knows. */
  readonly holders: Holders;
  /** Left out: nothing is remembered beyond this run. */
  readonly notes?: CreateNotes;
  /** The ids of a digest, as the program gave them; undefined when this process has not seen them. */
  readonly idsOf: IdSource;
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * What this stack noted before it sent creates, and finds again after it was killed. For kinds whose objects do not show
 * when they changed: nothing else tells what an interrupted run made from what was there.
 */
export interface CreateNotes {
  /** Ids of the objects of that name that were there before; undefined when no create was noted. */
  find(object: string): Promise<readonly string[] | undefined>;
  keep(object: string, there: readonly string[]): Promise<void>;
  /** Forgets what was noted of an object that is gone. */
  drop(object: string): Promise<void>;
}

/** The notes about a kind; none where the objects themselves tell whether they changed. */
export function notesOf(context: EngineContext, definition: ResourceDefinition): CreateNotes | undefined {
  return showsChanges(definition) ? undefined : context.notes;
}

/** An object that was created or taken over. */
export interface Made {
  readonly id: string;
  readonly live: JsonObject;
}

/** A route of a kind, and the parameters that lead to one object. */
export function routeTo(
  definition: ResourceDefinition,
  name: string,
  id: string,
): { route: Route; params: Record<string, string> } {
  const route = routeOf(definition, name);
  const [parameter] = pathParameters(route.path);
  return { route, params: parameter === undefined ? {} : { [parameter]: id } };
}

/** `gate "a_gate"`. */
export function nameOf(definition: ObjectDefinition, id: string): string {
  return `${definition.title} "${id}"`;
}

/** An object exists, and something after that failed: the id must not be lost. */
export class Unfinished extends Error {
  readonly id: string;
  readonly live: JsonObject;
  readonly error: ConsoleError;

  constructor(id: string, live: JsonObject, error: ConsoleError) {
    super(error.message);
    this.name = "Unfinished";
    this.id = id;
    this.live = live;
    this.error = error;
  }
}

/** Runs a verb; what it throws says which verb, on what. */
export async function attempting<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unfinished) throw new Unfinished(error.id, error.live, told(what, error.error));
    throw told(what, error);
  }
}

/** Longest message, characters: an answer of megabytes is no reason to fill a terminal. */
const longestMessage = 2000;

/** What stands at the end of a message says what to do: it stays. */
const keptAtEnd = 400;

function bounded(message: string): string {
  if (message.length <= longestMessage) return message;
  return `${message.slice(0, longestMessage - keptAtEnd - 5)} ... ${message.slice(-keptAtEnd)}`;
}

function told(what: string, error: unknown): ConsoleError {
  const message = bounded(`Cannot ${what}: ${messageOf(error)}`);
  if (!isConsoleError(error)) {
    return new ConsoleError(
      `${message} This is a bug in pulumi-feature-console: please report it.`,
      { category: "bug" },
      { cause: error },
    );
  }
  return reworded(error, message);
}
