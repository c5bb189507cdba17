import type { PlantedFault } from "./fault";
import { consoleFaults } from "./faults/console";
import { decisionFaults } from "./faults/decisions";
import { engineFaults } from "./faults/engine";
import { stackFaults } from "./faults/stack";
import { toolFaults } from "./faults/tools";
import { wordFaults } from "./faults/words";

/** Mistakes that careless changes of the source would make; `npm test` is to find each of them. */
export const plantedFaults: readonly PlantedFault[] = [
  ...decisionFaults,
  ...engineFaults,
  ...wordFaults,
  ...consoleFaults,
  ...stackFaults,
  ...toolFaults,
];
