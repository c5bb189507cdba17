import { z } from "zod";
import { type MeantKind, maybe, nested, type TakenShape, type Variant } from "../../schema/field";
import { isObject, type JsonObject } from "../../schema/json";
import { UNKNOWN } from "../../schema/unknown";
import type { ReferringValues } from "../../schema/used-by";
import { conditionOperators } from "./condition-operators";
import {
  type ConditionShape,
  type ConditionType,
  conditionType,
  conditionTypes,
  shapeOf,
} from "./condition-types";
import { textOrNone } from "./traits";

/** "" is taken as none (console-api/corrections.md, section 1). */
const operators = Object.keys(conditionOperators);

const types: readonly [string, ConditionType][] = Object.entries(conditionTypes);

/** Which kind a target value means, by the type of its condition. */
function meantByType(fact: "refersTo" | "names"): MeantKind {
  const of = types.flatMap(([name, type]) => (type[fact] === undefined ? [] : [[name, type[fact]]]));
  return { by: "type", of: Object.fromEntries(of), as: "condition" };
}

/** The conditions that ask for objects of a kind, by their ids. */
export function askingFor(kind: string): ReferringValues {
  const of = types.flatMap(([name, { refersTo }]) => (refersTo === kind ? [name] : []));
  return { by: "type", of, in: "targetValue" };
}

/**
 * The usual forms of conditions: for each type, operators with the same shape of target value are one form. Types that agree
 * in a form share it, so that a program may leave open which of them it means.
 */
function variantsOf(names: readonly string[]): Variant[] {
  const forms = new Map<string, Variant>();
  for (const name of names) {
    const type = conditionType(name) as ConditionType;
    for (const { when, takes } of formsOf(type)) {
      const form = JSON.stringify([when, takes, type.refersTo]);
      const types = [...(forms.get(form)?.when.type ?? []), name];
      forms.set(form, { when: { type: types, ...when }, takes });
    }
  }
  return [...forms.values()];
}

function formsOf({ operators, needs }: ConditionType): Variant[] {
  const needed: Record<string, TakenShape> = needs === undefined ? {} : { [needs]: "text" };
  if (operators === "any") return [{ when: {}, takes: { operator: "own", targetValue: "own", ...needed } }];
  return [...new Set(Object.values(operators))].map((shape) => ({
    when: { operator: Object.keys(operators).filter((one) => operators[one] === shape) },
    takes: { ...(shape === "none" ? {} : { targetValue: shape === "any" ? "own" : shape }), ...needed },
  }));
}

function conditionSchema(typeName: string, known: string[]) {
  const schema = z.object({
    type: nested(z.enum(known), { doc: "The value that the condition examines." }),
    operator: nested(z.enum(operators).nullable().optional(), {
      doc: "How it compares; which operators are usual depends on `type`.",
    }),
    targetValue: maybe(
      z.union([z.array(z.string()), z.array(z.number()), z.string(), z.number()]).nullable(),
      "The values that it compares with: an array, one text or one number, by type.",
      { unordered: true, sameAs: "text", refersTo: meantByType("refersTo"), names: meantByType("names") },
    ),
    field: textOrNone("`custom_field` only: the field compared."),
    customID: maybe(z.string().nullable(), "`unit_id` only: the unit id type.", { refersTo: "unitIdType" }),
  });
  return nested(schema, { typeName, variants: variantsOf(known) });
}

/** A condition of a gate or config rule. */
export const condition = conditionSchema("Condition", Object.keys(conditionTypes));

/** A condition of a segment rule: fewer types. */
export const segmentCondition = conditionSchema(
  "SegmentCondition",
  types.flatMap(([name, { inSegments }]) => (inSegments === true ? [name] : [])),
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

function shapeTarget(shape: ConditionShape, target: unknown): unknown {
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
