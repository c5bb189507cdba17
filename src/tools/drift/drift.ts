import { changesOfPlaces, keepsForms } from "../../provider/engine/edits/authors";
import type { Change } from "../../provider/schema/audit";
import { isConsoleError, messageOf } from "../../provider/schema/errors";
import { countOf } from "../../provider/texts/count-text";
import { type Consoles, readStack, type StackPorts } from "../stack/live";
import { objectOf, type Resource } from "../stack/resources";
import { withAuditedChanges } from "./audited-changes";
import { type Comparison, compareThree, isOfProgram } from "./comparison";
import type { Compared } from "./report";

/** The comparisons, and the consoles that they were made with. */
export interface Findings extends Compared {
  readonly consoles: Consoles;
}

/**
 * Compares what was applied, what the console has and what the program sets, for every resource of a stack. Writes nothing.
 * @throws what the Pulumi CLI or the console says when one of them fails.
 */
export async function compareStack(ports: StackPorts): Promise<Findings> {
  const { progress } = ports;
  progress("Reading the state and running the program (pulumi preview) ...");
  const { resources, consoles } = await readStack(ports);
  const kinds = new Set(resources.map(({ definition }) => definition.kind)).size;
  progress(`Reading ${countOf(resources.length, "object")} of ${countOf(kinds, "kind")} in the console ...`);
  const comparisons = await compared(consoles, resources, progress);
  const changes = await changesOf(consoles, comparisons, progress);
  const changeOf: Findings["changeOf"] = ({ resource, audited }, { label, isSeen }) => {
    const own = changes.get(resource.urn)?.get(label);
    return own?.by === undefined && isSeen !== true ? (audited ?? own) : own;
  };
  return { comparisons, consoles, changeOf };
}

/** Compares resources with their live objects, and with the audit log where those do not show who changed them. */
export async function compared(
  consoles: Consoles,
  resources: readonly Resource[],
  progress: StackPorts["progress"],
): Promise<readonly Comparison[]> {
  const live = await consoles.readAll(resources);
  const all = resources.map((resource) =>
    compareThree(resource, live.get(resource.urn), {
      hasOther: consoles.hasOther(resource),
      overwrites: consoles.context(resource.provider).overwritesEdits === true,
    }),
  );
  return withAuditedChanges(consoles, all, progress);
}

type Changes = ReadonlyMap<string, Change>;

/** Changes that gave the places of each object their values, by URN and place, where the console's value is another one. */
async function changesOf(
  consoles: Consoles,
  comparisons: readonly Comparison[],
  progress: StackPorts["progress"],
): Promise<ReadonlyMap<string, Changes>> {
  const found = comparisons.map(async ({ resource, live = {}, differences }): Promise<[string, Changes]> => {
    const { urn, definition, id = "", provider, applied } = resource;
    // The last change of an object without versions may be another one than that which state has.
    const isShown = (one: Comparison["differences"][number]) =>
      !isOfProgram(one) && (one.isSeen !== true || keepsForms(definition));
    const places = differences.filter(isShown);
    try {
      const object = { id, live, state: applied?.outputs ?? {} };
      const context = consoles.context(provider);
      const changes = await changesOfPlaces({ context, definition, ...object }, places);
      return [urn, new Map([...changes].map(([{ label }, change]) => [label, change]))];
    } catch (error) {
      if (!isConsoleError(error)) throw error;
      progress(
        `The versions of ${objectOf(resource)} were not read, so authors are missing: ${messageOf(error)}`,
      );
      return [urn, new Map()];
    }
  });
  return new Map(await Promise.all(found));
}
