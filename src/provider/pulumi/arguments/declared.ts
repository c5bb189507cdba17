import type * as pulumi from "@pulumi/pulumi";

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
  const provider = options.provider ?? options.parent?.getProvider(type);
  const count = counts.get(provider) ?? { declared: 0, counted: undefined };
  counts.set(provider, count);
  count.declared += 1;
  count.counted ??= new Promise((resolve) => {
    setImmediate(() => {
      count.counted = undefined;
      resolve(count.declared);
    });
  });
  return count.counted;
}
