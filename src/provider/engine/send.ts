import { auditOf } from "../schema/audit";
import type { ResourceDefinition } from "../schema/define";
import { ConsoleError, isConsoleError } from "../schema/errors";
import type { JsonObject } from "../schema/json";
import { secretOf } from "../schema/object-id";
import type { Route } from "../schema/verbs";
import { fromWire, toWire } from "../schema/wire-names";
import { consoleOwns } from "../values/console-owned";
import { withExactNumbers } from "../values/exact-numbers";
import { rolloutNames } from "../values/rollout";
import { withLiveMembers } from "../values/server-set-members";
import { namesOtherObject } from "./claims/answered-object";
import { keptReasonBy } from "./claims/archive-reason";
import { type EngineContext, nameOf, routeTo } from "./context";
import { readLive } from "./read";
import type { ReviewingClient } from "./reviews/reviewing-client";
import { addressOf } from "./secret-ids";
import type { DeclaredObject, LiveObject } from "./subject";

/** An object in the middle of a write. Each step returns the next one. */
export interface WriteTarget extends LiveObject, DeclaredObject {
  /** A write has answered something else than the object, which may have moved. */
  readonly isBehind?: boolean;
  /** Undefined where no write can need a review. */
  readonly reviews?: ReviewingClient | undefined;
  /** Fields whose change waits for a review: nothing more is sent. */
  readonly waiting?: readonly string[];
  /** Failure of a step: no step follows. */
  readonly failure?: ConsoleError | undefined;
}

/** The object after the writes of a strategy, and the fields that the strategy took care of. */
export interface Sent {
  readonly target: WriteTarget;
  readonly names: readonly string[];
}

/** Takes a step, unless one has failed. A failure stays with the object as it was before. */
export async function step<T extends WriteTarget>(target: T, work: (target: T) => Promise<T>): Promise<T> {
  if (target.failure !== undefined) return target;
  return work(target).catch((error) => failed(target, error));
}

/** An object of which a step has failed. @throws an error that is not the console's */
export function failed<T extends WriteTarget>(target: T, failure: unknown): T {
  if (!isConsoleError(failure)) throw failure;
  return { ...target, failure };
}

/** The object with what a read shows now. */
export function observe(target: WriteTarget): Promise<WriteTarget> {
  return step(target, async ({ live }) => {
    const current = await readLive(target);
    return current === undefined ? target : { ...target, live: { ...live, ...current } };
  });
}

/**
 * Values as every route takes them: under the API's names, with the console's ids of the elements that stay and with all digits of its
 * numbers. `texts`: false where the request takes no value in its form as text.
 */
export function encoded(
  definition: ResourceDefinition,
  values: JsonObject,
  live: JsonObject,
  { texts = true }: { readonly texts?: boolean } = {},
): JsonObject {
  const named = Object.entries(values).map(([name, value]) => [
    name,
    withLiveMembers(definition, "identity", name, value, live[name]),
  ]);
  return toWire(definition, withExactNumbers(definition, Object.fromEntries(named), live, texts));
}

/** Forms of a value with two forms: a review takes no text. */
export function formsFor({ reviews }: WriteTarget): { readonly texts: boolean } {
  return { texts: reviews?.opens !== true };
}

/** Sends fields. */
export async function sendFields(
  target: WriteTarget,
  routeName: string,
  values: JsonObject,
): Promise<WriteTarget> {
  const { definition, live } = target;
  const sent = await send(target, routeName, encoded(definition, values, live, formsFor(target)));
  reportMeantimeRamp(sent, values, auditOf(definition, live).version);
  return sent;
}

/**
 * Says that a ramp may have been undone: a list that is sent whole carries the shares of the read before, and one that people
 * moved since counts one change more than ours.
 */
function reportMeantimeRamp(
  { context, definition, id, program, live }: WriteTarget,
  values: JsonObject,
  before: number | undefined,
): void {
  const { version } = auditOf(definition, live);
  const carries = rolloutNames(definition).filter((name) => name in values);
  if (!consoleOwns(program, "rollout") || carries.length === 0) return;
  if (before === undefined || version === undefined || version <= before + 1) return;
  context.report(
    `${nameOf(definition, id)} changed in the console while its ${carries.join(", ")} were being sent (version ${before} to ` +
      `${version}): a percentage that changed at that time may have its earlier value again. Check its history in the console.`,
  );
}

/** Arguments with the reason of an archive: where the program gives none, whose program says it. */
export function withReason({ context, program }: WriteTarget): JsonObject {
  const stack = context.stack();
  return program.archiveReason === undefined && stack !== undefined
    ? { ...program, archiveReason: keptReasonBy(stack) }
    : program;
}

/** Body of an archive route: never left out, also when it says nothing (console-api, section 2). */
export function reasonBody(definition: ResourceDefinition, route: string, values: JsonObject): JsonObject {
  const archive = definition.lifecycle.delete.archive;
  if (archive?.route !== route) return {};
  const body: JsonObject = {};
  if (archive.takesReason && typeof values.archiveReason === "string")
    body.archiveReason = values.archiveReason;
  if (archive.takesForce && values.forceArchive === true) body.forceArchive = true;
  return body;
}

/** Sends a body, without the changes that wait for a review. Where something waits or has failed, sends nothing. */
export async function send(target: WriteTarget, routeName: string, body: unknown): Promise<WriteTarget> {
  const { definition, id, live, reviews, waiting: before } = target;
  if (before !== undefined) return target;
  const request = routeTo(definition, routeName, id);
  if (reviews === undefined) return step(target, () => sendRequest(target, request, body));
  return step(target, async () => {
    const sendPart = (part: unknown) => sendRequest(target, request, part);
    const { sent = target, waiting } = await reviews.write({ routeName, body, live, send: sendPart });
    return waiting.length === 0 ? sent : { ...sent, waiting };
  });
}

/** A route, and the parameters that lead to an object or to an element of it. */
interface RequestTo {
  readonly route: Route;
  readonly params: Record<string, string>;
}

/** Sends a body, and takes over the part of the object that the answer shows. @throws ConsoleError */
export async function sendRequest(
  target: WriteTarget,
  { route, params }: RequestTo,
  body: unknown,
): Promise<WriteTarget> {
  const { context, definition, program, live } = target;
  if (program.validate === true && route.dryRun) await dryRun(context, route, params, body);
  const answer = await context.client.maybeItem(route, {
    params,
    ...(body === undefined ? {} : { body }),
  });
  if (route.returnsKind !== undefined) return { ...target, isBehind: true };
  if (answer === undefined || namesOtherObject(definition, addressOf(target), answer)) return target;
  return { ...target, live: { ...live, ...shownBy(definition, answer) } };
}

/** Fields that an answer shows; one that hides the secret that leads to the object does not take it away. */
function shownBy(definition: ResourceDefinition, answer: JsonObject): JsonObject {
  const secret = secretOf(definition);
  const shown = fromWire(definition, answer);
  if (secret === undefined || typeof shown[secret] === "string") return shown;
  const { [secret]: _hidden, ...rest } = shown;
  return rest;
}

/** Most times that a check is asked for whose answer was lost. */
const mostChecks = 3;

/**
 * Has the console check a body without storing it. Throws what the console says. A lost answer leaves nothing in doubt,
 * because a check changes nothing: it is asked for again.
 */
export async function dryRun(
  context: EngineContext,
  route: Route,
  params: Record<string, string>,
  body: unknown,
): Promise<void> {
  const checked =
    route.dryRun === "query"
      ? { params, body, query: { dryRun: true } }
      : { params, body: { ...(body as JsonObject), dryRun: true } };
  for (let checks = 1; ; checks += 1) {
    try {
      await context.client.maybeItem(route, checked);
      return;
    } catch (error) {
      if (!isConsoleError(error) || !error.uncertain) throw error;
      const { message, category, status, fields } = error;
      if (checks >= mostChecks)
        throw new ConsoleError(
          `The check before the write failed, nothing was stored: ${message}`,
          { category, fields, ...(status === undefined ? {} : { status }) },
          { cause: error },
        );
    }
  }
}
