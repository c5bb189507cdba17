import { ConsoleError } from "../core/errors";
import { departedNames, departureText } from "../core/id-changes";
import { differenceOf, digestOf, type Hashes, hashesOf, idsFor, isDigest, without } from "../core/id-digest";
import type { JsonObject } from "../core/json";
import type { IdsStrategy } from "../core/verbs";
import { type EngineContext, nameOf, routeTo } from "./context";
import type { Subject } from "./send";

/** What has to be sent so that a list becomes what the program wants. */
interface Step {
  readonly route: string;
  /** How many; the ids themselves are made when they are sent. */
  readonly count: number;
  readonly ids: Iterable<string>;
}

/**
 * Sends which ids were added and which removed, against the live list where the API shows it. After an interruption the
 * same finds what is still missing. Returns the names that it took care of.
 */
export async function sendIds(
  subject: Subject,
  part: IdsStrategy,
  changes: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const { live } = subject;
  const names = [part.field, ...(part.removed === undefined ? [] : [part.removed])];
  const handled = names.filter((name) => name in changes);
  if (live[part.when.field] !== part.when.is || handled.length === 0) return [];
  if (!(part.field in changes)) return handled;
  const wanted = idsOf(subject, changes[part.field]);
  const steps =
    part.read === undefined ? stepsUnseen(subject, part, wanted) : stepsSeen(subject, part, wanted);
  if (part.read !== undefined) forgetIds(live, part.field);
  await sendSteps(subject, part, steps);
  // What can be read is confirmed by reading.
  if (part.read === undefined) subject.live = { ...subject.live, [part.field]: changes[part.field] };
  return handled;
}

/**
 * Leaves the digest of ids that were read, which is all that is needed from here on. They may be a million, so the object
 * itself is changed: callers that wait hold on to it.
 */
function forgetIds(live: JsonObject, field: string): void {
  const ids = live[field];
  if (Array.isArray(ids)) live[field] = digestOf(ids);
}

async function sendSteps(subject: Subject, part: IdsStrategy, steps: readonly Step[]): Promise<void> {
  for (const { route, ids } of steps) {
    for (const chunk of chunksOf(ids, part.chunk)) {
      await whenIdle(subject, part);
      const { route: to, params } = routeTo(subject.definition, route, subject.id);
      await subject.context.client.maybeItem(to, { params, body: { ids: chunk } });
    }
  }
  await whenIdle(subject, part);
}

/** No ids at all are one empty chunk, which a reset takes. */
function* chunksOf(ids: Iterable<string>, size: number): Generator<string[]> {
  let chunk: string[] = [];
  let isFirst = true;
  for (const id of ids) {
    chunk.push(id);
    if (chunk.length < size) continue;
    yield chunk;
    [chunk, isFirst] = [[], false];
  }
  if (chunk.length > 0 || isFirst) yield chunk;
}

/** The difference to a list that was read. */
function stepsSeen({ live }: Subject, part: IdsStrategy, wanted: Iterable<string>): Step[] {
  const current = Array.isArray(live[part.field]) ? (live[part.field] as unknown[]) : [];
  const before = hashesOf(current);
  const after = hashesOf(wanted);
  const added = without(after, before);
  const removed = without(before, after);
  const steps = stepsOf(part, added, wanted, removed, [...idsFor(current, removed)]);
  const calls = steps.reduce((sum, { count }) => sum + Math.ceil(count / part.chunk), 0);
  const size = after.length;
  // Above that many a reset is not atomic. Below, it has to be cheaper: fewer requests, and no more ids than the difference.
  const cheaper = size === 0 ? calls > 0 : calls > 1 && size <= added.length + removed.length;
  return part.reset !== undefined && cheaper && size <= part.reset.most
    ? [{ route: part.reset.route, count: size, ids: idsFor(wanted, after) }]
    : steps;
}

/** The difference to a list of which state alone tells, by hashes. To add what is there already does no harm. */
function stepsUnseen(subject: Subject, part: IdsStrategy, wanted: Iterable<string>): Step[] {
  const { live, wants } = subject;
  const before = live[part.field] ?? [];
  const digest = Array.isArray(before) ? digestOf(before) : before;
  const difference = isDigest(digest) ? differenceOf(digest, hashesOf(wanted)) : undefined;
  const named = part.removed === undefined ? undefined : wants[part.removed];
  const removed = departedNames(difference?.removed, before, idsOf(subject, named ?? []));
  const refusal = departureText(difference?.removed, removed, part.removed);
  if (difference === undefined || refusal !== undefined)
    throw new ConsoleError(`${nameOf(subject.definition, subject.id)}: ${refusal}.`, {
      category: "invalid-argument",
    });
  return stepsOf(part, difference.added, wanted, difference.removed, removed);
}

function stepsOf(
  part: IdsStrategy,
  added: Hashes,
  wanted: Iterable<string>,
  removed: Hashes,
  leaving: readonly string[],
): Step[] {
  const steps = [
    { route: part.add, count: added.length, ids: idsFor(wanted, added) },
    { route: part.remove, count: removed.length, ids: leaving },
  ];
  return steps.filter(({ count }) => count > 0);
}

function idsOf({ context, definition, id }: Subject, value: unknown): Iterable<string> {
  if (Array.isArray(value)) return value.map(String);
  if (!isDigest(value) || value.count === 0) return [];
  const ids = context.idsOf(value);
  if (ids !== undefined) return ids;
  throw new ConsoleError(
    `The ${value.count} ids of ${nameOf(definition, id)} are not at hand: state holds their hashes only, and the program has not given them ` +
      'to this process. Nothing was changed. Run "pulumi up" again.',
    { category: "invalid-argument" },
  );
}

/** Longest wait for ids to be applied: ten minutes of looks, two seconds apart. */
const idleLooks = 300;
const idleEveryMs = 2000;
/** A wait that lasts longer than this many looks is told. */
const quietLooks = 3;

/** Waits until an earlier write of ids has been applied; the API answers 409 to a write before that. */
async function whenIdle(subject: Subject, part: IdsStrategy): Promise<void> {
  if (part.busy === undefined) return;
  for (let look = 1; look <= idleLooks; look += 1) {
    if (!(await isBusy(subject.context, subject, part.busy))) return;
    if (look === quietLooks)
      subject.context.report(
        `${nameOf(subject.definition, subject.id)}: the console is still applying ids; waiting up to ${(idleLooks * idleEveryMs) / 60_000} min.`,
      );
    await subject.context.sleep(idleEveryMs);
  }
  throw new ConsoleError(
    `The console has been applying ids of ${nameOf(subject.definition, subject.id)} for ${(idleLooks * idleEveryMs) / 60_000} minutes and is not done. ` +
      'Run "pulumi up" again later: it sends only what is still missing.',
    { category: "busy" },
  );
}

async function isBusy(
  context: EngineContext,
  { definition, id }: Subject,
  busy: NonNullable<IdsStrategy["busy"]>,
): Promise<boolean> {
  const { route, params } = routeTo(definition, busy.route, id);
  const answer = await context.client.item(route, { params });
  return answer[busy.member] === true;
}
