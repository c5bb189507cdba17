import { changesOfPlaces, keepsForms } from "../../provider/engine/edits/authors";
import type { Change } from "../../provider/schema/audit";
import { isConsoleError, messageOf } from "../../provider/schema/errors";
import { countOf } from "../../provider/texts/count-text";
import { type Consoles, readStack, type StackPorts } from "../stack/live";
import { objectOf, type Resource } from "../stack/resources";
import { withAuditedChanges } from "./audited-changes";
import { type Comparison, compareThree, type Difference, isOfProgram } from "./comparison";
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
  return { consoles, comparisons: await withAuthors(consoles, comparisons, progress) };
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

/** The comparisons, each place with the change that gave it the console's value, where the program did not. */
function withAuthors(
  consoles: Consoles,
  comparisons: readonly Comparison[],
  progress: StackPorts["progress"],
): Promise<readonly Comparison[]> {
  const found = comparisons.map(async (comparison) => {
    const { resource, live = {}, differences, audited } = comparison;
    const { definition, id = "", provider, applied } = resource;
    const object = {
      context: consoles.context(provider),
      definition,
      id,
      live,
      state: applied?.outputs ?? {},
    };
    // The last change of an object without versions may be another one than that which state has.
    const isSought = (one: Difference) =>
      !isOfProgram(one) && (one.isSeen !== true || keepsForms(definition));
    const authors = await changesOfPlaces(object, differences.filter(isSought)).catch((error) => {
      if (!isConsoleError(error)) throw error;
      progress(
        `The versions of ${objectOf(resource)} were not read, so authors are missing: ${messageOf(error)}`,
      );
      return new Map<Difference, Change>();
    });
    const authored = differences.map((one) => {
      const own = authors.get(one);
      const isLogged = own?.by === undefined && one.isSeen !== true && !isOfProgram(one);
      return { ...one, author: isLogged ? (audited ?? own) : own };
    });
    return { ...comparison, differences: authored };
  });
  return Promise.all(found);
}
