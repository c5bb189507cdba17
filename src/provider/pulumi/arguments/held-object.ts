import * as pulumi from "@pulumi/pulumi";
import { managedMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { type Identity, idArguments } from "../../schema/object-id";
import { partsOf } from "../output-parts";
import { storedState } from "../runs/stack-state";
import { nativePrefix, typePrefix } from "../stored-names";

/** A resource that is being registered. */
export interface Registering {
  readonly type: string;
  /** Source of the ids of its kind; undefined for an action. */
  readonly identity: Identity | undefined;
  readonly urn: pulumi.Input<unknown>;
  /** The resource itself, once it is constructed. */
  readonly resource: () => object | undefined;
}

/**
 * Arguments that name the object that state has for a resource, in a preview. Pulumi shows a provider nothing of it where it is told
 * to replace the resource (`--replace`, `pulumi state taint`): the object would look like somebody else's.
 */
export async function heldObject({
  type,
  identity,
  urn,
  resource,
}: Registering): Promise<JsonObject | undefined> {
  const state = await storedState();
  const names = identity === undefined ? [] : idArguments({ identity });
  if (state === undefined || names.length === 0) return undefined;
  for (const one of await urnsOf(urn, resource)) {
    const stored = state.get(one);
    if (stored?.type !== type || stored.outputs[managedMember] === undefined) continue;
    return Object.fromEntries(names.map((name) => [name, stored.outputs[name]]));
  }
  return undefined;
}

/**
 * Refuses a dynamic resource in the place of one that the native plugin manages: Pulumi would make the first anew, and delete the
 * second. @throws RunError
 */
export async function refuseWayBack({ urn, resource }: Registering): Promise<void> {
  const state = await storedState();
  if (state === undefined) return;
  const natives = (await urnsOf(urn, resource)).map((one) => one.replaceAll(typePrefix, nativePrefix));
  const held = natives.find((one) => state.has(one));
  if (held === undefined) return;
  throw new pulumi.RunError(
    `The native plugin manages ${held}, and this program declares it as a dynamic resource: Pulumi would create it anew and delete the native one. ` +
      'Nothing was changed. Import the classes from "pulumi-feature-console/native" again.',
  );
}

/** The URNs that a resource has and had. */
async function urnsOf(urn: Registering["urn"], resource: Registering["resource"]): Promise<string[]> {
  const own = await textOf(urn);
  return [...(own === undefined ? [] : [own]), ...((await formerUrns(resource)) ?? [])];
}

/** The URNs that a resource says it had; undefined where it says none. */
export async function formerUrns(resource: Registering["resource"]): Promise<string[] | undefined> {
  await Promise.resolve();
  // Now its constructor is done.
  const { __aliases: aliases = [] } = (resource() ?? {}) as { __aliases?: unknown[] };
  if (aliases.length === 0) return undefined;
  return (await Promise.all(aliases.map(textOf))).filter((one) => one !== undefined);
}

async function textOf(value: unknown): Promise<string | undefined> {
  const plain: unknown = await (pulumi.Output.isInstance(value) ? partsOf(value).promise() : value);
  return typeof plain === "string" ? plain : undefined;
}
