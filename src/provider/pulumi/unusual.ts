declare const mark: unique symbol;

/** A value whose members fit together in no way that its type offers. Its members do not show, so that they explain no error. */
export interface Unusual<T> {
  readonly [mark]: T;
}

/**
 * Says what the types do not offer, as it is: a condition whose members go together in no usual way, such as an operator that the
 * reference does not show for its type; or a value that this version does not know. The API restricts little of this, so it is
 * sent; a preview warns of unusual conditions.
 * @example
 * conditions: [fc.unusual({ type: "country", operator: "str_matches", targetValue: "^(NL|BE)$" })]
 * @example
 * type: fc.unusual("NEW_TYPE")
 */
export function unusual(value: string | number | boolean | null | readonly unknown[]): never;
export function unusual<const T extends object>(condition: T): Unusual<T>;
export function unusual(value: unknown): unknown {
  return value;
}
