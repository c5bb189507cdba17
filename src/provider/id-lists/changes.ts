import { replacedNames } from "../decisions/plan";
import type { Problem, ResourceDefinition } from "../schema/define";
import type { JsonObject } from "../schema/json";
import { UNKNOWN } from "../schema/unknown";
import type { IdsStrategy } from "../schema/verbs";
import { argumentName } from "../texts/argument-names";
import { countOf, countText } from "../texts/count-text";
import {
  differenceOf,
  hashesOf,
  type IdDifference,
  type IdDigest,
  idsFor,
  isDigest,
  mostHashes,
  without,
} from "./digest";
import { idList } from "./value-type";

/** Gives the ids of a digest, where they are at hand. */
export type IdSource = (digest: IdDigest) => Iterable<string> | undefined;

/** The parts of an update that handle ids and apply to this object. */
export function idParts(definition: ResourceDefinition, values: JsonObject): IdsStrategy[] {
  return definition.lifecycle.update.flatMap((part) =>
    part.how === "ids" && values[part.when.field] === part.when.is ? [part] : [],
  );
}

/** The ids that an argument stands for; undefined where they are not at hand. */
export function idsBehind(value: unknown, idsOf: IdSource): Iterable<string> | undefined {
  if (Array.isArray(value)) return value.map(String);
  return isDigest(value) && value.count > 0 ? idsOf(value) : [];
}

/** True where a list holds no other ids than those of a digest that are at hand. */
export function isWithin(list: readonly unknown[], digest: unknown, idsOf: IdSource | undefined): boolean {
  const ids = isDigest(digest) ? idsOf?.(digest) : undefined;
  return ids !== undefined && without(hashesOf(list), hashesOf(ids)).length === 0;
}

/** Numbers of ids that an update adds and removes, `ids +1,234 / −12`; of a larger set, `1,000,000 → 1,000,012 ids`. */
export function changeLines(
  definition: ResourceDefinition,
  state: JsonObject,
  args: JsonObject,
  idsOf: IdSource,
): string[] {
  return idParts(definition, args).flatMap(({ field }) => {
    const [before, next] = [idList.canonical(state[field]), args[field]];
    if (!isDigest(next) || !isDigest(before) || before.hash === next.hash) return [];
    if (before.count > mostHashes) return [`${countText(before.count)} → ${countOf(next.count, "id")}`];
    // A refresh found the values that the program did not give in this run.
    const ids = idsBehind(next, idsOf);
    const change = ids === undefined ? undefined : differenceOf(before, hashesOf(ids));
    if (change === undefined) return [];
    const [added, removed] = [change.added, change.removed].map(({ length }) => countText(length));
    return [`${field} +${added} / −${removed}`];
  });
}

/** Obstacles to a change of ids that no read shows. */
export function departureProblems(
  definition: ResourceDefinition,
  state: JsonObject,
  args: JsonObject,
  idsOf: IdSource,
): Problem[] {
  if (replacedNames(definition, state, args).length > 0) return [];
  return idParts(definition, args).flatMap(({ field, removed = "", read }) => {
    const [before, next, named] = [idList.canonical(state[field]), args[field], args[removed]];
    if (read !== undefined || !isDigest(before) || !isDigest(next) || named === UNKNOWN) return [];
    const ids = idsBehind(next, idsOf);
    if (before.hash === next.hash || ids === undefined) return [];
    const change = unseenChange(state[field], ids, idsBehind(named, idsOf) ?? [], removed);
    return typeof change === "string" ? [{ path: [field], message: change }] : [];
  });
}

/** A change of a list that no read shows. */
export interface UnseenChange extends IdDifference {
  /** The ids that left. */
  readonly leaving: readonly string[];
}

/**
 * In what ids differ from those that state has of a list that no read shows, or why the list cannot become so: the console
 * has to be told which ids left, and state has hashes only. They are named by an argument, or by a state that held ids.
 */
export function unseenChange(
  before: unknown,
  wanted: Iterable<string>,
  named: Iterable<string>,
  argument: string,
): UnseenChange | string {
  const digest = idList.canonical(before ?? []);
  const difference = isDigest(digest) ? differenceOf(digest, hashesOf(wanted)) : undefined;
  if (difference === undefined)
    return "state holds no hashes of so many former ids, and the console never shows which ids left; leave the ids out of the program, or use a new object";
  const known = Array.isArray(before) ? [...before, ...named] : named;
  const leaving = [...idsFor(known, difference.removed)];
  const missing = difference.removed.length - leaving.length;
  if (missing === 0) return { ...difference, leaving };
  return `${countOf(missing, "id")} left the list, and the console needs their ids, which it never shows; name them in ${argumentName(argument)}`;
}
