import type { StateObject } from "../../engine";
import { resourceMember } from "../../schema/internal";
import { isObject, type JsonObject, objectFrom } from "../../schema/json";
import { unpacked } from "../../values/hidden-state";
import type { PulumiCommand } from "./cli";
import { kindOfType } from "./kind-of-type";

/** A resource of a state, with the id of its object. */
export interface StoredObject {
  readonly urn: string;
  /** Pulumi type. */
  readonly type: string;
  readonly id: string;
  /** Secrets are encrypted. */
  readonly outputs: JsonObject;
  /** URN and id of its provider. */
  readonly provider: string | undefined;
  /** A resource has it: it is neither only read nor about to go. */
  readonly isHeld: boolean;
  /** The resource has retainOnDelete: Pulumi forgets it. */
  readonly isRetained?: true;
  /** URN of a resource: where that one goes too, Pulumi forgets this one. */
  readonly deletedWith?: string;
}

/** The resources of a stack as the CLI exports it; undefined where it does not. `stack`: left out, the one that is selected. */
export async function exportedObjects(
  pulumi: PulumiCommand,
  stack?: string,
): Promise<readonly StoredObject[] | undefined> {
  try {
    const named = stack === undefined ? [] : ["--stack", stack];
    const { status, stdout } = await pulumi(["stack", "export", ...named]);
    const { deployment } = (status === 0 ? objectFrom(stdout) : undefined) ?? {};
    // A stack that has no resource yet has no list of them.
    const resources = isObject(deployment) ? (deployment.resources ?? []) : undefined;
    return Array.isArray(resources) ? storedObjects(resources) : undefined;
  } catch {
    return undefined;
  }
}

/** Objects of a state that have the same provider as one, the object included; undefined where it does not have that one. */
export function objectsBeside(
  stored: readonly StoredObject[],
  { definition, id, outputs }: StateObject,
): readonly StateObject[] | undefined {
  const isKind = ({ type }: StoredObject) => kindOfType(type) === definition;
  const own = stored.find(
    (one) => one.id === id && isKind(one) && one.outputs[resourceMember] === outputs[resourceMember],
  );
  if (own === undefined) return undefined;
  return stored.flatMap((one) => {
    const kind = kindOfType(one.type);
    if (kind === undefined || !one.isHeld || one.provider !== own.provider) return [];
    return { definition: kind, id: one.id, outputs: one.outputs };
  });
}

/** The objects among the resources of an exported state. */
export function storedObjects(resources: readonly unknown[]): StoredObject[] {
  return resources.filter(isObject).flatMap((resource) => {
    const { urn, type, id, outputs, provider, external, deletedWith } = resource;
    if (typeof urn !== "string" || typeof id !== "string") return [];
    return {
      ...{ urn, id, type: typeof type === "string" ? type : "" },
      outputs: isObject(outputs) ? unpacked(outputs) : {},
      provider: typeof provider === "string" ? provider : undefined,
      isHeld: external !== true && resource.delete !== true,
      ...(resource.retainOnDelete === true ? { isRetained: true as const } : {}),
      ...(typeof deletedWith === "string" && deletedWith !== "" ? { deletedWith } : {}),
    };
  });
}
