import type { CallInput } from "../client/call";
import type { RouteClient } from "../client/client";
import { pathParameters } from "../client/route-path";
import type { IdSource } from "../id-lists/changes";
import { type ObjectDefinition, type ResourceDefinition, routeOf } from "../schema/define";
import {
  bug,
  type ConsoleError,
  invalidArgument,
  isConsoleError,
  messageOf,
  reworded,
} from "../schema/errors";
import { consoleMember, resourceMember, selfMember } from "../schema/internal";
import type { JsonObject } from "../schema/json";
import { addressIn, idArguments, programId } from "../schema/object-id";
import type { ReviewMode } from "../schema/reviews";
import { UNKNOWN, unknownText } from "../schema/unknown";
import type { Route } from "../schema/verbs";
import { toWire, withArgumentNames } from "../schema/wire-names";
import { quote } from "../texts/issue-text";
import type { Ownership } from "./ownership";

/** Ports and settings of the engine. One per process and console. */
export interface EngineContext {
  readonly client: RouteClient;
  /** Tells the user something in one line. */
  readonly report: (line: string) => void;
  /** Resources that hold objects, as far as this run knows. */
  readonly ownership: Ownership;
  readonly journal: CreateJournal;
  /** True: an object is changed only as it was last seen, unless its resource sets that. */
  readonly protectsEdits: boolean;
  /** True: an update overwrites console edits, unless its resource sets that. */
  readonly overwritesEdits: boolean;
  /** Treatment of reviews where a resource sets none, and the description of new reviews. A mode that is left out bypasses them. */
  readonly reviews: { readonly mode?: ReviewMode; readonly message?: string };
  /** True for an argument of the resource of this digest in which the program has a secret. */
  readonly isSecret: (resource: unknown, name: string) => boolean;
  /** Digest of the console's address. */
  readonly console: string;
  /** The mark of this run's stack (`provider/decisions/stack-mark.ts`); undefined when no program has told. */
  readonly stack: () => string | undefined;
  /** Digest of the backend that keeps the state of this run; undefined where that is not known. */
  readonly backend: () => string | undefined;
  /** True where the state of the resource of this digest has an object, although this run has not been told which state. */
  readonly isInState: (resource: string, object: string) => boolean;
  /** The same, with the state itself asked, which takes a second: for what would be refused otherwise. `id`: of the object. */
  readonly isStored: (resource: string, object: string, id: string) => Promise<boolean>;
  /** State of the object of a resource, where this run can know it; it may ask the CLI, which takes a second. */
  readonly storedState: (resource: string, id: string) => Promise<JsonObject | undefined>;
  /** Names of a resource in the program, by the digest of its URN. */
  readonly resourceNames: (resource: string) => ResourceNames | undefined;
  /** Permissions that a person gives for this run. */
  readonly permissions: Permissions;
  /** Secrets that lead to objects, by the ids under which everybody else knows those. Never written anywhere. */
  readonly secretIds: Map<string, string>;
  /** The ids of a digest, as the program gave them; undefined when this process has not seen them. */
  readonly idsOf: IdSource;
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Names of a resource in the program. */
export interface ResourceNames {
  readonly name: string;
  readonly urn?: string;
}

/** Permissions that hold for one run. */
export interface Permissions {
  /** An object that equals this stack's own create counts as its own. */
  readonly takeOver: boolean;
  /** Objects in another console than the one that the settings lead to are left there. */
  readonly leaveInOtherConsole: boolean;
  /** Objects that a refresh does not find leave the state, however many. */
  readonly acceptGone: boolean;
}

/**
 * The create journal: what this stack wrote down before it sent a create or an archive, and reads after it was killed. Nothing
 * else tells what it made from what others made just the same. Objects are named as `kind id`.
 */
export interface CreateJournal {
  /** `stack`, here and below: where it is not that of this run, or no program has told it. */
  find(object: string, stack?: string): Promise<JournalEntry | undefined>;
  /** Replaces the entry of the object. */
  write(object: string, entry: JournalEntry, stack?: string): Promise<void>;
  /** Entries of other stacks about the object in the same console, as far as their journals can be read. */
  entriesOfOthers(object: string, stack?: string): Promise<readonly JournalEntry[]>;
  /** Drops the entry of an object that is gone, or that was not made after all. */
  drop(object: string, stack?: string): Promise<void>;
}

/** An entry of the create journal about an object. Its members stand in files: they keep their names. */
export interface JournalEntry {
  /** When it was about to be made, archived or brought back, by the clock of this machine, milliseconds since 1970. */
  readonly at: number;
  /** Lead of the console's clock before this machine's, milliseconds; left out where no answer had shown it. */
  readonly consoleAheadMs?: number;
  /** `adopt`: a resource has taken over what existed. */
  readonly did: "create" | "archive" | "unarchive" | "adopt";
  /** The resource for which it was made: the digest of its URN, its name in the program, and the URN itself. */
  readonly resource?: string;
  readonly name?: string;
  readonly urn?: string;
  /** The mark that the resource bears in state; it keeps that when it moves to the state of another stack. */
  readonly self?: string;
  /** Ids of the objects that existed before, where a list was read: one of this name may have had another name then. */
  readonly there?: readonly string[];
  /** The id that the answer named, or of what was adopted or brought back. */
  readonly made?: string;
  /** When that answer was there, by the clock of this machine: an object that was created later is another one. */
  readonly answeredAt?: number;
  /** When the console created it, as it shows it itself: an object of another time is another one. */
  readonly created?: number;
  /** Digest of the console's address, where the journal says it. */
  readonly console?: string;
  /** Id of the console's project, where it was known. */
  readonly project?: string;
}

/** ` of "Everyone"`: the elements that a path leads through, by their names. */
export function withinText(names: readonly string[]): string {
  return names.length === 0 ? "" : ` of ${names.map((name) => quote(name)).join(", ")}`;
}

/** Members of a journal entry about the resource of a write. */
export function resourceIn(
  context: EngineContext,
  program: JsonObject,
): Pick<JournalEntry, "resource" | "name" | "urn" | "self"> {
  const { [resourceMember]: resource, [selfMember]: self } = program;
  const mark = typeof self === "string" ? { self } : {};
  if (typeof resource !== "string") return mark;
  return { resource, ...context.resourceNames(resource), ...mark };
}

/** True for an object that state says is in another console. What an earlier version wrote does not say. */
export function isElsewhere(console: string, state: JsonObject): boolean {
  const stored = state[consoleMember];
  return typeof stored === "string" && stored !== console;
}

/** Advice about an object of another console. */
export function elsewhereText(object: string): string {
  return (
    `${object} is in another console than the one that the settings lead to (feature-console:profile, baseUrl, embeddedPath). ` +
    "Set them back, or use a stack of its own for each console. To make the objects of this stack anew in this console and " +
    "leave those of the other one as they are, set FEATURE_CONSOLE_MOVE=1 for one run."
  );
}

/** A client that asks for objects with another input. Lists are asked for as they are. */
export function withInput(
  client: RouteClient,
  inputFor: (route: Route, input: CallInput) => CallInput,
): RouteClient {
  return {
    ...client,
    item: async (route, input) => client.item(route, inputFor(route, input)),
    maybeItem: async (route, input) => client.maybeItem(route, inputFor(route, input)),
  };
}

/** An object that was created or taken over. */
export interface CreatedObject {
  readonly id: string;
  readonly live: JsonObject;
  /** The journal has an entry of how it was taken over: it is not noted as made. */
  readonly isNoted?: boolean;
  /** The object that it replaces, read after this run gave it another name. */
  readonly seenOfReplaced?: JsonObject | undefined;
}

/** A route of a kind, and the parameters of its path or its query that lead to one object. @throws ConsoleError for an id that leads nowhere. */
export function routeTo(
  definition: ResourceDefinition,
  name: string,
  id: string,
): { route: Route; params: Record<string, string> } {
  const route = routeOf(definition, name);
  if (definition.identity.how === "address") return { route, params: addressOfId(definition, id) };
  const [parameter] = pathParameters(route.path);
  return { route, params: parameter === undefined ? {} : { [parameter]: id } };
}

/** The arguments that lead to the object of an id, by the API's names. */
function addressOfId(definition: ResourceDefinition, id: string): Record<string, string> {
  const address = addressIn(definition, id);
  if (address !== undefined) return toWire(definition, address) as Record<string, string>;
  throw invalidArgument(
    `${nameOf(definition, id)} cannot be read: its id has to be made of ${idArguments(definition).join(", ")}, joined by "::".`,
  );
}

/** `gate "a_gate"`. */
export function nameOf(definition: ObjectDefinition, id: string): string {
  return id.includes(UNKNOWN)
    ? `${definition.title} whose id is ${unknownText}`
    : `${definition.title} "${id}"`;
}

/** An object by what these arguments or this state call it, as `gate "a_gate"`: the key of its journal entry. */
export function objectLabel(definition: ObjectDefinition, args: JsonObject): string {
  return nameOf(definition, String(programId(definition, args)));
}

/** An object exists, and something after that failed: the id must not be lost. */
export class PartialFailure extends Error {
  readonly id: string;
  readonly live: JsonObject;
  readonly error: ConsoleError;

  constructor(id: string, live: JsonObject, error: ConsoleError) {
    super(error.message);
    this.name = "PartialFailure";
    this.id = id;
    this.live = live;
    this.error = error;
  }
}

/** Most times that the console is asked where an answer may be late, and the time between two. */
const mostAsks = 3;
const betweenAsksMs = 500;

/** The first answer that is sure, or else the last one: a read may be late (docs/assumptions.md, row 21). `ask` gets the number of the time. */
export async function askAgain<T>(
  { sleep }: EngineContext,
  ask: (time: number) => Promise<T>,
  isSure: (answer: T) => boolean,
): Promise<T> {
  for (let time = 1; ; time += 1) {
    const answer = await ask(time);
    if (time === mostAsks || isSure(answer)) return answer;
    await sleep(betweenAsksMs);
  }
}

/** Runs a verb; what it throws says which verb, on what. `definition`: of the object of a write, whose arguments it names. */
export async function attempting<T>(
  what: string,
  work: () => Promise<T>,
  definition?: ResourceDefinition,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PartialFailure)
      throw new PartialFailure(error.id, error.live, withAttempt(what, error.error, definition));
    throw withAttempt(what, error, definition);
  }
}

/** Longest message, characters: an answer of megabytes is no reason to fill a terminal. */
const longestMessage = 2000;

/** The end of a message is its advice: it stays. */
const keptAtEnd = 400;

function bounded(message: string): string {
  if (message.length <= longestMessage) return message;
  return `${message.slice(0, longestMessage - keptAtEnd - 5)} ... ${message.slice(-keptAtEnd)}`;
}

function withAttempt(what: string, error: unknown, definition?: ResourceDefinition): ConsoleError {
  const reason = messageOf(error);
  const named =
    definition !== undefined && isConsoleError(error, "refused")
      ? withArgumentNames(definition, reason)
      : reason;
  const message = bounded(`Cannot ${what}: ${named}`);
  if (!isConsoleError(error)) return bug(message, { cause: error });
  return reworded(error, message);
}
