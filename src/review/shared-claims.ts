import { type ShareClaim, shareClaimOf } from "../core/declared-shares";
import { calledBy } from "../core/object-id";
import { nameIn } from "../plain-words";
import type { ConsoleObject } from "./references";
import type { Subject } from "./subjects";

/** What objects ask for of shares that they have in common: those of the preview, and those of the console that are not in it. */
export function claimsIn(subjects: readonly Subject[], objects: readonly ConsoleObject[]): ShareClaim[] {
  const own = new Set(subjects.map(({ definition, id }) => `${definition.name}\n${id}`));
  const kept = subjects.filter(({ wants }) => wants !== undefined);
  const others = objects.filter(({ definition, id }) => !own.has(`${definition.name}\n${id}`));
  return [
    ...kept.flatMap(
      ({ definition, outputs, wants, called }) =>
        shareClaimOf(definition, { ...outputs, ...wants }, objectText(definition, called)) ?? [],
    ),
    ...others.flatMap(
      ({ definition, id, values }) =>
        shareClaimOf(definition, values, objectText(definition, calledBy(definition, values) ?? id)) ?? [],
    ),
  ];
}

/** `experiment "buttons"`. */
export function objectText({ title }: Subject["definition"], called: unknown): string {
  return `${title} ${nameIn(called)}`;
}
