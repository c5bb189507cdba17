import { keepsForms } from "../../provider/engine/edits/authors";
import { idListNames } from "../../provider/id-lists/value-type";
import { auditOf } from "../../provider/schema/audit";
import type { ResourceDefinition } from "../../provider/schema/define";
import { withArticle } from "../../provider/schema/references";
import { countOf } from "../../provider/texts/count-text";
import { compareThree } from "../drift/comparison";
import type { ProgramPorts } from "../rewrite/into-program";
import { intoProgramOrSettings, type SettingsPorts } from "../rewrite/into-settings";
import { type Consoles, readStack, type StackPorts } from "../stack/live";
import { UsageError } from "../stack/project";
import { objectOf, type Resource, resourceNamed } from "../stack/resources";
import { stackInUrn } from "../stack/stack";
import { type Form, formAt, formsOf, type Moment } from "./forms";
import { type Rollback, rollbackOf } from "./rollback";

/** The object, or all objects of the stack, that are to be as they were. */
export interface RollbackRequest {
  readonly to: Moment;
  /** Undefined: every object. */
  readonly name: string | undefined;
  readonly definition: ResourceDefinition | undefined;
}

/** Means of a rollback. */
export interface RollbackPorts extends StackPorts {
  /** The settings of a stack; undefined where it has no file of them. */
  readonly settingsOf: (stack: string) => Omit<SettingsPorts, "progress"> | undefined;
}

/**
 * The ways back, and what would become of the program. `stack`: its name; empty where it has no objects. `left`: objects that have no way
 * back, a sentence each.
 */
export type PlannedRollback = Awaited<ReturnType<typeof plannedRollback>>;

/**
 * Plans a rollback by the versions that the console keeps. Reads only, and writes nothing.
 * @throws UsageError for an unclear name, and for an object that has no such version.
 */
export async function plannedRollback(
  { settingsOf, ...ports }: RollbackPorts,
  program: ProgramPorts,
  { to, name, definition }: RollbackRequest,
) {
  const { progress } = ports;
  progress("Reading the state and asking the program what it sets (pulumi preview) ...");
  const stack = await readStack(ports);
  const { resources, consoles } = stack;
  const asked = name === undefined ? resources : [resourceNamed(resources, name, definition)];
  const kept = asked.filter(isRevertible);
  progress(`Reading the versions of ${countOf(kept.length, "object")} ...`);
  const ways = await Promise.all(kept.map(async (one) => wayOf(one, await formsOf(consoles, one), to)));
  const others = asked.filter((one) => !isRevertible(one));
  const touched = name === undefined ? await changedSince(consoles, others, to) : others;
  const left = [...touched.map(withoutWay), ...ways.filter((way) => typeof way === "string")];
  if (name !== undefined && left[0] !== undefined) throw new UsageError(left[0]);
  const rollbacks = ways.filter((way) => way !== undefined && typeof way !== "string");
  const own = stackInUrn(resources[0]?.urn ?? "");
  const settings = own === "" ? undefined : settingsOf(own);
  const acceptance = await intoProgramOrSettings(
    stack,
    program,
    rollbacks,
    settings && { ...settings, progress },
  );
  return { stack: own, rollbacks, left, acceptance };
}

function isRevertible({ definition, applied, wanted }: Resource): boolean {
  return keepsForms(definition) && applied !== undefined && wanted !== undefined;
}

/** The way of an object back; undefined where it is as it was, a sentence where there is none. */
function wayOf(resource: Resource, forms: readonly Form[], to: Moment): Rollback | string | undefined {
  const [now] = forms;
  if (now === undefined)
    return `${objectOf(resource)} does not exist, and its versions are gone with it; "pulumi up --refresh" creates it again`;
  const { created } = auditOf(resource.definition, now.values);
  if ("time" in to && created !== undefined && created > to.time)
    return `${objectOf(resource)} did not exist then`;
  const form = formAt(forms, to);
  if (typeof form === "string") return `${objectOf(resource)}: ${form}`;
  const way = rollbackOf(resource, now, form);
  return way.back.length + way.stays.length + way.values.length === 0 ? undefined : way;
}

/**
 * Without the objects that are what they were then: as the program sets them, and not changed since. Where they cannot be read, nobody
 * knows, and the rollback of the others goes on.
 */
async function changedSince(
  consoles: Consoles,
  objects: readonly Resource[],
  to: Moment,
): Promise<readonly Resource[]> {
  if (!("time" in to)) return objects;
  const found = await consoles.readAll(objects).catch(() => undefined);
  return objects.filter((one) => {
    const live = found?.get(one.urn);
    if (live === undefined || compareThree(one, live).what !== "same") return true;
    // No reference states whether other ids count as a change of the object.
    const holdsIds = idListNames(one.definition).some((name) => live[name] !== undefined);
    const { changed } = auditOf(one.definition, live);
    return holdsIds || changed === undefined || changed > to.time;
  });
}

function withoutWay(one: Resource): string {
  return keepsForms(one.definition)
    ? `${objectOf(one)} is not in both the program and the state`
    : `${objectOf(one)}: the console keeps no versions of ${withArticle(one.definition.title)}`;
}
