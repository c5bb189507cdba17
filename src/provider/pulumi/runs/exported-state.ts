import { isObject } from "../../schema/json";
import type { PulumiCommand } from "./cli";

/** Where state has a resource. */
export interface StoredAs {
  /** The stack, as the CLI takes its name. */
  readonly stack: string;
  /** Its URN, and those that it had before. */
  readonly urns: readonly string[];
}

/** A resource of a state, with the id of its object. */
interface StoredId {
  readonly urn: string;
  readonly id: string;
}

/** What Pulumi does at the end of a resource by its options, as state has them. */
export interface EndOptions {
  /** Pulumi forgets it. */
  readonly retainOnDelete?: true;
  /** URN of a resource: where that one goes too, Pulumi forgets this one. */
  readonly deletedWith?: string;
}

/** The resources of a stack that have an id, as the CLI exports it; none where it does not. */
export async function exportedIds(pulumi: PulumiCommand, stack: string): Promise<readonly StoredId[]> {
  return (await exportedResources(pulumi, stack)).filter(hasId);
}

/** The resources of a stack whose end their options decide, by URN. */
export async function exportedEndOptions(
  pulumi: PulumiCommand,
  stack: string,
): Promise<ReadonlyMap<string, EndOptions>> {
  const found = new Map<string, EndOptions>();
  for (const { urn, retainOnDelete, deletedWith } of (await exportedResources(pulumi, stack)).filter(
    isObject,
  )) {
    const options: EndOptions = {
      ...(retainOnDelete === true ? { retainOnDelete } : {}),
      ...(typeof deletedWith === "string" && deletedWith !== "" ? { deletedWith } : {}),
    };
    if (typeof urn === "string" && Object.keys(options).length > 0) found.set(urn, options);
  }
  return found;
}

async function exportedResources(pulumi: PulumiCommand, stack: string): Promise<readonly unknown[]> {
  try {
    const { status, stdout } = await pulumi(["stack", "export", "--stack", stack]);
    const exported: unknown = status === 0 ? JSON.parse(stdout) : undefined;
    const deployment = isObject(exported) ? exported.deployment : undefined;
    const resources = isObject(deployment) ? deployment.resources : undefined;
    return Array.isArray(resources) ? resources : [];
  } catch {
    return [];
  }
}

function hasId(resource: unknown): resource is StoredId {
  return isObject(resource) && typeof resource.urn === "string" && typeof resource.id === "string";
}
