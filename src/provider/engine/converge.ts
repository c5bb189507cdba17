import { type Changes, changesOf, comesBack, isArchived } from "../decisions/plan";
import { everyKind } from "../definitions";
import { type ObjectDefinition, routeOf } from "../schema/define";
import { type ConsoleError, changeRefused, isConsoleError } from "../schema/errors";
import { reviewsMember } from "../schema/internal";
import { isObject, type JsonObject } from "../schema/json";
import { argumentName } from "../texts/argument-names";
import { quote } from "../texts/issue-text";
import { isNothing } from "../values/compare";
import { managedBefore, managedNames, objectValues } from "../values/managed";
import { nameOf, PartialFailure } from "./context";
import { notApplied } from "./not-applied";
import { readLive, unreadable } from "./read";
import { withReviewAdvice } from "./reviews/mode";
import { ReviewingClient } from "./reviews/reviewing-client";
import { observe, send, step, type WriteTarget } from "./send";
import type { LiveObject, Target } from "./subject";
import { refusalOf } from "./transitions";
import { sendChanges } from "./update-strategies";

/** An object that is brought in line with its program. */
interface Converging extends WriteTarget, Target {
  /** Failure of a request of which only a read shows whether the console has carried it out. */
  readonly lost?: ConsoleError | undefined;
}

/**
 * Brings an object in line with its program, and nothing else of it: creates, claims, parts and updates end here.
 * @returns the live object afterwards. @throws PartialFailure, with the object as it then is.
 */
export async function converge(target: Target & LiveObject): Promise<JsonObject> {
  const { context, definition, id, program, state, live } = target;
  const reviews = ReviewingClient.of(target);
  // Nothing else that a caller knows, such as an answer that was lost before, is of this convergence.
  const start: Converging = { context, definition, id, program, state, live, reviews };
  const writes = Object.keys(pendingChanges(start)).length > 0;
  if (writes && reviews === undefined) reportOpenReview(start);
  const end = await settle(await act(start));
  const { failure } = end;
  if (failure !== undefined)
    throw new PartialFailure(target.id, withReviews(end), withReviewAdvice(end, failure));
  if (writes) await reportWaiting(end);
  return withReviews(end);
}

function pendingChanges({ definition, program, state, live }: Converging): Changes {
  return changesOf(definition, objectValues(program, state, live));
}

/** The live object, with the reviews for the state. */
function withReviews({ live, reviews }: WriteTarget): JsonObject {
  return reviews === undefined || reviews.entries.length === 0
    ? live
    : { ...live, [reviewsMember]: reviews.entries };
}

/** Most rounds of reading and sending: one that works, and two for answers that get lost. */
const mostRounds = 3;

/** Wait before a read that must show the last write, milliseconds. */
const beforeReadMs = 1000;

/** Sends the pending changes, again where an answer was lost, until nothing is in doubt or only a read can tell. */
async function act(start: Converging): Promise<Converging> {
  let current = start;
  for (let round = 1; ; round += 1) {
    const sent = await sendPending(current);
    const { failure } = sent;
    const mayBeDone = failure?.uncertain === true || (round > 1 && failure?.category === "refused");
    if (!mayBeDone) return sent;
    if (round === mostRounds) return { ...sent, failure: undefined, lost: failure };
    // The request may still be on its way, and a read may be late: an addition that goes twice is refused, or made twice.
    await sent.context.sleep(beforeReadMs);
    current = await observed({ ...sent, failure: undefined });
  }
}

/** The object as a read of its managed fields shows it now. */
function observed(target: Converging): Promise<Converging> {
  return step(target, async ({ definition, program, state, live }) => {
    const current = await readLive(target, [...managedNames(definition, program), ...managedBefore(state)]);
    if (current === undefined) return target;
    return { ...target, live: { ...unreadable(definition, live, current), ...current } };
  });
}

/** Sends the pending changes once. */
async function sendPending(start: Converging): Promise<Converging> {
  const { definition, program } = start;
  const changes = pendingChanges(start);
  const ready = isArchived(definition, start.live)
    ? await step(start, async () => {
        const refusal = refusalOf(start, changes);
        if (refusal !== undefined) throw refusal;
        return comesBack(definition, start.live, program) ? unarchive(start) : start;
      })
    : start;
  const { target, names: left } = await sendChanges(ready, changes);
  const sent = { ...start, ...target };
  const { waiting, failure } = sent;
  if (failure !== undefined || left.length === 0) return sent;
  if (waiting !== undefined) return { ...sent, waiting: [...waiting, ...left] };
  return { ...sent, failure: cannotChange(sent, left) };
}

async function unarchive(target: WriteTarget): Promise<WriteTarget> {
  const undo = target.definition.lifecycle.archived?.undo;
  if (undo === undefined) return target;
  const sent = await send(target, undo, {});
  // An answer that is a message alone does not tell in which state the object came back.
  return sent.waiting === undefined && isArchived(sent.definition, sent.live) ? observe(sent) : sent;
}

/** Confirms by reads that the changes are made, but for those that wait for a review. */
async function settle(sent: Converging): Promise<Converging> {
  const { context, reviews } = sent;
  const reviewed = await step(sent, async () => {
    await reviews?.settle();
    return sent;
  });
  if (reviewed.failure !== undefined) return reviewed;
  // Answers of writes may be sparse, or be about something else: only a read tells.
  const first = sent.isBehind === true || openNames(sent).length > 0 ? await observed(sent) : sent;
  const isOpen = openNames(first).length > 0;
  if (isOpen) await context.sleep(beforeReadMs);
  const last = isOpen ? await observed(first) : first;
  const open = openNames(last);
  if (last.failure !== undefined) return last;
  if (open.length > 0) return { ...last, failure: last.lost ?? notApplied(last, open) };
  return { ...last, failure: reviews?.rejection };
}

/** Fields that are not as the program sets them, as far as the live value can be compared. */
function openNames(target: Converging): string[] {
  const { definition, live, waiting = [] } = target;
  const changes = pendingChanges(target);
  return Object.keys(changes).filter((name) => {
    if (waiting.includes(name)) return false;
    const { remembered, readsOtherId } = definition.fields[name]?.traits ?? {};
    if (remembered === true) return false;
    return readsOtherId !== true || isNothing(changes[name]) !== isNothing(live[name]);
  });
}

function cannotChange({ definition, id }: WriteTarget, names: readonly string[]): ConsoleError {
  return changeRefused(
    `The console's API cannot change ${names.map(argumentName).join(", ")} of ${nameOf(definition, id)} after creation. ` +
      `Change the program to match it, or remove the object and create it anew.`,
  );
}

/** Tells, before an object is written, that people are reviewing a change of it. */
function reportOpenReview({ context, definition, id, live }: WriteTarget): void {
  for (const [name, { traits }] of Object.entries(definition.fields)) {
    const review = live[name];
    if (traits.openReview !== true || !isObject(review)) continue;
    const { description, reviewStatus } = review;
    context.report(
      `${nameOf(definition, id)} has an open review, ${quote(description)} (${quote(reviewStatus)}): this update goes past it, ` +
        "and what the review changes comes on top when it is committed. Look at it in the console.",
    );
  }
}

/** Reports, after an object was written, that the change waits for an approval, and how to give it. One read, where changes are staged. */
async function reportWaiting({ context, definition, id, live }: WriteTarget): Promise<void> {
  const { staging } = definition.lifecycle;
  if (staging === undefined || typeof live[staging.field] !== "string" || live[staging.field] === "") return;
  const { by, waiting, stage, approval } = staging;
  const kind: ObjectDefinition = everyKind[staging.kind as keyof typeof everyKind];
  const fits = (one: JsonObject) =>
    one[by] === id && Object.entries(waiting).every(([member, value]) => one[member] === value);
  try {
    const query = { [by]: id, ...waiting };
    for await (const one of context.client.items(routeOf(kind, staging.list), { query })) {
      if (!fits(one)) continue;
      const args = `{ ${approval.change}: ${quote(one.id)}, ${approval.stage}: ${quote(one[stage.id])} }`;
      context.report(
        `${nameOf(definition, id)} waits for approval of ${quote(one[stage.name])}, trigger ${quote(one.id)}. ` +
          `Approve it in the console, or with new fc.${approval.kind}("NAME", ${args}).`,
      );
    }
  } catch (error) {
    // The change is made: that nobody can be told how it goes on is no failure of it.
    if (!isConsoleError(error)) throw error;
    context.report(
      `${nameOf(definition, id)}: not known whether its change waits for an approval: ${error.message}`,
    );
  }
}
