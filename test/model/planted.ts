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
export const plantedBugs: readonly PlantedBug[] = [];
