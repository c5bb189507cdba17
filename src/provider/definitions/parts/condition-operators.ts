/** Words of an operator between the subject of a condition and its values. */
export type OperatorWords =
  /** `is x`, `is one of x or y`. */
  | { readonly one: string; readonly several: string }
  /** `is 5 or more`. `ofVersion`: begins the phrase of a subject that is a version itself. */
  | { readonly before: string; readonly after?: string; readonly ofVersion?: string }
  /** `is not set`. */
  | { readonly alone: string }
  /** `is one of 3 encoded values`. */
  | { readonly counted: string };

/** Sort of values that server SDKs compare with an operator; absent where none evaluates it. What has an order is compared by it. */
type Comparison =
  | { readonly compares?: "text" | "array"; readonly order?: never }
  /** `order`: signs of the difference between what is compared and the value of the condition, with which it holds. */
  | { readonly compares: "number" | "version" | "time"; readonly order: readonly (-1 | 0 | 1)[] }
  | { readonly compares: "time"; readonly day: true; readonly order?: never };

/** Traits of one operator (console-api/conditions.md, section 2; console-api/specs.md, section 4). */
export type ConditionOperator = OperatorTraits & Comparison;

interface OperatorTraits {
  readonly words: OperatorWords;
  /** It asks for one of the values, or for none of them. */
  readonly list?: "one of" | "none of";
  /** Elements of the condition that an array has where it holds. */
  readonly elements?: "any" | "none" | "all" | "not all";
  /** It asks for a value, or for none. */
  readonly presence?: "present" | "absent";
  /** It asks for the day of its value, in the place where the SDK runs. */
  readonly day?: true;
  /** Its name in the documents for SDKs, where that is another. */
  readonly sdkName?: string;
  /** The operator that it stands for with a type that looks at the clock. */
  readonly ofClock?: string;
  /** Case has a meaning. */
  readonly exact?: true;
  /** It looks for parts of a text. */
  readonly contains?: true;
  /** Its values are patterns. */
  readonly pattern?: true;
  /** When it holds with an empty list. */
  readonly whenEmpty?: "never" | "always";
  /** The operator that holds exactly where this one does not. */
  readonly opposite?: string;
}

const oneOf = { compares: "text", list: "one of", whenEmpty: "never" } as const;
const noneOf = { compares: "text", list: "none of", whenEmpty: "always" } as const;
const text = { compares: "text" } as const;
const array = { compares: "array" } as const;
const number = { compares: "number" } as const;
const version = { compares: "version" } as const;
const time = { compares: "time" } as const;

/** Every operator that is known, by its name; "" stands for none. */
export const conditionOperators = {
  any: { ...oneOf, words: { one: "is", several: "is one of" }, opposite: "none" },
  none: { ...noneOf, words: { one: "is not", several: "is none of" }, opposite: "any" },
  any_case_sensitive: {
    ...oneOf,
    words: { one: "is exactly", several: "is exactly one of" },
    ...{ exact: true, opposite: "none_case_sensitive" },
  },
  none_case_sensitive: {
    ...noneOf,
    words: { one: "is not exactly", several: "is exactly none of" },
    ...{ exact: true, opposite: "any_case_sensitive" },
  },
  str_contains_any: {
    ...text,
    words: { one: "contains", several: "contains one of" },
    ...{ contains: true, whenEmpty: "never", opposite: "str_contains_none" },
  },
  str_contains_none: {
    ...text,
    words: { one: "does not contain", several: "contains none of" },
    ...{ contains: true, whenEmpty: "always", opposite: "str_contains_any" },
  },
  str_matches: {
    ...text,
    words: { one: "matches the pattern", several: "matches one of the patterns" },
    pattern: true,
  },
  is_null: {
    ...text,
    words: { alone: "is not set" },
    opposite: "is_not_null",
    presence: "absent",
    sdkName: "eq",
  },
  is_not_null: {
    ...text,
    words: { alone: "is set" },
    opposite: "is_null",
    presence: "present",
    sdkName: "neq",
  },
  gt: { ...number, words: { before: "is more than" }, order: [1], ofClock: "after" },
  gte: { ...number, words: { before: "is", after: "or more" }, order: [0, 1], ofClock: "after" },
  lt: { ...number, words: { before: "is less than" }, order: [-1], ofClock: "before" },
  lte: { ...number, words: { before: "is", after: "or less" }, order: [-1, 0], ofClock: "before" },
  version_gt: { ...version, words: { before: "is later than" }, order: [1] },
  version_gte: { ...version, words: { before: "is", after: "or later" }, order: [0, 1] },
  version_lt: { ...version, words: { before: "is earlier than" }, order: [-1] },
  version_lte: { ...version, words: { before: "is", after: "or earlier" }, order: [-1, 0] },
  version_eq: { ...version, words: { before: "is version", ofVersion: "is" }, order: [0] },
  after: { ...time, words: { before: "is after" }, order: [1] },
  before: { ...time, words: { before: "is before" }, order: [-1] },
  on: { ...time, words: { before: "is on the day of" }, day: true },
  array_contains_any: {
    ...array,
    words: { one: "has", several: "has one of" },
    whenEmpty: "never",
    elements: "any",
  },
  array_contains_none: {
    ...array,
    words: { one: "does not have", several: "has none of" },
    elements: "none",
  },
  array_contains_all: { ...array, words: { one: "has", several: "has all of" }, elements: "all" },
  not_array_contains_all: {
    ...array,
    words: { one: "does not have", several: "does not have all of" },
    elements: "not all",
  },
  encoded_any: { words: { counted: "is one of" } },
  "": { words: { one: "is", several: "is one of" } },
} as const satisfies Record<string, ConditionOperator>;

/** The name of an operator that is known. */
export type OperatorName = keyof typeof conditionOperators;

/** Everything that is known of an operator; undefined for one that this version does not know. */
export function conditionOperator(name: unknown): ConditionOperator | undefined {
  const said = name === undefined || name === null ? "" : name;
  return typeof said === "string" && Object.hasOwn(conditionOperators, said)
    ? conditionOperators[said as OperatorName]
    : undefined;
}
