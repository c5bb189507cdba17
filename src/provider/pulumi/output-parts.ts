import * as pulumi from "@pulumi/pulumi";
import { isConsoleError } from "../schema/errors";
import { providerMember } from "./wire";

/** Members of an output beside its value. Pulumi's types hide these members. */
export interface OutputParts {
  /** False in a preview for what only an update finds. */
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  /** The value alone: who waits for it depends on no resource. */
  promise(): Promise<unknown>;
  /** Its sources. */
  resources(): ReadonlySet<pulumi.Resource>;
}

/** The parts of an output. */
export function partsOf(output: unknown): OutputParts {
  return output as OutputParts;
}

/** Members that Pulumi's SDK keeps of a resource without declaring them. */
export interface SdkResource {
  readonly __childResources?: Iterable<SdkResource>;
  readonly __aliases?: pulumi.Input<string>[];
  readonly __remote?: boolean;
  readonly __pulumiType?: string;
  readonly __name?: string;
  readonly [providerMember]?: unknown;
  readonly urn?: pulumi.Output<string>;
}

/** The value of an output; undefined while it is unknown, and where it failed. */
export async function knownValue(output: unknown): Promise<unknown> {
  if (!pulumi.Output.isInstance(output)) return undefined;
  const { isKnown, promise } = partsOf(output);
  try {
    return (await isKnown) ? await promise() : undefined;
  } catch {
    return undefined;
  }
}

/**
 * True in a preview for a value that comes of a resource which this update makes: what it leads to is not there yet. Pulumi tells it by
 * the id, which is unknown until the object exists, and holds its own lookups to the same rule.
 */
export async function comesOfNewObject(value: unknown): Promise<boolean> {
  if (!pulumi.runtime.isDryRun()) return false;
  const sources = [...partsOf(pulumi.output(value)).resources()].filter(pulumi.CustomResource.isInstance);
  const known = await Promise.all(sources.map(({ id }) => partsOf(id).isKnown));
  return known.includes(false);
}

/** The id by which a program reads an object: unknown while the object does not exist. */
export function idToRead(id: pulumi.Input<string>): pulumi.Input<string> {
  if (!pulumi.Output.isInstance(id) || !pulumi.runtime.isDryRun()) return id;
  return id.apply(async (known) =>
    (await comesOfNewObject(id)) ? (pulumi.unknown as unknown as string) : known,
  );
}

/** True for the answer to a lookup of what is not there. */
export function isAbsence(error: unknown): boolean {
  return (
    isConsoleError(error, "not-found") || (isConsoleError(error, "refused") && /not found/i.test(error.words))
  );
}
