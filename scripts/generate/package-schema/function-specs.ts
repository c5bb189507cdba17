import { pathParameters } from "../../../src/provider/client/route-path";
import type { ObjectDefinition } from "../../../src/provider/schema/define";
import type { Route } from "../../../src/provider/schema/verbs";
import { hasIdField, idRemark } from "../interfaces";
import { type LookupModel, type LookupResult, listsLess } from "../lookups";
import { withArticle } from "../names";
import { type KindModel, modelOf, shownFields } from "../shapes";
import type { NamedTypes } from "./named-types";
import { membersSpec, objectRef } from "./object-specs";
import { stateMembers } from "./resource-specs";
import type { FunctionSpec, ObjectSpec, PropertySpec, TypeSpec } from "./spec";
import { anything, listOf } from "./value-specs";

type Members = Omit<ObjectSpec, "description">;

/** A lookup. `answers`: those that have no kind. */
export function functionSpec(
  types: NamedTypes,
  { route, found }: LookupModel,
  answers: KindModel<ObjectDefinition>,
): FunctionSpec {
  const inputs = inputsOf(route);
  return {
    description: route.doc,
    ...(Object.keys(inputs.properties).length === 0 ? {} : { inputs }),
    outputs: route.returns === "items" ? listSpec(types, found, answers) : itemSpec(types, found, answers),
  };
}

function inputsOf({ method, path, query = [] }: Route): Members {
  const parameters = pathParameters(path);
  const filled = parameters.map((name): [string, PropertySpec] => [
    name,
    { type: "string", description: `Takes the place of \`{${name}}\` in \`${method} ${path}\`.` },
  ]);
  const filters = query.map((name): [string, PropertySpec] => [name, filter]);
  return {
    type: "object",
    properties: Object.fromEntries([...filled, ...filters]),
    required: parameters,
  };
}

const filter: PropertySpec = {
  ...anything,
  description:
    "A filter of the console: a text, a number, true or false, or a list of texts, one of which must fit.",
};

/** A function of Pulumi returns an object: the elements of a list are its `items`. */
function listSpec(types: NamedTypes, found: LookupResult, answers: KindModel<ObjectDefinition>): Members {
  const items = listOf(elementRef(types, found, answers));
  return {
    type: "object",
    properties: { items: { ...items, description: "The elements of every page." } },
    required: ["items"],
  };
}

function elementRef(
  types: NamedTypes,
  { kind, answer = "" }: LookupResult,
  answers: KindModel<ObjectDefinition>,
): TypeSpec {
  if (kind !== undefined) return resultRef(types, kind);
  const shape = answers.shapes[answer];
  return shape === undefined ? anything : objectRef(types, shape, answers.fields[answer]?.traits.doc);
}

/** The type of an element of a list. */
function resultRef(types: NamedTypes, kind: ObjectDefinition): TypeSpec {
  return types.ref(`${kind.kind}Result`, `the result ${kind.kind}`, () => {
    const members = resultMembers(types, kind);
    return {
      description: `The values that the console returns for ${withArticle(kind.title)}.`,
      ...members,
      required: listsLess(kind) ? ["id"] : members.required,
    };
  });
}

function itemSpec(
  types: NamedTypes,
  { kind, answer = "" }: LookupResult,
  answers: KindModel<ObjectDefinition>,
): Members {
  if (kind !== undefined) return answerMembers(resultMembers(types, kind));
  const shape = answers.shapes[answer];
  if (shape !== undefined) return answerMembers(membersSpec(types, shape));
  const value = { ...anything, description: "The answer of the console." };
  return { type: "object", properties: { value }, required: ["value"] };
}

/**
 * The outputs of a function: Pulumi's Python refuses each that is not of its type, and takes a value of several types for an object. So
 * each has its first type: text where usual values are named, and a number where a time may be either.
 */
function answerMembers(members: Members): Members {
  const single = Object.entries(members.properties).map(([name, property]): [string, PropertySpec] => {
    const { oneOf: forms = [], ...rest } = property;
    const type = forms[0]?.type;
    return [name, type === undefined ? property : { type, ...rest }];
  });
  return { ...members, properties: Object.fromEntries(single) };
}

/** What reads show of an object, and its id. */
function resultMembers(types: NamedTypes, kind: ObjectDefinition): Members {
  const model = modelOf(kind);
  const { properties, required } = stateMembers(types, model, Object.fromEntries(shownFields(model)));
  if (hasIdField(model)) return { type: "object", properties, required };
  const id = { type: "string", description: idRemark };
  return { type: "object", properties: { id, ...properties }, required: ["id", ...required] };
}
