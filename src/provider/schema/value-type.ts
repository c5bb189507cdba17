/**
 * Values that are kept, compared and told otherwise than as they are. All that shared code knows of them stands here; a
 * value that is not of the type comes back as it is.
 */
export interface ValueType {
  /** The form that goes into state and is compared. Twice is the same as once. */
  canonical(value: unknown): unknown;
  /** True for what `canonical` makes of a value: the schema of the argument was for what it is made of. */
  isCanonical(value: unknown): boolean;
  /** Meaning of a canonical value; undefined where it has none. */
  meaning(value: unknown): unknown;
  /** A value in a message, where that is not the value itself. */
  describe(value: unknown): string | undefined;
  /** In TypeScript's words: what an argument takes beside what its schema says, and the members of what a program reads. */
  readonly types: {
    readonly taken: string;
    readonly read: Readonly<Record<string, "string" | "number">>;
  };
}
