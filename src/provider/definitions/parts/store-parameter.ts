import { z } from "zod";
import type { Problem } from "../../schema/define";
import { nested } from "../../schema/field";
import type { JsonObject } from "../../schema/json";
import { UNKNOWN } from "../../schema/unknown";
import { argumentName } from "../../texts/argument-names";
import { inEach, repeatedNames } from "./names";
import { text } from "./traits";

/** Source of a value -> the members that name it. All of them are needed, and no others fit. */
const sources = {
  static: ["value"],
  gate: ["gateName", "passValue", "failValue"],
  layer: ["layerName", "paramName"],
  dynamic_config: ["configName", "paramName"],
  experiment: ["experimentName", "paramName"],
} as const;

const sourceNames = Object.keys(sources) as (keyof typeof sources)[];
const values: readonly string[] = ["value", "passValue", "failValue"];
const types = ["boolean", "number", "string", "object", "array"] as const;

const value = (doc: string, wire?: string) =>
  nested(z.unknown().optional(), { doc, sameAs: "opaque", ...(wire === undefined ? {} : { wire }) });
const name = (doc: string, wire: string) => nested(z.string().optional(), { doc, wire });
const reference = (refersTo: string, doc: string, wire: string) =>
  nested(z.string().optional(), { doc, wire, refersTo });

/** A parameter of a param store. Inside a parameter, the API's names are snake_case (console-api/delivery.md, 2.2). */
export const parameter = z.object({
  name: text("The name that code asks for; unique in the store."),
  refType: nested(z.enum(sourceNames), { doc: "Where the value comes from.", wire: "ref_type" }),
  paramType: nested(z.enum(types), { doc: "JSON type of the value.", wire: "param_type" }),
  value: value("`static` only: the value, of the type in `paramType`."),
  gateName: reference("gate", "`gate` only: key of the gate that decides.", "gate_name"),
  passValue: value("`gate` only: the value for units that pass.", "pass_value"),
  failValue: value("`gate` only: the value for all others.", "fail_value"),
  layerName: reference("layer", "`layer` only: id of the layer.", "layer_name"),
  configName: reference("dynamicConfig", "`dynamic_config` only: key of the config.", "config_name"),
  experimentName: reference("experiment", "`experiment` only: key of the experiment.", "experiment_name"),
  paramName: name(
    "`layer`, `dynamic_config` and `experiment` only: the parameter that is asked there.",
    "param_name",
  ),
});

/** Findings about `parameters` that no schema can make: names given twice, members that do not fit, values of a wrong type. */
export function parameterProblems(args: JsonObject): Problem[] {
  return [...repeatedNames(args, "parameters", "parameter"), ...inEach(args, "parameters", memberProblems)];
}

function memberProblems(one: JsonObject): Problem[] {
  const source = sourceNames.find((known) => known === one.refType);
  if (source === undefined) return [];
  const needed: readonly string[] = sources[source];
  const missing = needed
    .filter((member) => isMissing(one[member]))
    .map((member) => ({
      path: [member],
      message: `missing; ${argumentName("refType")} "${source}" needs it`,
    }));
  const unsuited = [...new Set(Object.values(sources).flat())]
    .filter((member) => !needed.includes(member) && !isMissing(one[member]))
    .map((member) => ({
      path: [member],
      message: `${argumentName("refType")} "${source}" has none: leave it out; it takes ${needed.map(argumentName).join(", ")}`,
    }));
  return [...missing, ...unsuited, ...needed.flatMap((member) => typeProblems(one, member))];
}

function typeProblems(one: JsonObject, member: string): Problem[] {
  const found = one[member];
  if (!values.includes(member) || isMissing(found) || found === UNKNOWN) return [];
  const type = types.find((known) => known === one.paramType);
  const actual = Array.isArray(found) ? "array" : typeof found;
  if (type === undefined || type === actual) return [];
  return [{ path: [member], message: `found ${actual}, but ${argumentName("paramType")} is ${type}` }];
}

function isMissing(found: unknown): boolean {
  return found === undefined || found === null;
}
