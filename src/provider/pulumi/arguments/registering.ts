import * as pulumi from "@pulumi/pulumi";
import { adoptMember, managedMember } from "../../schema/internal";
import { type JsonObject, membersOf } from "../../schema/json";
import { keptIn } from "../../schema/memoized";
import { defaultName, expectedId, type Identity, idArguments } from "../../schema/object-id";
import { UNKNOWN } from "../../schema/unknown";
import { knownValue, partsOf, type SdkResource } from "../output-parts";
import { explicitProvider } from "../previews/known-consoles";
import type { ClassTraits } from "../previews/stored-kinds";
import { storedState } from "../runs/stack-state";
import { adapterOf, nativePrefix, typePrefix } from "../stored-names";

interface Count {
  declared: number;
  /** Resolves when the synchronous part of the program that is running now has ended. */
  counted: Promise<number> | undefined;
}

/** One for each provider, because each is a process of its own; the first for the default provider. */
const counts = new Map<pulumi.ProviderResource | undefined, Count>();

/**
 * Counts one more resource of this package; resolves to how many the program has declared beside it, itself included, for
 * the same provider. A provider sees no more resources at a time than Pulumi works on.
 */
export function declaredBeside(type: string, options: pulumi.CustomResourceOptions): Promise<number> {
  const provider = explicitProvider(type, options);
  const count = keptIn(counts, provider, () => ({ declared: 0, counted: undefined }));
  count.declared += 1;
  count.counted ??= new Promise((resolve) => {
    setImmediate(() => {
      count.counted = undefined;
      resolve(count.declared);
    });
  });
  return count.counted;
}

/** A resource, by the Pulumi type that its adapter gives it. */
interface Named {
  readonly name: string;
  readonly type: string;
}

/** By program: who names an object first. With the Automation API a process runs several. */
const programs = new WeakMap<object, Map<string, Named>>();

/**
 * An earlier resource of the other adapter that names the same object, such as `native resource "checkout"`. The two are in different
 * processes: neither provider sees the other one's resource, and both would manage the object. Undefined where the id is not known, and
 * for resources with an explicit provider, which may lead to another console.
 */
export async function twinOf(
  { kind, identity }: ClassTraits,
  { name, type }: Named,
  args: JsonObject,
  options: pulumi.CustomResourceOptions,
): Promise<string | undefined> {
  const stack = pulumi.runtime.getStackResource();
  const isExplicit = explicitProvider(type, options) !== undefined;
  if (stack === undefined || identity === undefined || identity.how === "server" || isExplicit)
    return undefined;
  const given = { ...args, [adoptMember]: options.import };
  const entries = idArguments({ identity }).map(async (argument) => {
    const value = args[argument] ?? defaultName({ identity }, argument, given, name);
    return [argument, await knownValue(pulumi.output(value))] as const;
  });
  const values = Object.fromEntries(await Promise.all(entries));
  if (Object.values(values).includes(undefined)) return undefined;
  const object = `${kind} ${expectedId({ identity }, values)}`;
  const named = keptIn(programs, stack, () => new Map<string, Named>());
  const first = keptIn(named, object, () => ({ name, type }));
  return first.type === type ? undefined : `${adapterOf(first.type)} resource "${first.name}"`;
}

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
 * Arguments that name the object that state has for a resource, in a preview. Pulumi shows a provider nothing of it in a replacement
 * that only the command asks for (`--replace`, `pulumi state taint`): the object would look like another owner's.
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
    return membersOf(names, (name) => stored.outputs[name]);
  }
  return undefined;
}

/** Parts of an output with the ids that they have in state, in a preview: unknown in what the update makes. Loads the definitions. */
export async function partsKept(
  { id, urn }: pulumi.CustomResource,
  name: string,
  parts: readonly unknown[],
): Promise<unknown> {
  const state = (await partsOf(id).isKnown) ? await storedState() : undefined;
  const stored = state?.get(String(await knownValue(urn)));
  if (stored === undefined) return pulumi.unknown;
  const { kindOfType } = require("../runs/kind-of-type") as typeof import("../runs/kind-of-type");
  const { withKnownIds } =
    require("../../values/server-set-members") as typeof import("../../values/server-set-members");
  const definition = kindOfType(stored.type);
  if (definition === undefined) return pulumi.unknown;
  const kept = withKnownIds(definition, name, parts, stored.outputs[name]) as readonly JsonObject[];
  return kept.map((part) => (part.id === UNKNOWN ? { ...part, id: pulumi.unknown } : part));
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
  const { __aliases: aliases = [] } = (resource() ?? {}) as SdkResource;
  if (aliases.length === 0) return undefined;
  return (await Promise.all(aliases.map(textOf))).filter((one) => one !== undefined);
}

async function textOf(value: unknown): Promise<string | undefined> {
  const plain: unknown = await (pulumi.Output.isInstance(value) ? partsOf(value).promise() : value);
  return typeof plain === "string" ? plain : undefined;
}
