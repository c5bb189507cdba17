import { conditionOperator, type OperatorName } from "./condition-operators";

/**
 * Shape of a condition's target value in a body. "texts" and "values" are arrays, of strings or of strings and numbers; "text" and
 * "number" are one value; "some": one text or several; "none": there is no target value; "any": nothing is known, it passes
 * through.
 */
export type ConditionShape = "texts" | "values" | "text" | "some" | "number" | "none" | "any";

/** Facts of one condition type (console-api/conditions.md, section 2). */
export interface ConditionType {
  /** The subject, in a sentence. */
  readonly doc: string;
  /** The subject, as a noun of a sentence: `e-mail`. */
  readonly subject: string;
  /** Text before its values right after a noun, where that needs no verb: `users in NZ`, `users on iOS`. */
  readonly placed?: string;
  /** It asks whether a unit is in another object, or is not. */
  readonly asks?: "in" | "not in";
  /** The type that holds exactly where this one does not. */
  readonly opposite?: string;
  /** Every unit meets it. */
  readonly everyone?: true;
  /** It looks at the environment, as the environments of a rule do; without an operator it means "any". */
  readonly environment?: true;
  /** It looks at the time of the request. Older descriptions compare times with operators for numbers. */
  readonly clock?: true;
  /** Values of two such conditions tell nothing of each other. */
  readonly opaque?: true;
  /** Values that can be checked by themselves. */
  readonly valuesAre?: "countries" | "addresses";
  /** Its value is a script. */
  readonly script?: true;
  /**
   * Usual operators, and the shape of the target value with each. "" stands for no operator. Usual is what the reference shows,
   * and what was seen live or is declared elsewhere (console-api/corrections.md, section 2). The API restricts no pairs: what
   * is not here passes through as it is said.
   */
  readonly operators: Readonly<Record<string, ConditionShape>> | "any";
  /** The member that this type needs beside `type`. */
  readonly needs?: "field" | "customID";
  /** Segment rules take it. */
  readonly inSegments?: true;
  /** The kind whose ids it takes. */
  readonly refersTo?: string;
  /** The kind whose names it takes. */
  readonly names?: string;
}

/** Operators with the shape that the target value has with each of them. */
const taking = (shape: ConditionShape, ...operators: readonly OperatorName[]) =>
  Object.fromEntries(operators.map((operator) => [operator, shape]));

const anyNone = taking("texts", "any", "none");
const contains = taking("texts", "str_contains_any", "str_contains_none");
const pattern = taking("texts", "str_matches");
const presence = taking("none", "is_null", "is_not_null");
const versions = taking("text", "version_gt", "version_gte", "version_lt", "version_lte", "version_eq");
const times = taking("number", "before", "after", "on");
const customField = {
  ...taking("values", "any", "none", "any_case_sensitive", "none_case_sensitive"),
  ...taking("values", "str_contains_any", "str_contains_none", "str_matches"),
  ...taking("values", "array_contains_any", "array_contains_none"),
  ...taking("values", "array_contains_all", "not_array_contains_all"),
  ...taking("number", "gt", "gte", "lt", "lte"),
  ...versions,
  ...times,
  ...presence,
};
const inSegments = true;

/** The 25 condition types, by what `type` says. */
export const conditionTypes = {
  app_version: {
    doc: "The version of the app.",
    subject: "app version",
    operators: { ...anyNone, ...versions },
    inSegments,
  },
  browser_name: {
    doc: "The browser, by its name.",
    subject: "browser",
    placed: "with browser",
    operators: anyNone,
    inSegments,
  },
  browser_version: {
    doc: "The version of the browser.",
    subject: "browser version",
    operators: { ...anyNone, ...versions },
    inSegments,
  },
  country: {
    doc: "The country, by its two letters.",
    subject: "country",
    ...{ placed: "in", valuesAre: "countries" },
    operators: anyNone,
    inSegments,
  },
  custom_field: {
    doc: "A field that the application sends; `field` names it.",
    subject: "field",
    operators: customField,
    needs: "field",
    inSegments,
  },
  device_model: {
    doc: "The model of the device.",
    subject: "device model",
    operators: { ...anyNone, ...contains, ...pattern, ...presence },
  },
  email: {
    doc: "The e-mail address of the user.",
    subject: "e-mail",
    operators: { ...anyNone, ...contains, ...pattern },
    inSegments,
  },
  environment_tier: {
    doc: "The environment of the key that asks.",
    subject: "environment",
    placed: "in environment",
    environment: true,
    operators: { "": "texts", ...anyNone },
    inSegments,
    names: "environments",
  },
  experiment_group: {
    doc: "The group that the unit has in an experiment. The reference shows no form: values are sent as they are.",
    subject: "experiment group",
    opaque: true,
    operators: "any",
  },
  fails_gate: {
    doc: "The unit does not pass that gate.",
    subject: "gate",
    ...{ asks: "not in", opposite: "passes_gate" },
    operators: { "": "text" },
    refersTo: "gate",
  },
  fails_segment: {
    doc: "The unit is in none of these segments.",
    subject: "segment",
    ...{ asks: "not in", opposite: "passes_segment" },
    operators: { "": "some" },
    inSegments,
    refersTo: "segment",
  },
  ip_address: {
    doc: "The address that the request comes from.",
    ...{ subject: "IP address", valuesAre: "addresses" },
    operators: anyNone,
    inSegments,
  },
  javascript: {
    doc: "A script of the console. The reference shows no form: values are sent as they are.",
    subject: "script",
    ...{ opaque: true, script: true },
    operators: "any",
  },
  locale: { doc: "The language and region.", subject: "language", operators: anyNone },
  os_name: {
    doc: "The operating system, by its name.",
    subject: "operating system",
    placed: "on",
    operators: anyNone,
    inSegments,
  },
  os_version: {
    doc: "The version of the operating system.",
    subject: "operating system version",
    operators: { ...anyNone, ...versions },
    inSegments,
  },
  passes_gate: {
    doc: "The unit passes that gate.",
    subject: "gate",
    ...{ asks: "in", opposite: "fails_gate" },
    operators: { "": "text" },
    refersTo: "gate",
  },
  passes_segment: {
    doc: "The unit is in one of these segments.",
    subject: "segment",
    ...{ asks: "in", opposite: "fails_segment" },
    operators: { "": "some" },
    inSegments,
    refersTo: "segment",
  },
  public: { doc: "Everyone.", subject: "everyone", everyone: true, operators: { "": "none" } },
  target_app: {
    doc: "The target app that asks, by its name.",
    subject: "app",
    placed: "in app",
    operators: anyNone,
    names: "targetApp",
  },
  time: {
    doc: "The time of the request, milliseconds since 1970.",
    subject: "time",
    placed: "",
    clock: true,
    operators: times,
  },
  unit_id: {
    doc: "The id of another unit; `customID` names its type.",
    subject: "id",
    operators: { ...anyNone, ...contains, ...pattern, ...presence },
    needs: "customID",
    inSegments,
  },
  url: {
    doc: "The address of the page.",
    subject: "page address",
    operators: { ...anyNone, ...contains, ...pattern },
  },
  user_agent: {
    doc: "The text by which the browser presents itself.",
    subject: "user agent",
    operators: { ...anyNone, ...contains },
  },
  user_id: { doc: "The id of the user.", subject: "id", placed: "with id", operators: anyNone, inSegments },
} as const satisfies Record<string, ConditionType>;

/** The type that says of a rule what its environments say. */
export const environmentType = "environment_tier" satisfies ConditionTypeName;

/** The type that looks at the id of the user, as one on the unit id `userID` does. */
export const userType = "user_id" satisfies ConditionTypeName;

/** The name of a condition type that is known. */
export type ConditionTypeName = keyof typeof conditionTypes;

/** Everything that is known about a condition type; undefined for one that this version does not know. */
export function conditionType(name: unknown): ConditionType | undefined {
  return typeof name === "string" && Object.hasOwn(conditionTypes, name)
    ? conditionTypes[name as ConditionTypeName]
    : undefined;
}

/** An operator as server SDKs read it with a condition type. Source: console-api/specs.md, section 4. */
export function operatorAt(type: unknown, operator: string): string {
  return conditionType(type)?.clock === true ? (conditionOperator(operator)?.ofClock ?? operator) : operator;
}

/** The shape of the target value, or undefined where the operator is unusual for the type. */
export function shapeOf(type: ConditionType, operator: string): ConditionShape | undefined {
  if (type.operators === "any") return "any";
  return Object.hasOwn(type.operators, operator) ? type.operators[operator] : undefined;
}
