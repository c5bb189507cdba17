import type { Patch } from "../world/source-copy";

/** A mistake that a careless change could make, and what a user would see of it. */
export interface PlantedFault extends Patch {
  /** Completes "it is found that ...". */
  readonly name: string;
}
