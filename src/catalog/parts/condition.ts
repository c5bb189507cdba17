import { z } from "zod";
import { type MeantKind, nested, type TakenShape, type Variant } from "../../core/field";
import { isObject, type JsonObject } from "../../core/json";
import { UNKNOWN } from "../../core/unknown";

/**
 * How a condition's target value is sent. "texts" and "values" are arrays, of strings or of strings and numbers; "text" and
 * "number" are one value; "some": one text or several; "none": there is no target value; "any": nothing is known, it passes
 * through.
 */
type Shape = "texts" | "values" | "text" | "some" | "number" | "none" | "any";

/** Facts of one condition type (console-api/conditions.md, section 2). */
interface ConditionType {
  /**
   * Usual operators, and the shape of the target value with each. "" stands for no operator. The API restricts no pairs:
   * what is not here passes through as it is said.
   */
  readonly operators: Readonly<Record<string, Shape>> | "any";
  /** The member that this type needs beside `type`. */
  readonly needs?: "field" | "customID";
  /** Segment rules take it. */
  readonly inSegments: boolean;
  /** The kind whose ids it takes. */
  readonly refersTo?: string;
  /** The kind whose names it takes. */
  readonly names?: string;
}

const anyNone = { any: "texts", none: "texts" } as const;
const contains = { str_contains_any: "texts", str_contains_none: "texts" } as const;
const presence = { is_null: "none", is_not_null: "none" } as const;
const versions = {
  version_gt: "text",
  version_gte: "text",
  version_lt: "text",
  version_lte: "text",
  version_eq: "text",
} as const;
const times = { before: "number", after: "number", on: "number" } as const;
const orders = { gt: "number", gte: "number", lt: "number", lte: "number" } as const;
const customField = {
  any: "values",
  none: "values",
  any_case_sensitive: "values",
  none_case_sensitive: "values",
  str_contains_any: "values",
  str_contains_none: "values",
  str_matches: "values",
  array_contains_any: "values",
  array_contains_none: "values",
  array_contains_all: "values",
  not_array_contains_all: "values",
  ...orders,
  ...versions,
  ...times,
  ...presence,
} as const;
const inSegments = true;

/** The 25 condition types. */
const conditionTypes = {
  app_version: { operators: { ...anyNone, ...versions }, inSegments },
  browser_name: { operators: anyNone, inSegments },
  browser_version: { operators: { ...anyNone, ...versions }, inSegments },
  country: { operators: anyNone, inSegments },
  custom_field: { operators: customField, needs: "field", inSegments },
  device_model: { operators: anyNone, inSegments: false },
  email: { operators: { ...anyNone, ...contains }, inSegments },
  // Without an operator it means "any".
  environment_tier: { operators: { "": "texts", ...anyNone }, inSegments, names: "environments" },
  experiment_group: { operators: "any", inSegments: false },
  fails_gate: { operators: { "": "text" }, inSegments: false, refersTo: "gate" },
  fails_segment: { operators: { "": "some" }, inSegments, refersTo: "segment" },
  ip_address: { operators: anyNone, inSegments },
  javascript: { operators: "any", inSegments: false },
  locale: { operators: anyNone, inSegments: false },
  os_name: { operators: anyNone, inSegments },
  os_version: { operators: { ...anyNone, ...versions }, inSegments },
  passes_gate: { operators: { "": "text" }, inSegments: false, refersTo: "gate" },
  passes_segment: { operators: { "": "some" }, inSegments, refersTo: "segment" },
  public: { operators: { "": "none" }, inSegments: false },
  target_app: { operators: anyNone, inSegments: false, names: "targetApp" },
  time: { operators: times, inSegments: false },
  unit_id: { operators: { ...anyNone, ...contains, ...presence }, needs: "customID", inSegments },
  url: { operators: { ...anyNone, ...contains, str_matches: "texts" }, inSegments: false },
  user_agent: { operators: { ...anyNone, ...contains }, inSegments: false },
  user_id: { operators: anyNone, inSegments },
} as const satisfies Record<string, ConditionType>;

/** "" is taken as none (console-api/corrections.md, section 1). */
const operators = [
  ...["any", "none", "any_case_sensitive", "none_case_sensitive"],
  ...["str_contains_any", "str_contains_none", "str_matches", "gt", "gte", "lt", "lte"],
  ...["version_gt", "version_gte", "version_lt", "version_lte", "version_eq", "after", "before", "on"],
  ...["is_null", "is_not_null", "encoded_any"],
  ...["array_contains_any", "array_contains_none", "array_contains_all", "not_array_contains_all"],
  "",
];

/** Everything that is known about a condition type; undefined for one that this version does not know. */
export function conditionType(name: unknown): ConditionType | undefined {
  return typeof name === "string" && Object.hasOwn(conditionTypes, name)
    ? conditionTypes[name as keyof typeof conditionTypes]
    : undefined;
}

/** The shape of the target value, or undefined where the operator is unusual for the type. */
export function shapeOf(type: ConditionType, operator: string): Shape | undefined {
  if (type.operators === "any") return "any";
  return Object.hasOwn(type.operators, operator) ? type.operators[operator] : undefined;
}

/** Which kind a target value means, by the type of its condition. */
function meantByType(fact: "refersTo" | "names"): MeantKind {
  const types: [string, ConditionType][] = Object.entries(conditionTypes);
  const of = types.flatMap(([name, type]) => (type[fact] === undefined ? [] : [[name, type[fact]]]));
  return { by: "type", of: Object.fromEntries(of), as: "condition" };
}

/** The usual forms of conditions: for each type, operators with the same shape of target value are one form. */
function variantsOf(names: readonly string[]): Variant[] {
  return names.flatMap((name): Variant[] => {
    const { operators, needs } = conditionType(name) as ConditionType;
    const needed: Record<string, TakenShape> = needs === undefined ? {} : { [needs]: "text" };
    if (operators === "any")
      return [{ when: { type: [name] }, takes: { operator: "own", targetValue: "own", ...needed } }];
    const shapes = [...new Set(Object.values(operators))];
    return shapes.map((shape) => {
      const operator = Object.keys(operators).filter((one) => operators[one] === shape);
      return {
        when: { type: [name], operator },
        takes: { ...(shape === "none" ? {} : { targetValue: shape === "any" ? "own" : shape }), ...needed },
      };
    });
  });
}

function conditionSchema(typeName: string, types: string[]) {
  const schema = z.object({
    type: nested(z.enum(types), { doc: "What the condition looks at." }),
    operator: nested(z.enum(operators).nullable().optional(), {
      doc: "How it compares; which operators are usual depends on `type`.",
    }),
    targetValue: nested(
      z
        .union([z.array(z.string()), z.array(z.number()), z.string(), z.number()])
        .nullable()
        .optional(),
      {
        doc: "What it compares with: an array, one text or one number, by type.",
        unordered: true,
        sameAs: "text",
        refersTo: meantByType("refersTo"),
        names: meantByType("names"),
      },
    ),
    field: nested(z.string().nullable().optional(), { doc: "`custom_field` only: the field compared." }),
    customID: nested(z.string().nullable().optional(), {
      doc: "`unit_id` only: the unit id type.",
      refersTo: "unitIdType",
    }),
  });
  return nested(schema, { typeName, variants: variantsOf(types) });
}

/** A condition of a gate or config rule. */
export const condition = conditionSchema("Condition", Object.keys(conditionTypes));

/** A condition of a segment rule: fewer types. */
export const segmentCondition = conditionSchema(
  "SegmentCondition",
  Object.entries(conditionTypes).flatMap(([name, type]) => (type.inSegments ? [name] : [])),
);

/**
 * The form in which a condition is sent and compared (console-api/conditions.md, section 3): empty members go, the
 * target value takes the shape that its type and operator ask for.
 */
export function canonicalCondition(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { targetValue, ...rest } = value;
  const canonical: JsonObject = {};
  for (const [name, member] of Object.entries(rest)) {
    if (member !== null && member !== "" && member !== undefined) canonical[name] = member;
  }
  if (canonical.type === "environment_tier" && canonical.operator === undefined) canonical.operator = "any";
  const type = conditionType(canonical.type);
  const operator = typeof canonical.operator === "string" ? canonical.operator : "";
  const shaped = shapeTarget(type === undefined ? "any" : (shapeOf(type, operator) ?? "any"), targetValue);
  if (shaped !== undefined) canonical.targetValue = shaped;
  return canonical;
}

function shapeTarget(shape: Shape, target: unknown): unknown {
  if (shape === "none" || target === null || target === undefined) return undefined;
  if (shape === "any" || target === UNKNOWN) return target;
  if (shape === "texts" || shape === "values") {
    const list = Array.isArray(target) ? target : [target];
    return shape === "texts" ? list.map((item) => (typeof item === "number" ? String(item) : item)) : list;
  }
  const one = Array.isArray(target) && target.length === 1 ? target[0] : target;
  if (shape === "text" || shape === "some") return typeof one === "number" ? String(one) : one;
  return typeof one === "string" && one.trim() !== "" && Number.isFinite(Number(one)) ? Number(one) : one;
}
