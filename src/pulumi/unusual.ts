declare const mark: unique symbol;

/** A value whose members fit together in no way that its type offers. Its members do not show, so that they explain no error. */
export interface Unusual<T> {
  readonly [mark]: T;
}

/**
 * Says a condition whose members go together in no usual way, such as an operator that the reference does not show for its
 * type. The API restricts no pairs, so it is sent as it is; a preview warns of it.
 * @example
 * conditions: [fc.unusual({ type: "email", operator: "str_matches", targetValue: "@example[.]com$" })]
 */
export function unusual<const T extends object>(condition: T): Unusual<T> {
  return condition as unknown as Unusual<T>;
}
