import { type Profile, pathPrefix } from "../../provider/client/profile";
import { catalog } from "../../provider/definitions/index";
import { messageOf } from "../../provider/schema/errors";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { type LimitName, publishedLimits, scaled } from "../../provider/schema/write-limits";
import type { Query } from "../http/pagination";
import type { Match, Router } from "../http/routing";
import { isDryRun, namedItem } from "../store/items";
import { endedKeys, type Store } from "../store/store";
import { recordChange } from "./audit-log";
import type { Call, Ports } from "./behaviour";
import { operationsOf } from "./default-operations";
import { hold } from "./reviews";
import { type Answer, Held, invalid, notFound, type Outcome, Refusal } from "./rules/outcomes";
import type { Switches } from "./rules/switches";
import { withOwnUnitId, withServiceUnitId } from "./rules/unit-id";
import { checkBody } from "./rules/validation";

/** A request as the console sees it. */
export interface ConsoleRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** JSON text; undefined or empty: no body. */
  readonly body?: string | undefined;
}

/** Settings of a console: keys, names, limits, switches and ports. */
export interface ConsoleSettings {
  readonly profile: Profile;
  /** Undefined: every key will do. */
  readonly key?: string | undefined;
  readonly readOnlyKey?: string | undefined;
  /** Keys of persons, with their e-mail addresses: such a key acts as its person. */
  readonly people: ReadonlyMap<string, string>;
  /** The key of SDKs, which is refused here. */
  readonly serverKey?: string | undefined;
  /** An embedded console is reached by no one else and asks for no key. */
  readonly needsKey: boolean;
  /** Answers as the specification shows, where the published service does otherwise. */
  readonly specifiedForm: boolean;
  readonly switches: Switches;
  readonly ports: Ports;
  /** Asked before every write; true: this one is too many. */
  readonly overLimit: (limit: LimitName) => boolean;
}

/** The console itself: decides on a request and changes the world, all or nothing. Never throws. */
export function handle(
  store: Store,
  router: Router,
  settings: ConsoleSettings,
  request: ConsoleRequest,
): Answer {
  const [path = "", search = ""] = request.target.split(/\?(.*)/s);
  const match = path.startsWith(`${pathPrefix}/`)
    ? router(request.method, path.slice(pathPrefix.length))
    : undefined;
  if (match === undefined) return notFound().answer;
  const { status, body } = answerOf(() => {
    const key = request.headers[settings.profile.keyHeader.toLowerCase()];
    checkKey(store, settings, match, key);
    return perform(store, settings, match, {
      path,
      query: readQuery(search),
      body: request.body,
      author: personOf(settings, key),
      respectsReviews: request.headers["x-respect-review-settings"] !== undefined,
    });
  });
  return { status, body: withOwnUnitId(body, settings.profile.unitIdMember) };
}

/** An answer, or the one that a failure is. A mistake in the emulator, or a store that cannot be used, is said openly: its user has to fix it. */
function answerOf(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    const refusal = isOutOfStack(error) ? tooDeep() : error;
    if (refusal instanceof Refusal) return refusal.answer;
    return { status: 500, body: { status: 500, message: `The emulator failed: ${messageOf(error)}` } };
  }
}

type Received = Pick<Call, "path" | "query" | "author" | "respectsReviews"> & {
  readonly body: string | undefined;
};

/** The person whose key a request has. */
function personOf({ people }: ConsoleSettings, key: string | undefined): Call["author"] {
  const email = people.get(key ?? "");
  return email === undefined ? undefined : { id: `user-${email}`, email };
}

function perform(store: Store, settings: ConsoleSettings, match: Match, received: Received): Answer {
  const { behaviour, route, operation, params } = match;
  const { switches, ports } = settings;
  const { body: text, ...asked } = received;
  const sent = route.method === "GET" ? undefined : parseBody(text);
  const readsOnly = route.method === "GET" && behaviour.catchUp === undefined;
  const operationOf = (name: string) => operationsOf(behaviour)[name];
  const outcome = store.transaction(readsOnly ? "read" : "write", (world) => {
    const held = namedItem(world, behaviour, params)?.item;
    const neutral = withServiceUnitId(sent, settings.profile.unitIdMember);
    const body = checkBody(behaviour.definition, route, neutral, held ?? "nothing");
    const call: Call = { world, ports, switches, behaviour, operationOf, route, params, body, ...asked };
    behaviour.catchUp?.(call);
    const { outcome: done, by = match.name } = performed(call, operation, match.name);
    if (route.method !== "GET" && !isDryRun(call))
      recordChange(call, by, held ?? (isObject(done.data) ? done.data : {}));
    return done;
  });
  const answer = { status: route.status ?? 200, body: { ...outcome } };
  return settings.specifiedForm
    ? inSpecifiedForm(answer, `${behaviour.definition.kind} ${match.name}`)
    : answer;
}

/** The differences that console-api, section 12, marks as switchable. */
function inSpecifiedForm({ status, body: { pagination, ...body } }: Answer, operation: string): Answer {
  const isOk = ["Segment create", "Experiment disableGroups"].includes(operation);
  const isWhole = ["Gate listDynamicConfigReferences", "ParamStore list"].includes(operation);
  return {
    status: isOk ? 200 : status,
    body: isWhole || pagination === undefined ? body : { ...body, pagination },
  };
}

/** `by`: the route of the effect, where it is another than the requested one. */
function performed(
  call: Call,
  operation: Match["operation"],
  name: string,
): { readonly outcome: Outcome; readonly by?: string } {
  try {
    return { outcome: operation(call) };
  } catch (error) {
    if (error instanceof Held) return { outcome: hold(call, name), by: "createReview" };
    throw error;
  }
}

const isActiveConsoleKey = ({ status, type }: JsonObject): boolean =>
  status === "active" && (type ?? "CONSOLE") === "CONSOLE";

/** True where a key has scopes, and none of these. */
const lacksScopes = ({ scopes }: JsonObject, ...needed: readonly string[]): boolean =>
  Array.isArray(scopes) && scopes.length > 0 && !needed.some((scope) => scopes.includes(scope));

/** The text of a 401 ends with the key that was sent (console-api, section 5): clients must not print it. */
function checkKey(store: Store, settings: ConsoleSettings, match: Match, key: string | undefined): void {
  const { route } = match;
  const isWrite = route.method !== "GET";
  if (settings.needsKey) {
    if (key !== undefined && key === settings.serverKey)
      throw new Refusal(401, "This is a server key: SDKs take it. The Console API takes a console key.");
    const foreign = Object.keys(settings.profile.otherKeys).some((prefix) => key?.startsWith(prefix));
    const readsOnly = key !== undefined && key === settings.readOnlyKey;
    const isPerson = personOf(settings, key) !== undefined;
    const isTold = settings.key === undefined || key === settings.key || readsOnly || isPerson;
    // One that the console has made, or was seeded with.
    const { stored, hasEnded } = store.transaction("read", (world) => ({
      stored: world.get(catalog.key.name, key ?? ""),
      hasEnded: world.get(endedKeys, key ?? "") !== undefined,
    }));
    const known = stored === undefined ? isTold && !hasEnded : isActiveConsoleKey(stored);
    if (!key || foreign || !known) throw new Refusal(401, `An invalid API key was sent. Key: ${key ?? ""}`);
    const mayNotWrite = readsOnly || lacksScopes(stored ?? {}, "omni_read_write", "personal_read_write");
    if (mayNotWrite && isWrite) throw new Refusal(403, "Forbidden resource");
    if (match.behaviour.definition === catalog.key && lacksScopes(stored ?? {}, "can_access_keys"))
      throw new Refusal(403, "Insufficient permissions.");
  }
  if (!isWrite) return;
  const over =
    settings.overLimit("project") || (route.limit !== undefined && settings.overLimit(route.limit));
  if (over) throw new Refusal(429, "Too Many Requests");
}

/** Levels of objects and lists in a body. */
const deepestBody = 500;

function parseBody(text: string | undefined): unknown {
  if (text === undefined || text.trim() === "") return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalid([{ property: "", errorMessage: "The request body is not valid JSON" }]);
  }
  if (isDeeper(body, deepestBody)) throw tooDeep();
  return body;
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1)));

/** The limit is ours. */
const tooDeep = (): Refusal =>
  invalid([{ property: "", errorMessage: `The request body is nested deeper than ${deepestBody} levels` }]);

function readQuery(search: string): Query {
  const query = new URLSearchParams(search);
  return new Map([...query.keys()].map((name) => [name, query.getAll(name)]));
}

/** A text of JSON5 inside of a body may be deeper than the body. */
const isOutOfStack = (error: unknown): boolean =>
  error instanceof RangeError && error.message.includes("call stack");

/**
 * Counts writes in sliding windows; the returned function says true for one that is too many, which is not counted.
 * `scale`: what the length of the windows is multiplied by.
 */
export function countWrites(clock: () => number, scale = 1): (name: LimitName) => boolean {
  const seen: Record<LimitName, number[]> = { project: [], ids: [] };
  return (name) => {
    const now = clock();
    const windows = scaled(publishedLimits[name], scale);
    const longest = Math.max(...windows.map(({ windowMs }) => windowMs));
    const times = seen[name];
    while (times[0] !== undefined && times[0] <= now - longest) times.shift();
    const over = windows.some(({ most, windowMs }) => {
      const oldest = times[times.length - most];
      return oldest !== undefined && oldest > now - windowMs;
    });
    if (!over) times.push(now);
    return over;
  };
}
