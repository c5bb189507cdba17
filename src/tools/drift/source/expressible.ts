import { equalJson, isObject, type JsonObject } from "../../../provider/schema/json";
import { itemsOf, type Node, propertiesOf } from "../../../provider/schema/tree";
import { isNothing } from "../../../provider/values/compare";
import { fits, hasUsualForm } from "../../../provider/values/usual-form";
import { Unusual } from "./literal-text";

/** A live value as a program says it: without what only the console sets, and without what it fills in where nothing is said. What the types do not offer is marked. */
export function expressible(schema: Node, value: unknown): unknown {
  if (schema.sameAs === "opaque" || schema.typedByProgram !== undefined) return value;
  if (!isObject(value) && !fits(schema, value)) return new Unusual(value);
  if (Array.isArray(value)) return value.map((one: unknown) => expressible(itemsOf(schema) ?? {}, one));
  const properties = propertiesOf(schema);
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const own = properties === undefined ? restOf(schema) : (properties[name] ?? restOf(schema));
    if (own === undefined || isNotOurs(own, value) || inner === null || inner === undefined) return [];
    // An update that leaves out a share keeps the former one: only a new element gets the default.
    const isFilledIn = own.rollout === undefined && equalJson(inner, own.serverDefault);
    return isFilledIn ? [] : [[name, expressible(own, inner)]];
  });
  const said = Object.fromEntries(members);
  return hasUsualForm(schema, said) ? said : new Unusual(said);
}

/** The schema of members that have no schema of their own; undefined where no program can say such. */
function restOf({ properties, additionalProperties }: Node): Node | undefined {
  if (typeof additionalProperties === "object") return additionalProperties;
  return properties === undefined || additionalProperties === true ? {} : undefined;
}

/** True for what the console sets, and for the second view of what is said already. */
export function isNotOurs({ serverSet, aliasOf }: Node, beside: JsonObject): boolean {
  return serverSet !== undefined || (aliasOf !== undefined && !isNothing(beside[aliasOf]));
}
