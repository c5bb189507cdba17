import * as pulumi from "@pulumi/pulumi";
import { managedMember } from "../core/internal";
import type { JsonObject } from "../core/json";
import type { StoredAs } from "./exported-state";
import { partsOf } from "./output-parts";
import { stackName, storedState } from "./stack-state";

/** A resource that is being registered. */
export interface Registering {
  readonly type: string;
  /** Arguments that decide which object is meant. */
  readonly identity: readonly string[];
  readonly urn: pulumi.Input<unknown>;
  /** The resource itself, once it is constructed. */
  readonly resource: () => object | undefined;
}

/**
 * What names the object that state has for a resource, in a preview. Pulumi shows a provider nothing of it where it is told
 * to replace the resource (`--replace`, `pulumi state taint`): the object would look like somebody else's.
 */
export async function heldObject({
  type,
  identity,
  urn,
  resource,
}: Registering): Promise<JsonObject | undefined> {
  const state = await storedState();
  if (state === undefined || identity.length === 0) return undefined;
  for (const one of await urnsOf({ urn, resource })) {
    const stored = state.get(one);
    if (stored?.type !== type || stored.outputs[managedMember] === undefined) continue;
    return Object.fromEntries(identity.map((name) => [name, stored.outputs[name]]));
  }
  return undefined;
}

/** Where the provider finds the same in an update, if it has to: to read it for each update would cost more than all else. */
export async function storedAs(
  registering: Pick<Registering, "urn" | "resource">,
): Promise<StoredAs | undefined> {
  if (pulumi.runtime.isDryRun()) return undefined;
  return { stack: stackName(), urns: await urnsOf(registering) };
}

async function urnsOf({ urn, resource }: Pick<Registering, "urn" | "resource">): Promise<string[]> {
  const own = await textOf(urn);
  // Here at the latest, the constructor is done.
  const { __aliases: aliases = [] } = (resource() ?? {}) as { __aliases?: unknown[] };
  return [own, ...(await Promise.all(aliases.map(textOf)))].filter((one) => one !== undefined);
}

async function textOf(value: unknown): Promise<string | undefined> {
  const plain: unknown = await (pulumi.Output.isInstance(value) ? partsOf(value).promise() : value);
  return typeof plain === "string" ? plain : undefined;
}
