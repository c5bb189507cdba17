import type { Rule } from "./episode";
import type { Patch } from "./source-copy";

/** A mistake that is put into a copy of the source, to see that the model finds it. */
export interface PlantedBug {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** Rules of which it breaks at least one. */
  readonly breaks: readonly Rule[];
}

/** Mistakes that this package once made, or one step away from them. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: "what is equal is taken over without evidence that this stack made it",
    patches: [
      {
        file: "engine/own.ts",
        find: "return candidate.mine || (madeByKey(candidate) && (untouched(definition, candidate) || isFruit(candidate)));",
        replace:
          "return true || isFruit(candidate) || madeByKey(candidate) || untouched(definition, candidate);",
      },
    ],
    breaks: [
      "what another stack or a person holds is not taken into state",
      "what another stack or a person holds is left alone",
    ],
  },
  {
    name: "a resource that was renamed takes the object along when it goes",
    patches: [
      {
        file: "engine/delete.ts",
        find: "if (isStored(state) && context.holders.isHeldBeside(title, holderOf(state))) {",
        replace: "if (isStored({}) && context.holders.isHeldBeside(title, holderOf(state))) {",
      },
    ],
    breaks: [
      "what goes on being declared stays in use",
      "what goes on being declared is in use at every moment",
    ],
  },
];
