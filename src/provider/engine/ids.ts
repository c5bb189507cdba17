import { idsBehind, unseenChange } from "../id-lists/changes";
import { chunksOf, type Step, stepsOf, stepsSeen } from "../id-lists/steps";
import { ConsoleError, invalidArgument } from "../schema/errors";
import type { IdsStrategy } from "../schema/verbs";
import { quoteField } from "../texts/issue-text";
import { canonical } from "../values/compare";
import { nameOf, routeTo } from "./context";
import type { Sent, WriteTarget } from "./send";

/**
 * Sends which ids were added and which removed, against the live list where the API shows it. After an interruption the
 * same finds what is still missing. Returns the names that it took care of.
 */
export async function sendIds(
  target: WriteTarget,
  part: IdsStrategy,
  changes: Readonly<Record<string, unknown>>,
): Promise<Sent> {
  const { definition, live } = target;
  const { field, removed, read } = part;
  const handled = [field, ...(removed === undefined ? [] : [removed])].filter((name) => name in changes);
  if (live[part.when.field] !== part.when.is || handled.length === 0) return { target, names: [] };
  if (!(field in changes)) return { target, names: handled };
  const wanted = idsOf(target, field, changes[field]);
  const steps = read === undefined ? stepsUnseen(target, part, wanted) : stepsSeen(part, live[field], wanted);
  // Ids that were read may be a million and are needed no more. Callers that wait hold on to the object itself.
  if (read !== undefined) live[field] = canonical(definition, field, live[field]);
  await sendSteps(target, part, steps);
  // A list that can be read is confirmed by reading.
  const shown = read === undefined ? { ...live, [field]: changes[field] } : live;
  return { target: { ...target, live: shown }, names: handled };
}

async function sendSteps(target: WriteTarget, part: IdsStrategy, steps: readonly Step[]): Promise<void> {
  for (const { route, ids } of steps) {
    for (const chunk of chunksOf(ids, part.chunk)) {
      await whenIdle(target, part);
      const { route: to, params } = routeTo(target.definition, route, target.id);
      await target.context.client.maybeItem(to, { params, body: { ids: chunk } });
    }
  }
  await whenIdle(target, part);
}

/** The difference to a list of which state alone tells. */
function stepsUnseen(target: WriteTarget, part: IdsStrategy, wanted: Iterable<string>): Step[] {
  const { definition, id, live, program } = target;
  const { field, removed = "" } = part;
  const change = unseenChange(live[field], wanted, idsOf(target, removed, program[removed]), removed);
  if (typeof change === "string") throw invalidArgument(`${nameOf(definition, id)}: ${change}.`);
  return stepsOf(part, wanted, change);
}

function idsOf({ context, definition, id }: WriteTarget, name: string, value: unknown): Iterable<string> {
  const ids = idsBehind(value, context.idsOf);
  if (ids !== undefined) return ids;
  throw invalidArgument(
    `The ids of ${nameOf(definition, id)} (${quoteField(definition, name, value)}) are not known here: state holds only their hashes, and the ` +
      'program has not passed them in this run. Nothing was changed. Run "pulumi up" again.',
  );
}

/** Longest wait for ids to be applied: ten minutes of looks, two seconds apart. */
const idleLooks = 300;
const idleEveryMs = 2000;
/** A wait that lasts longer than this many looks is told. */
const quietLooks = 3;

/** Waits until an earlier write of ids has been applied; the API answers 409 to a write before that. */
async function whenIdle({ context, definition, id }: WriteTarget, { busy }: IdsStrategy): Promise<void> {
  if (busy === undefined) return;
  const { route, params } = routeTo(definition, busy.route, id);
  for (let look = 1; look <= idleLooks; look += 1) {
    if ((await context.client.item(route, { params }))[busy.member] !== true) return;
    if (look === quietLooks)
      context.report(
        `${nameOf(definition, id)}: the console is still applying ids; waiting up to ${(idleLooks * idleEveryMs) / 60_000} min.`,
      );
    await context.sleep(idleEveryMs);
  }
  throw new ConsoleError(
    `The console has been applying ids of ${nameOf(definition, id)} for ${(idleLooks * idleEveryMs) / 60_000} minutes and is not done. ` +
      'Run "pulumi up" again later: it sends only what is still missing.',
    { category: "busy" },
  );
}
