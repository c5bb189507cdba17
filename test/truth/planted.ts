import type { PlantedSentence } from "./run";

/** Sentences that reports once made and that were not so, and others of their sort. */
export const plantedSentences: readonly PlantedSentence[] = [];
