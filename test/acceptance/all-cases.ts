import type { Case } from "./cases";
import { experimentCases } from "./experiment-cases";
import { flagCases } from "./flag-cases";
import { measureCases } from "./measure-cases";
import { overrideCases } from "./override-cases";
import { projectCases } from "./project-cases";

/** Every case. */
export const allCases: readonly Case[] = [
  ...flagCases,
  ...experimentCases,
  ...measureCases,
  ...projectCases,
  ...overrideCases,
];
