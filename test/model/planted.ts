import type { PlantedFault } from "../planted/fault";
import { codeWith, type ProviderCode } from "../world/provider";
import type { Rule } from "./episode";
import { drawHistory } from "./history";
import { type Outcome, playHistory } from "./play";

/** A mistake that is put into a copy of the source, to see that the model finds it. */
export interface PlantedBug extends PlantedFault {
  /** Of the first history that finds it: from there it is looked for when only whether it is found matters. */
  readonly seed: number;
  /** Rules of which it breaks at least one. */
  readonly breaks: readonly Rule[];
}

/** Mistakes that this package once made. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: "a removal asks no journal whether another stack has adopted the object",
    seed: 55,
    file: "provider/engine/delete.ts",
    find: "takenSince: taker !== undefined,",
    replace: "takenSince: false,",
    breaks: ["a removal leaves what another stack has adopted since"],
  },
  {
    name: "stacks of one name in two backends are one",
    seed: 68,
    file: "provider/pulumi/runs/own-stack.ts",
    find: "stackMark({ name: this.name, backend: this.backend() })",
    replace: "this.name",
    breaks: [
      "what another stack or a person holds is not taken into state",
      "what another stack or a person holds is left alone",
    ],
  },
  {
    name: "nobody reads the archive reason",
    seed: 304,
    file: "provider/engine/claims/evidence.ts",
    find: "if (mayBeSameStack(archiver.stack, stack))",
    replace: "if (mayBeSameStack(archiver.stack, stack) && false)",
    breaks: ["what a stack archived comes back from any checkout"],
  },
  {
    name: "the key of another project may do everything there",
    seed: 11,
    file: "provider/engine/same-console.ts",
    find: "return here === stored ?",
    replace: "return here !== undefined ?",
    breaks: ["what another console has is left alone"],
  },
  {
    name: "a new object that stands first is sent to whatever address",
    seed: 28,
    file: "provider/pulumi/runs/console-guard.ts",
    find: "[...this.#known.values()].find((one) => one.console !== console)",
    replace: "[].find(() => console === undefined) as KnownConsole | undefined",
    breaks: ["what another console has is left alone"],
  },
  {
    name: "what is equal is taken over without evidence that this stack made it",
    seed: 6,
    file: "provider/decisions/claim.ts",
    find: 'when: { place: ["live"], origin: ["this-stack"], match: ["equal"] }',
    replace: 'when: { place: ["live"], match: ["equal"] }',
    breaks: ["what another stack or a person holds is not taken into state"],
  },
  {
    name: "the old object of a replacement goes first",
    seed: 57,
    file: "provider/pulumi/provider.ts",
    find: 'deleteBeforeReplace: replacementOrder(definition, id, news) === "delete-first",',
    replace: "deleteBeforeReplace: replacementOrder(definition, id, news) !== undefined,",
    breaks: ["a replacement that fails leaves the old object"],
  },
  {
    name: "whatever is archived is brought back",
    seed: 3,
    file: "provider/decisions/claim.ts",
    find: '{ when: {}, decide: refuse("archived")',
    replace: '{ when: {}, decide: { act: "unarchive" }',
    breaks: ["what another stack or a person holds is left alone"],
  },
  {
    name: "a resource that goes takes the object along that another one has",
    seed: 20,
    file: "provider/engine/delete.ts",
    find: "const heldByAnother = isKnown && context",
    replace: "const heldByAnother = !isKnown && context",
    breaks: [
      "what goes on being declared stays in use",
      "what goes on being declared is in use at every moment",
    ],
  },
  {
    name: "what was archived comes back in its former state",
    seed: 99,
    file: "provider/engine/claims/evidence.ts",
    find: "const program = revives ? argsForFreshObject(definition, args) : args;",
    replace: "const program = args;",
    breaks: ["what comes into being begins at the beginning"],
  },
  {
    name: "a segment that others ask is deleted",
    seed: 64,
    file: "provider/engine/users.ts",
    find: "if (state.forceDelete === true || state.forceArchive === true) return [];",
    replace: "if (state.forceDelete !== true) return [];",
    breaks: ["what others ask is not taken away"],
  },
  {
    name: "a preview says nothing about what a create takes over",
    seed: 15,
    file: "provider/pulumi/previews/create-preview.ts",
    find: "problemsOf(() => previewTakeover(kind, inputs, replaced?.id))",
    replace: "(void previewTakeover, [])",
    breaks: ["what changes was named by the preview"],
  },
  {
    name: "an update writes over what somebody changed at the same place",
    seed: 32,
    file: "provider/engine/update.ts",
    find: "refuseConflicts(current, conflicts);",
    replace: "void refuseConflicts, conflicts;",
    breaks: ["what somebody changed is not overwritten unseen"],
  },
  {
    name: "two resources of a program may name one object",
    seed: 11,
    file: "provider/pulumi/arguments/argument-check.ts",
    find: 'const isUnique = create.how !== "run" &&',
    replace: "const isUnique = false &&",
    breaks: ["a key is declared once"],
  },
];

export interface Range {
  readonly count: number;
  /** Of the first; the others follow. */
  readonly seed: number;
}

export interface Found {
  readonly outcome: Outcome | undefined;
  /** The source with the mistake. */
  readonly code: ProviderCode;
}

/**
 * Plays histories with a mistake in the source until one breaks a rule that the mistake breaks and that the source without
 * it keeps.
 */
export async function findBug(
  { breaks, ...patch }: PlantedBug,
  { count, seed }: Range,
  sound: ProviderCode,
): Promise<Found> {
  const code = codeWith([patch]);
  const broken = ({ violations }: Outcome) => violations.filter(({ rule }) => breaks.includes(rule));
  for (let number = 0; number < count; number += 1) {
    const history = drawHistory(seed + number);
    const outcome = await playHistory(history, code);
    const violations = broken(outcome);
    if (violations.length === 0 || broken(await playHistory(history, sound)).length > 0) continue;
    return { outcome: { ...outcome, violations }, code };
  }
  return { outcome: undefined, code };
}
