import * as pulumi from "@pulumi/pulumi";
import { adoptMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { defaultName, expectedId, idArguments } from "../../schema/object-id";
import { knownValue } from "../output-parts";
import type { ClassTraits } from "../previews/stored-kinds";
import { adapterOf } from "../stored-names";

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
  const isExplicit = (options.provider ?? options.parent?.getProvider(type)) !== undefined;
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
  const named = programs.get(stack) ?? new Map<string, Named>();
  programs.set(stack, named);
  const first = named.get(object) ?? { name, type };
  named.set(object, first);
  return first.type === type ? undefined : `${adapterOf(first.type)} resource "${first.name}"`;
}
