import { kindOfType } from "../../provider/pulumi/runs/kind-of-type";
import { kindInType } from "../../provider/pulumi/stored-names";
import type { ResourceDefinition } from "../../provider/schema/define";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { programId } from "../../provider/schema/object-id";
import type { Path } from "../../provider/schema/path";
import { SIGNATURE, UNKNOWN } from "../../provider/schema/unknown";
import { unpacked } from "../../provider/values/hidden-state";
import { managedMember } from "../../provider/values/managed";
import { placesHere } from "./source-places";
import { type Exported, type ExportedResource, nameInUrn, type Preview, type PreviewStep } from "./stack";

/** A place in a file of the program; line and column count from 1. */
export interface Position {
  /** From the folder of the project. */
  readonly file: string;
  readonly line: number;
  /** Pulumi notes none of a program in Python. */
  readonly column?: number;
}

/** A resource of the stack: what was applied and what the program sets. */
export interface Resource {
  readonly urn: string;
  /** What the state calls it, which an alias may have renamed since. */
  readonly stateUrn: string;
  /** Its name in the program. */
  readonly name: string;
  readonly definition: ResourceDefinition;
  /** Undefined for what is not in state yet. */
  readonly id: string | undefined;
  /** Arguments and outputs of the last update or refresh; undefined for what is not in state yet. */
  readonly applied: { readonly inputs: JsonObject; readonly outputs: JsonObject } | undefined;
  /** Arguments that the program says now; undefined where it does not have the resource any more. */
  readonly wanted: JsonObject | undefined;
  /** Where the arguments hold secrets, which nothing may show. */
  readonly secrets: readonly Path[];
  /** Arguments, or paths in them, whose changes the program ignores. */
  readonly ignored: readonly string[];
  /** Where the program makes it, as far as Pulumi tells. */
  readonly position: Position | undefined;
  /** URN of the provider by which it was applied. */
  readonly provider: string | undefined;
}

export { kindOfType };

/** What a resource's object is called in the console. */
export function called({ definition, applied, wanted, id, name }: Resource): string {
  const found = programId(definition, applied?.inputs ?? wanted ?? {});
  return typeof found === "string" ? found : (id ?? name);
}

/** The resources of this package in a stack, of state and program, by name. */
export function resourcesOf(exported: Exported, preview: Preview): Resource[] {
  const stored = new Map(exported.resources.filter(isOurs).map((one) => [one.urn, one]));
  const steps = new Map<string, PreviewStep>();
  for (const step of preview.steps) if (isStep(step)) steps.set(step.urn, step);
  const renamed = new Map(
    [...steps.values()].flatMap(({ urn, oldState }) =>
      oldState === undefined || oldState.urn === urn ? [] : [[oldState.urn, urn]],
    ),
  );
  const urns = [...steps.keys(), ...[...stored.keys()].filter((urn) => !steps.has(urn) && !renamed.has(urn))];
  const meant = placesHere();
  const resources = urns.flatMap((urn) => {
    const step = steps.get(urn);
    const known = stored.get(step?.oldState?.urn ?? urn);
    const resource = resourceOf(urn, known, step, meant);
    return resource === undefined ? [] : [resource];
  });
  return resources.sort((one, other) => (one.urn < other.urn ? -1 : 1));
}

function isOurs({ type, external, delete: isGoing, outputs }: ExportedResource): boolean {
  return (
    kindInType(type) !== undefined &&
    external !== true &&
    isGoing !== true &&
    unpacked(outputs ?? {})[managedMember] !== undefined
  );
}

/** A replacement has a step for each of its halves: the one that makes the new object has what the program sets. */
function isStep({ newState, op }: PreviewStep): boolean {
  return (
    newState !== undefined &&
    kindInType(newState.type) !== undefined &&
    op !== "delete-replaced" &&
    newState.external !== true
  );
}

function resourceOf(
  urn: string,
  known: ExportedResource | undefined,
  step: PreviewStep | undefined,
  meant: (file: string) => string,
): Resource | undefined {
  const definition = kindOfType((step?.newState ?? known)?.type ?? "");
  if (definition === undefined || (known === undefined && step === undefined)) return undefined;
  const secrets: Path[] = [];
  const inputs = opened(known?.inputs ?? {}, [], secrets) as JsonObject;
  const outputs = unpacked(opened(known?.outputs ?? {}, [], []) as JsonObject);
  const changed = Object.keys(step?.detailedDiff ?? {});
  const wanted = unmasked(step?.newState?.inputs, inputs, { secrets, changed }) as JsonObject | undefined;
  // Where it was applied: what the program says of another console has not happened yet.
  const provider = providerUrn((known ?? step?.newState)?.provider);
  return {
    urn,
    stateUrn: known?.urn ?? urn,
    name: nameInUrn(urn),
    definition,
    id: known?.id,
    applied: known === undefined ? undefined : { inputs, outputs },
    wanted: wanted === undefined ? undefined : withoutInternal(wanted),
    secrets,
    ignored: step?.newState?.ignoreChanges ?? [],
    // Where a resource stood that the program no longer has, something else may stand by now.
    position: positionOf(step?.newState?.sourcePosition, meant),
    provider,
  };
}

/** URN of the provider that a resource names by its URN and id. */
export function providerUrn(reference: string | undefined): string | undefined {
  return reference?.split("::").slice(0, -1).join("::");
}

/** A value of an exported state with its secrets in the open, whose paths go to `found`. */
export function opened(value: unknown, path: Path, found: Path[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => opened(item, [...path, index], found));
  if (!isObject(value)) return value;
  // `stack export --show-secrets` puts this in the place of a secret.
  if (SIGNATURE in value) {
    found.push(path);
    return typeof value.plaintext === "string" ? (JSON.parse(value.plaintext) as unknown) : UNKNOWN;
  }
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, inner]) => [name, opened(inner, [...path, name], found)]));
}

interface Masks {
  /** Paths of secrets; more are added. */
  readonly secrets: Path[];
  /** Paths at which Pulumi sees a change. */
  readonly changed: readonly string[];
}

/** What a preview writes for a secret. */
const mask = "[secret]";

/**
 * Planned arguments with the applied secrets in place of what a preview shows for them. One that changes is not known: only
 * Pulumi has it.
 */
function unmasked(value: unknown, applied: unknown, masks: Masks, path: Path = []): unknown {
  if (Array.isArray(value))
    return value.map((item, index) =>
      unmasked(item, Array.isArray(applied) ? applied[index] : undefined, masks, [...path, index]),
    );
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, inner]) => [
      name,
      unmasked(inner, isObject(applied) ? applied[name] : undefined, masks, [...path, name]),
    ]);
    return Object.fromEntries(members);
  }
  if (value !== mask) return value;
  masks.secrets.push(path);
  const name = String(path[0]);
  const isChanged = masks.changed.some((one) => one === name || /^[.[]/.test(one.slice(name.length)));
  return applied === undefined || isChanged ? UNKNOWN : applied;
}

function withoutInternal(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith("__")));
}

/**
 * A place that Pulumi noted: `project:///index.ts#9,18`, `project:///__main__.py#8`. Undefined for one that is no file. `meant`: finds
 * the file that a path means.
 */
export function positionOf(
  text: string | undefined,
  meant: (file: string) => string = (file) => file,
): Position | undefined {
  const [, file, line, column] = /^project:\/\/\/(.*)#(\d+)(?:,(\d+))?$/.exec(text ?? "") ?? [];
  if (file === undefined) return undefined;
  const place = { file: meant(decodeURIComponent(file)), line: Number(line) };
  return column === undefined ? place : { ...place, column: Number(column) };
}

/** `index.ts:16:18`, `__main__.py:8`. */
export function placeText({ file, line, column }: Position): string {
  return [file, line, ...(column === undefined ? [] : [column])].join(":");
}
