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

/** The resources of a stack as the CLI exports it; none where it does not. */
export async function exportedIds(pulumi: PulumiCommand, stack: string): Promise<readonly StoredId[]> {
  try {
    const { status, stdout } = await pulumi(["stack", "export", "--stack", stack]);
    const exported: unknown = status === 0 ? JSON.parse(stdout) : undefined;
    const deployment = isObject(exported) ? exported.deployment : undefined;
    const resources = isObject(deployment) ? deployment.resources : undefined;
    return (Array.isArray(resources) ? resources : []).filter(hasId);
  } catch {
    return [];
  }
}

function hasId(resource: unknown): resource is StoredId {
  return isObject(resource) && typeof resource.urn === "string" && typeof resource.id === "string";
}
