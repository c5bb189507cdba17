import type { Patch } from "../world/source-copy";
import type { Rule } from "./episode";
import { plantedClaims } from "./planted-claims";

/** A mistake that is put into a copy of the source, to see that the model finds it. */
export interface PlantedBug {
  /** Completes "it is found when ...". */
  readonly name: string;
  /** Of the first history that finds it: from there it is looked for when only whether it is found matters. */
  readonly seed: number;
  readonly patches: readonly Patch[];
  /** Rules of which it breaks at least one. */
  readonly breaks: readonly Rule[];
}

/** Mistakes that this package once made. */
export const plantedBugs: readonly PlantedBug[] = [
  ...plantedClaims,
  {
    name: "the key of another project may do everything there",
    seed: 11,
    patches: [
      {
        file: "provider/engine/same-console.ts",
        find: "return here === stored ?",
        replace: "return here !== undefined ?",
      },
    ],
    breaks: ["what another console has is left alone"],
  },
  {
    name: "a new object that stands first is sent to whatever address",
    seed: 28,
    patches: [
      {
        file: "provider/pulumi/runs/console-guard.ts",
        find: "this.#consoles().find((one) => one.console !== console)",
        replace: "[].find(() => console === undefined) as KnownConsole | undefined",
      },
    ],
    breaks: ["what another console has is left alone"],
  },
  {
    name: "what is equal is taken over without evidence that this stack made it",
    seed: 4,
    patches: [
      {
        file: "provider/decisions/claim.ts",
        find: 'when: { place: ["live"], origin: ["this-stack"], likeness: ["equal"] }',
        replace: 'when: { place: ["live"], likeness: ["equal"] }',
      },
    ],
    breaks: ["what another stack or a person holds is not taken into state"],
  },
  {
    name: "the old object of a replacement goes first",
    seed: 57,
    patches: [
      {
        file: "provider/pulumi/provider.ts",
        find: 'deleteBeforeReplace: replacementOrder(definition, id, news) === "delete-first",',
        replace: "deleteBeforeReplace: replacementOrder(definition, id, news) !== undefined,",
      },
    ],
    breaks: ["a replacement that fails leaves the old object"],
  },
  {
    name: "whatever is archived is brought back",
    seed: 3,
    patches: [
      {
        file: "provider/decisions/claim.ts",
        find: '{ when: {}, decide: refuse("archived")',
        replace: '{ when: {}, decide: { act: "unarchive" }',
      },
    ],
    breaks: ["what another stack or a person holds is left alone"],
  },
  {
    name: "a resource that goes takes the object along that another one has",
    seed: 20,
    patches: [
      {
        file: "provider/engine/delete.ts",
        find: "const heldByAnother = isKnown && context",
        replace: "const heldByAnother = !isKnown && context",
      },
    ],
    breaks: [
      "what goes on being declared stays in use",
      "what goes on being declared is in use at every moment",
    ],
  },
  {
    name: "what was archived comes back in its former state",
    seed: 99,
    patches: [
      {
        file: "provider/engine/claims/takeover.ts",
        find: "const wants = fromTheBeginning(definition, args);",
        replace: "void fromTheBeginning;\n  const wants = args;",
      },
    ],
    breaks: ["what comes into being begins at the beginning"],
  },
  {
    name: "a segment that others ask is deleted",
    seed: 64,
    patches: [
      {
        file: "provider/engine/users.ts",
        find: "if (state.forceDelete === true || state.forceArchive === true) return [];",
        replace: "if (state.forceDelete !== true) return [];",
      },
    ],
    breaks: ["what others ask is not taken away"],
  },
  {
    name: "a preview says nothing about what a create takes over",
    seed: 15,
    patches: [
      {
        file: "provider/pulumi/previews/create-preview.ts",
        find: "problemsOf(() => previewTakeover(definition, process, inputs, replaced?.id))",
        replace: "(void previewTakeover, [])",
      },
    ],
    breaks: ["what changes was named by the preview"],
  },
  {
    name: "an update writes over what somebody changed at the same place",
    seed: 32,
    patches: [
      {
        file: "provider/engine/update.ts",
        find: "refuseConflicts(context, definition, target, current, conflicts);",
        replace: "void refuseConflicts, conflicts;",
      },
    ],
    breaks: ["what somebody changed is not overwritten unseen"],
  },
  {
    name: "two resources of a program may name one object",
    seed: 11,
    patches: [
      {
        file: "provider/pulumi/arguments/argument-check.ts",
        find: 'const isUnique = create.how !== "run" &&',
        replace: "const isUnique = false &&",
      },
    ],
    breaks: ["a key is declared once"],
  },
];
