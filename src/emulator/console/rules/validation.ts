import { z } from "zod";
import {
  acceptedFields,
  type ObjectDefinition,
  type Problem,
  wireName,
} from "../../../provider/schema/define";
import type { FieldMessage } from "../../../provider/schema/errors";
import { isObject, type JsonObject } from "../../../provider/schema/json";
import { valueAt, valuesAt } from "../../../provider/schema/path";
import { treeOf } from "../../../provider/schema/tree";
import type { FieldsBody, Route } from "../../../provider/schema/verbs";
import { fromWire, toWire, wirePath } from "../../../provider/schema/wire-names";
import { limitCodes } from "../../../provider/texts/issue-text";
import { typeName, wordIssues } from "../../http/wording";
import { invalid } from "./outcomes";

/**
 * The body as the operation may use it: checked against the definition, by the API's names, without members that the
 * operation does not know. An absent body counts as `{}`. Throws a 400 that names every finding.
 */
export function checkBody(
  definition: ObjectDefinition,
  route: Route,
  body: unknown,
  held: Held = "nothing",
): unknown {
  if (route.body === undefined) return {};
  const sent = body === undefined ? {} : body;
  return "schema" in route.body
    ? checkOwn(route.body.schema, sent)
    : checkFields(definition, route, route.body, sent, held);
}

/**
 * The object that a body changes, by the API's names: it may have values that no schema knows, and takes them back as they
 * are. "anything": a seed says what is there, whatever it is.
 */
export type Held = JsonObject | "nothing" | "anything";

/** Findings that matter: a choice that no schema knows may be what is there. */
export function findingsOf(
  definition: ObjectDefinition,
  name: string,
  sent: unknown,
  issues: readonly z.core.$ZodIssue[],
  held: Held,
): readonly z.core.$ZodIssue[] {
  if (held === "nothing") return issues;
  const isFree = held === "anything" && treeOf(definition)[name]?.node.limitedAtCreation === true;
  const known = held === "anything" ? undefined : fromWire(definition, held)[name];
  return issues.filter((issue) => {
    const path = issue.path as (string | number)[];
    const found = valueAt(sent, path);
    if (isFree && limitCodes.has(issue.code)) return false;
    if (issue.code !== "invalid_value" || typeof found !== "string") return true;
    return held !== "anything" && !valuesAt(known, path).includes(found);
  });
}

function checkOwn(schema: z.ZodType, body: unknown): unknown {
  const result = schema.safeParse(body, { reportInput: true });
  if (!result.success) throw invalid(wordIssues(result.error.issues, []));
  return result.data;
}

function checkFields(
  definition: ObjectDefinition,
  route: Route,
  shape: FieldsBody,
  body: unknown,
  held: Held,
): JsonObject {
  if (!isObject(body))
    throw invalid([{ property: "", errorMessage: `Expected object, received ${typeName(body)}` }]);
  const findings: FieldMessage[] = refusedMembers(definition, shape, body, held);
  const values: JsonObject = {};
  const named = fromWire(definition, body);
  for (const name of acceptedFields(definition, route)) {
    const member = wireName(definition, name);
    const schema = definition.fields[name]?.schema;
    if (schema === undefined) continue;
    const sent = named[name];
    if (sent === undefined) {
      if (shape.requires?.includes(name)) findings.push({ property: member, errorMessage: "Required" });
      continue;
    }
    const result = schema.safeParse(sent, { reportInput: true });
    const issues = result.success ? [] : findingsOf(definition, name, sent, result.error.issues, held);
    if (issues.length === 0) values[name] = result.success ? result.data : sent;
    else findings.push(...inWireNames(definition, name, wordIssues(issues, [])));
  }
  const dryRun = route.dryRun ? { dryRun: z.boolean() } : {};
  for (const [name, schema] of Object.entries({ ...shape.otherForm, ...dryRun })) {
    const sent = body[wireName(definition, name)];
    if (sent === undefined) continue;
    const result = schema.safeParse(sent, { reportInput: true });
    if (result.success) values[name] = result.data;
    else findings.push(...wordIssues(result.error.issues, [wireName(definition, name)]));
  }
  if (findings.length > 0) throw invalid(findings);
  return toWire(definition, values);
}

/**
 * Throws a 400 for what no schema can find, such as parameters whose values are not of their types. The texts are ours.
 */
export function refuseProblems(
  definition: ObjectDefinition & { problems(args: JsonObject): Problem[] },
  sent: JsonObject,
): void {
  const findings = definition.problems(fromWire(definition, sent)).map(({ path, message }) => ({
    property: wirePath(definition, path).join("."),
    errorMessage: message,
  }));
  if (findings.length > 0) throw invalid(findings);
}

/** Findings about a field, whose nested members may have other names here. */
function inWireNames(definition: ObjectDefinition, name: string, found: FieldMessage[]): FieldMessage[] {
  return found.map(({ property, errorMessage }) => {
    const steps = property === "" ? [] : property.split(".");
    const path = steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    return { property: wirePath(definition, [name, ...path]).join("."), errorMessage };
  });
}

/** An object may be called by its own name: other clients send it along (console-api/corrections-2.md, section 5). */
function refusedMembers(
  definition: ObjectDefinition,
  shape: FieldsBody,
  body: JsonObject,
  held: Held,
): FieldMessage[] {
  const ownName = isObject(held) ? held.name : undefined;
  return (shape.refuses ?? [])
    .map((name) => wireName(definition, name))
    .filter((member) => Object.hasOwn(body, member) && (member !== "name" || body.name !== ownName))
    .map((property) => ({ property, errorMessage: "Invalid literal value, expected undefined" }));
}
