import type { ProcessPorts } from "../../provider/pulumi/process";
import { auditOf, type Change, lastChangeOf } from "../../provider/schema/audit";
import type { ResourceDefinition } from "../../provider/schema/define";
import type { JsonObject } from "../../provider/schema/json";
import { countOf } from "../../provider/texts/count-text";
import { sameMeaning } from "../../provider/values/compare";
import { viewOf } from "../../provider/values/managed";
import { resourcesOf } from "../stack/resources";
import type { Stack } from "../stack/stack";
import { withAuditedChanges } from "./audited-changes";
import { type Comparison, compareThree, isDrift } from "./comparison";
import { Consoles, keepsForms } from "./live";
import type { Compared } from "./report";

/** Means of a comparison. */
export interface DriftPorts {
  readonly stack: Stack;
  /** Ports of the provider's code, such as the transport to the console. */
  readonly console: Partial<ProcessPorts>;
  /** Tells how far it is. */
  readonly progress: (line: string) => void;
}

/** The comparisons, and the consoles that they were made with. */
export interface Findings extends Compared {
  readonly consoles: Consoles;
}

/**
 * Compares what was applied, what the console has and what the program sets, for every resource of a stack. Writes nothing.
 * @throws what the Pulumi CLI or the console says when one of them fails.
 */
export async function compareStack({ stack, console, progress }: DriftPorts): Promise<Findings> {
  progress("Reading the state and running the program (pulumi preview) ...");
  const exported = await stack.exported();
  const preview = await stack.preview();
  const config = await stack.config();
  const resources = resourcesOf(exported, preview);
  const kinds = new Set(resources.map(({ definition }) => definition.kind)).size;
  progress(`Reading ${countOf(resources.length, "object")} of ${countOf(kinds, "kind")} in the console ...`);
  const consoles = new Consoles(config, exported, console);
  const live = await consoles.readAll(resources);
  const compared = resources.map((resource) =>
    compareThree(resource, live.get(resource.urn), consoles.hasOther(resource)),
  );
  const histories = await historiesOf(consoles, compared);
  return {
    comparisons: await withAuditedChanges(consoles, compared, progress),
    consoles,
    changeOf({ resource, live: now, audited }, name) {
      const own = now && changeOf(resource.definition, [now, ...(histories.get(resource.urn) ?? [])], name);
      return own?.by === undefined ? (audited ?? own) : own;
    },
  };
}

/** Earlier forms, by URN, of the objects that changed more than once since they were applied: the last change tells one only. */
async function historiesOf(
  consoles: Consoles,
  comparisons: readonly Comparison[],
): Promise<ReadonlyMap<string, readonly JsonObject[]>> {
  const histories = new Map<string, readonly JsonObject[]>();
  for (const comparison of comparisons) {
    const { resource, live } = comparison;
    const { definition, applied } = resource;
    if (!isDrift(comparison) || live === undefined || applied === undefined || !keepsForms(definition))
      continue;
    const [before, now] = [applied.outputs, live].map((values) => auditOf(definition, values).version ?? 0);
    if ((now ?? 0) - (before ?? 0) < 2) continue;
    histories.set(resource.urn, await consoles.formsSince(resource, before ?? 0));
  }
  return histories;
}

/**
 * Author and time of the change that gave a field its value. `forms`: the object as it is and as it was, newest first, back to what
 * was applied where the console keeps that; with the first alone it is who changed the object last.
 */
function changeOf(definition: ResourceDefinition, forms: readonly JsonObject[], name: string): Change {
  const values = forms.map((form) => viewOf(definition, form)[name]);
  const at = values.findIndex(
    (value, index) => index + 1 < values.length && !sameMeaning(definition, name, value, values[index + 1]),
  );
  return lastChangeOf(definition, forms[Math.max(at, 0)] ?? {});
}
