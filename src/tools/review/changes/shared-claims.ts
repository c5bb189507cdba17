import { type ShareClaim, shareClaimOf } from "../../../provider/decisions/declared-shares";
import { programId } from "../../../provider/schema/object-id";
import { nameIn } from "../../../provider/words";
import type { ConsoleObject } from "../references";
import type { Subject } from "../subjects";

/**
 * What objects ask for of shares that they have in common, before the update or after it: those of the preview, and those of the
 * console that are not in it.
 */
export function claimsIn(
  subjects: readonly Subject[],
  objects: readonly ConsoleObject[],
  when: "before" | "after",
): ShareClaim[] {
  const own = new Set(subjects.map(({ definition, id }) => `${definition.name}\n${id}`));
  const live = new Map(objects.map(({ definition, id, values }) => [`${definition.name}\n${id}`, values]));
  const claimOf = ({ definition, id, outputs, program = {}, changes, step, called }: Subject) => {
    const now = live.get(`${definition.name}\n${id}`);
    // Values that only people changed stay, whatever the program says.
    const sent = now === undefined || step.oldState === undefined ? program : changes;
    const args = when === "before" ? (now ?? outputs) : { ...(now ?? outputs), ...sent };
    return shareClaimOf(definition, args, objectText(definition, called)) ?? [];
  };
  const others = objects.filter(({ definition, id }) => !own.has(`${definition.name}\n${id}`));
  return [
    ...subjects.filter(({ program }) => when === "before" || program !== undefined).flatMap(claimOf),
    ...others.flatMap(
      ({ definition, id, values }) =>
        shareClaimOf(definition, values, objectText(definition, programId(definition, values) ?? id)) ?? [],
    ),
  ];
}

/** `experiment "buttons"`. */
export function objectText({ title }: Subject["definition"], called: unknown): string {
  return `${title} ${nameIn(called)}`;
}
