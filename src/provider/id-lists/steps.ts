import { listIn } from "../schema/json";
import type { IdsStrategy } from "../schema/verbs";
import type { UnseenChange } from "./changes";
import { hashesOf, idsFor, without } from "./digest";

/** The requests by which a list becomes what the program sets. */
export interface Step {
  readonly route: string;
  /** Number of the ids, which are made when they are sent. */
  readonly count: number;
  readonly ids: Iterable<string>;
}

/** The difference to a list that was read. */
export function stepsSeen(part: IdsStrategy, live: unknown, wanted: Iterable<string>): Step[] {
  const current = listIn(live);
  const before = hashesOf(current);
  const after = hashesOf(wanted);
  const added = without(after, before);
  const removed = without(before, after);
  const steps = stepsOf(part, wanted, { added, removed, leaving: [...idsFor(current, removed)] });
  const calls = steps.reduce((sum, { count }) => sum + Math.ceil(count / part.chunk), 0);
  const size = after.length;
  // Above that many a reset is not atomic. Below, it has to be cheaper: fewer requests, and no more ids than the difference.
  const cheaper = size === 0 ? calls > 0 : calls > 1 && size <= added.length + removed.length;
  return part.reset !== undefined && cheaper && size <= part.reset.most
    ? [{ route: part.reset.route, count: size, ids: idsFor(wanted, after) }]
    : steps;
}

/** A change, whoever found it. To add what is there already does no harm. */
export function stepsOf(
  part: IdsStrategy,
  wanted: Iterable<string>,
  { added, removed, leaving }: UnseenChange,
): Step[] {
  const steps = [
    { route: part.add, count: added.length, ids: idsFor(wanted, added) },
    { route: part.remove, count: removed.length, ids: leaving },
  ];
  return steps.filter(({ count }) => count > 0);
}

/** Ids by requests. No ids at all are one empty chunk, which a reset takes. */
export function* chunksOf(ids: Iterable<string>, size: number): Generator<string[]> {
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
