import { kindOfType } from "../../provider/pulumi/runs/kind-of-type";
import { kindInType } from "../../provider/pulumi/stored-names";
import type { ResourceDefinition } from "../../provider/schema/define";
import { isInternal } from "../../provider/schema/internal";
import { isObject, type JsonObject, kept, remade } from "../../provider/schema/json";
import { programId } from "../../provider/schema/object-id";
import type { Path } from "../../provider/schema/path";
import { valueAt } from "../../provider/schema/path";
import { SIGNATURE, UNKNOWN } from "../../provider/schema/unknown";
import { quote } from "../../provider/texts/issue-text";
import { guess } from "../../provider/texts/misspelling";
import { hiddenValue } from "../../provider/texts/secret-texts";
import { unpacked } from "../../provider/values/hidden-state";
import { managedMember } from "../../provider/values/managed";
import type { ExportedResource } from "./preview";
import { isWithin, type Preview, type Step } from "./preview";
import { UsageError } from "./project";
import { type Position, placesHere, positionOf } from "./source-places";
import { type Exported, nameInUrn } from "./stack";

/** A resource of this package, in a state, a preview, or both. */
export interface StackResource {
  readonly urn: string;
  /** Its name in the program. */
  readonly name: string;
  readonly definition: ResourceDefinition;
  /** Undefined for a resource that is not in state yet. */
  readonly id: string | undefined;
  /** Its place in the program, as far as Pulumi shows it. */
  readonly position: Position | undefined;
  /** URN of the provider by which it was applied. */
  readonly provider: string | undefined;
}

/** A resource with its values: those that were applied, and those that the program sets. */
export interface Resource extends StackResource {
  /** Its URN in state, which an alias may have renamed since. */
  readonly stateUrn: string;
  /** Arguments and outputs of the last update or refresh; undefined for a resource that is not in state yet. */
  readonly applied: { readonly inputs: JsonObject; readonly outputs: JsonObject } | undefined;
  /** Arguments that the program sets now; undefined for a resource that left the program. */
  readonly wanted: JsonObject | undefined;
  /** Paths of secrets in the arguments, which nothing may show. */
  readonly secrets: readonly Path[];
  /** Arguments, or paths in them, whose changes the program ignores. */
  readonly ignored: readonly string[];
  /** Pulumi leaves its object alone when the resource goes. */
  readonly isRetained: boolean;
  /** The preview replaces it, and does not delete it first. */
  readonly createsFirst: boolean;
}

/** The name of a resource's object in the console, else its id. */
export function called({ definition, applied, wanted, id, name }: Resource): string {
  const found = programId(definition, applied?.inputs ?? wanted ?? {});
  return typeof found === "string" ? found : (id ?? name);
}

/** `gate "checkout_v2"`. */
export function objectOf({ definition, id, name }: Pick<StackResource, "definition" | "id" | "name">) {
  return `${definition.title} "${id ?? name}"`;
}

/** True for a place that nothing may show. */
export function isSecret({ definition, secrets }: Pick<Resource, "definition" | "secrets">, [name]: Path) {
  return (
    definition.fields[String(name)]?.traits.secret === true ||
    // An element may stand elsewhere in its list by now: an argument that holds a secret anywhere is not shown at all.
    secrets.some(([first]) => first === name)
  );
}

/**
 * The resources that a person calls so: by name in the program, id of the object, or URN. `definition`: of this kind alone.
 * @throws UnknownName
 */
export function resourcesNamed(
  resources: readonly Resource[],
  said: string,
  definition?: ResourceDefinition,
): readonly Resource[] {
  const all = resources.filter((one) => definition === undefined || one.definition === definition);
  const found = all.filter(({ name, id, urn }) => [name, id, urn].includes(said));
  if (found.length > 0) return found;
  const what = definition === undefined ? "resource" : definition.title;
  const names = all.flatMap(({ name, id }) => (id === undefined ? [name] : [name, id]));
  throw new UnknownName(`the stack has no ${what} ${quote(said)}${guess(said, names, quote)}`);
}

/** A name of no resource. */
export class UnknownName extends UsageError {}

/** The one resource that a person calls so. @throws UnknownName, and UsageError where several have the name. */
export function resourceNamed(...[resources, said, definition]: Parameters<typeof resourcesNamed>): Resource {
  const found = resourcesNamed(resources, said, definition);
  const [one, ...others] = found;
  if (one !== undefined && others.length === 0) return one;
  const kinds = [...new Set(found.map((other) => other.definition.name))];
  throw new UsageError(
    kinds.length > 1
      ? `${kinds.length} kinds have an object ${quote(said)}: give ${kinds.map((kind) => `--kind ${kind}`).join(" or ")}`
      : `${found.length} resources have the name ${quote(said)}: give the URN of one, ${found.map(({ urn }) => urn).join(" or ")}`,
  );
}

/** The resources of this package in a stack, of state and program, by name. */
export function resourcesOf(exported: Exported, preview: Preview = { steps: [] }): Resource[] {
  const stored = new Map(exported.resources.filter(isOurs).map((one) => [one.urn, one]));
  const steps = new Map(preview.steps.filter(isDeclared).map((step) => [step.urn, step]));
  const renamed = new Set([...steps.values()].map(({ oldState }) => oldState?.urn));
  const urns = [...steps.keys(), ...[...stored.keys()].filter((urn) => !steps.has(urn) && !renamed.has(urn))];
  const meant = placesHere();
  return urns.sort().flatMap((urn) => {
    const step = steps.get(urn);
    const known = stored.get(step?.oldState?.urn ?? urn);
    const resource = stackResource(urn, known, step, meant);
    return resource === undefined ? [] : [{ ...resource, ...valuesOf(urn, known, step) }];
  });
}

function isOurs({ type, external, delete: isGoing, outputs }: ExportedResource): boolean {
  if (kindInType(type) === undefined || external === true || isGoing === true) return false;
  return unpacked(outputs ?? {})[managedMember] !== undefined;
}

/** True for a resource of this package that the program makes. */
function isDeclared({ newState }: Step): boolean {
  return newState !== undefined && kindInType(newState.type) !== undefined && newState.external !== true;
}

/** Identity of a resource; undefined for one of another package. `meant`: finds the file that a noted place means. */
export function stackResource(
  urn: string,
  known: ExportedResource | undefined,
  step: Step | undefined,
  meant: (file: string) => string,
): StackResource | undefined {
  const definition = kindOfType((step?.newState ?? known)?.type ?? "");
  if (definition === undefined) return undefined;
  return {
    ...{ urn, name: nameInUrn(urn), definition, id: known?.id },
    // Another resource may have come to the place of one that left the program.
    position: positionOf(step?.newState?.sourcePosition, meant),
    // The one by which it was applied: a program that names another console has not moved it yet.
    provider: providerUrn((known ?? step?.newState)?.provider),
  };
}

function valuesOf(urn: string, known: ExportedResource | undefined, step: Step | undefined) {
  const secrets: Path[] = [];
  const inputs = plain(known?.inputs, secrets);
  // Planned arguments with the applied secrets in place of what a preview shows for them. One that changes, only Pulumi knows.
  const wanted = remade(step?.newState?.inputs, (one, place) => {
    if (one !== hiddenValue) return one;
    secrets.push(place);
    const isChanged = step?.changedPaths.some((path) => isWithin(path, String(place[0])));
    const applied = valueAt(inputs, place);
    return applied === undefined || isChanged ? UNKNOWN : applied;
  }) as JsonObject | undefined;
  return {
    stateUrn: known?.urn ?? urn,
    applied: known === undefined ? undefined : { inputs, outputs: unpacked(plain(known.outputs)) },
    wanted: wanted === undefined ? undefined : withoutInternal(wanted),
    secrets,
    ignored: step?.newState?.ignoreChanges ?? [],
    isRetained: known?.retainOnDelete === true,
    createsFirst: step?.op === "replace" && step.createsFirst !== false,
  };
}

/** URN of the provider that a resource names by its URN and id. */
export function providerUrn(reference: string | undefined): string | undefined {
  return reference?.split("::").slice(0, -1).join("::");
}

/** Values of an exported state with their secrets in the open; one that stays hidden is `UNKNOWN`. Adds their paths to `secrets`. */
export function plain(values: unknown, secrets: Path[] = []): JsonObject {
  const all = remade(values, (one, path) => {
    // `stack export --show-secrets` puts this in the place of a secret.
    if (!isObject(one) || !(SIGNATURE in one)) return one;
    secrets.push(path);
    return typeof one.plaintext === "string" ? (JSON.parse(one.plaintext) as unknown) : UNKNOWN;
  });
  return isObject(all) ? all : {};
}

/** Values without the members that only this package reads. */
export function withoutInternal(values: JsonObject): JsonObject {
  return kept(values, (name) => !isInternal(name));
}
