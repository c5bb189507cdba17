import { ConsoleError } from "../core/errors";
import { departedNames, departureText } from "../core/id-changes";
import { differenceOf, digestOf, hashesOf, hashOf, holdsHash, isDigest } from "../core/id-digest";
import type { IdsStrategy } from "../core/verbs";
import { type EngineContext, nameOf, routeTo } from "./context";
import type { Subject } from "./send";

/** What has to be sent so that a list becomes what the program wants. */
interface Step {
  readonly route: string;
  readonly ids: readonly string[];
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
  const mine = names.filter((name) => name in changes);
  if (live[part.when.field] !== part.when.is || mine.length === 0) return [];
  if (!(part.field in changes)) return mine;
  const wanted = idsOf(subject, changes[part.field]);
  const steps =
    part.read === undefined ? stepsUnseen(subject, part, wanted) : stepsSeen(subject, part, wanted);
  // Of ids that were read nothing but their digest is needed from here on; they may be a million.
  if (part.read !== undefined && Array.isArray(live[part.field]))
    subject.live = { ...live, [part.field]: digestOf(live[part.field] as unknown[]) };
  await sendSteps(subject, part, steps);
  // What can be read is confirmed by reading.
  if (part.read === undefined) subject.live = { ...subject.live, [part.field]: changes[part.field] };
  return mine;
}

async function sendSteps(subject: Subject, part: IdsStrategy, steps: readonly Step[]): Promise<void> {
  for (const { route, ids } of steps) {
    for (let from = 0; from === 0 || from < ids.length; from += part.chunk) {
      await whenIdle(subject, part);
      const { route: to, params } = routeTo(subject.definition, route, subject.id);
      const body = { ids: ids.slice(from, from + part.chunk) };
      await subject.context.client.maybeItem(to, { params, body });
    }
  }
  await whenIdle(subject, part);
}

/** The difference to a list that was read. */
function stepsSeen({ live }: Subject, part: IdsStrategy, wanted: readonly string[]): Step[] {
  const current = live[part.field];
  const left = new Set(Array.isArray(current) ? current.map(String) : []);
  const before = left.size;
  const added = [...new Set(wanted)].filter((id) => !left.delete(id));
  const kept = before - left.size;
  const steps = [
    { route: part.add, ids: added },
    { route: part.remove, ids: [...left] },
  ].filter(({ ids }) => ids.length > 0);
  const calls = steps.reduce((sum, { ids }) => sum + Math.ceil(ids.length / part.chunk), 0);
  const size = kept + added.length;
  // Above that many a reset is not atomic. Below, it has to be cheaper: fewer requests, and no more ids than the difference.
  const cheaper = size === 0 ? calls > 0 : calls > 1 && size <= added.length + left.size;
  return part.reset !== undefined && cheaper && size <= part.reset.most
    ? [{ route: part.reset.route, ids: [...wanted] }]
    : steps;
}

/** The difference to a list of which state alone tells, by hashes. To add what is there already does no harm. */
function stepsUnseen(subject: Subject, part: IdsStrategy, wanted: readonly string[]): Step[] {
  const { live, wants } = subject;
  const before = live[part.field];
  const digest = Array.isArray(before) ? digestOf(before) : before;
  if (!isDigest(digest)) return wanted.length === 0 ? [] : [{ route: part.add, ids: [...new Set(wanted)] }];
  const difference = differenceOf(digest, hashesOf(wanted));
  const named = part.removed === undefined ? undefined : wants[part.removed];
  const removed = departedNames(
    difference?.removed,
    before,
    named === undefined ? [] : idsOf(subject, named),
  );
  const refusal = departureText(difference?.removed, removed, part.removed);
  if (difference === undefined || refusal !== undefined)
    throw new ConsoleError(`${nameOf(subject.definition, subject.id)}: ${refusal}.`, {
      category: "invalid-argument",
    });
  const added = [...new Set(wanted)].filter((id) => holdsHash(difference.added, hashOf(id)));
  return [
    { route: part.add, ids: added },
    { route: part.remove, ids: removed },
  ].filter(({ ids }) => ids.length > 0);
}

function idsOf({ context, definition, id }: Subject, value: unknown): readonly string[] {
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
