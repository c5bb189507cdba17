import { canonical } from "./compare";
import type { Problem, ResourceDefinition } from "./define";
import {
  differenceOf,
  type Hashes,
  hashesOf,
  type IdChange,
  type IdDigest,
  idsFor,
  isDigest,
} from "./id-digest";
import type { JsonObject } from "./json";
import { replacedNames } from "./plan";
import { UNKNOWN } from "./unknown";
import type { IdsStrategy } from "./verbs";

/** Gives the ids of a digest, where they are at hand. */
export type IdSource = (digest: IdDigest) => Iterable<string> | undefined;

/** The parts of an update that handle ids and apply to this object. */
export function idParts(definition: ResourceDefinition, values: JsonObject): IdsStrategy[] {
  return definition.lifecycle.update.flatMap((part) =>
    part.how === "ids" && values[part.when.field] === part.when.is ? [part] : [],
  );
}

/** Names of the arguments of which state holds a digest. */
export function digestedNames(definition: ResourceDefinition): string[] {
  return Object.keys(definition.fields).filter((name) => definition.fields[name]?.facts.digested === true);
}

/** `+1,234 / −12`, with a true minus sign. */
export function idChangeText({ added, removed, exact }: IdChange): string {
  const number = (count: number) => (exact ? count : rounded(count)).toLocaleString("en-US");
  return `${exact ? "" : "about "}+${number(added)} / −${number(removed)}`;
}

/** An estimate says no more digits than it knows. */
function rounded(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(count, 1))) - 1);
  return Math.round(count / unit) * unit;
}

/**
 * What keeps a change of ids from being made that no read shows: of those that left, the console has to be told the
 * names, and state has hashes only.
 */
export function departureProblems(
  definition: ResourceDefinition,
  state: JsonObject,
  args: JsonObject,
  idsOf: IdSource,
): Problem[] {
  if (replacedNames(definition, state, args).length > 0) return [];
  return idParts(definition, args).flatMap(({ field, removed, read }) => {
    const before = canonical(definition, field, state[field]);
    const next = args[field];
    const named = removed === undefined ? undefined : args[removed];
    if (read !== undefined || !isDigest(before) || !isDigest(next) || named === UNKNOWN) return [];
    const ids = next.count === 0 ? [] : idsOf(next);
    if (before.hash === next.hash || ids === undefined) return [];
    const left = differenceOf(before, hashesOf(ids))?.removed;
    const message = departureText(
      left,
      departedNames(left, state[field], isDigest(named) ? idsOf(named) : []),
      removed,
    );
    return message === undefined ? [] : [{ path: [field], message }];
  });
}

/** Why ids cannot be taken out of a list that no read shows; undefined when each of them is named. */
export function departureText(
  left: Hashes | undefined,
  named: readonly string[],
  argument = "",
): string | undefined {
  if (left === undefined)
    return "too many ids change at once to tell which ones left the list, and the console never shows them; change the list in several steps";
  const missing = left.length - named.length;
  if (missing <= 0) return undefined;
  const ids = missing === 1 ? "1 id" : `${missing.toLocaleString("en-US")} ids`;
  return `${ids} left the list, and the console, which never shows them, has to be told which; name them in ${argument}`;
}

/** Which of the ids that left the list are known by name: from the argument for it, or from a state that held ids. */
export function departedNames(
  left: Hashes | undefined,
  before: unknown,
  named: Iterable<string> = [],
): string[] {
  if (left === undefined) return [];
  const known = Array.isArray(before) ? [...before, ...named] : named;
  return [...idsFor(known, left)];
}
