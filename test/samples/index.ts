import type { managed } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import * as actions from "./actions";
import { experiment } from "./experiment";
import * as flags from "./flags";
import * as measures from "./measures";
import * as project from "./project";
import type { Samples } from "./samples";

/** Samples of every kind that a program can make, by its name. */
export const samples = { ...flags, experiment, ...measures, ...project, ...actions };

const byName: Readonly<Record<keyof typeof managed, Samples>> = samples;

/** The samples of a kind. @throws TypeError for a kind that has none. */
export function samplesOf({ kind, name }: ResourceDefinition): Samples {
  const found = (byName as Readonly<Record<string, Samples | undefined>>)[name];
  if (found === undefined) throw new TypeError(`${kind} has no samples in test/samples`);
  return found;
}
