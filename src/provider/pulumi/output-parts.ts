import * as pulumi from "@pulumi/pulumi";

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
