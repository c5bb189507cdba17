import { outputNames } from "../../../src/provider/schema/audit";
import type { ObjectDefinition } from "../../../src/provider/schema/define";
import { nameArguments } from "../../../src/provider/schema/object-id";
import type { Tree, TreeField } from "../../../src/provider/schema/tree";
import { isAlwaysInState } from "../interfaces";
import { argumentRemarks, changeEffect, nodeRemarks } from "../remarks";
import { argumentsOf, type KindModel } from "../shapes";
import type { NamedTypes } from "./named-types";
import type { Properties, PropertySpec, ResourceSpec } from "./spec";
import { argumentSpec, memberName, stateSpec } from "./value-specs";

/** A kind that programs make: its arguments, and its state. */
export function resourceSpec(types: NamedTypes, model: KindModel): ResourceSpec {
  const { definition, fields } = model;
  const outputs = outputNames(definition).map((name) => [name, fields[name] as TreeField] as const);
  return {
    description: definition.doc,
    ...stateMembers(types, model, Object.fromEntries(outputs)),
    inputProperties: argumentSpecs(types, model),
    requiredInputs: argumentsOf(model).flatMap(([name, { optional }]) => (optional ? [] : [name])),
  };
}

/** The arguments of a kind, options among them. */
export function argumentSpecs(types: NamedTypes, model: KindModel): Properties {
  return Object.fromEntries(
    argumentsOf(model).map(([name, field]) => [name, inputSpec(types, model, name, field)]),
  );
}

/** Members of a state, and which of them are always there. */
export function stateMembers(
  types: NamedTypes,
  model: KindModel<ObjectDefinition>,
  members: Tree,
): { properties: Properties; required: string[] } {
  const naming = nameArguments(model.definition);
  const entries = Object.entries(members);
  return {
    properties: Object.fromEntries(
      entries.map(([name, field]) => [name, outputSpec(types, model, name, field)]),
    ),
    required: entries.filter(([name, field]) => isAlwaysInState(name, field, naming)).map(([name]) => name),
  };
}

function outputSpec(
  types: NamedTypes,
  model: KindModel<ObjectDefinition>,
  name: string,
  field: TreeField,
): PropertySpec {
  return {
    ...stateSpec(types, namedOf(model, name, field)),
    description: field.traits.doc,
    ...marksOf(field),
  };
}

function inputSpec(types: NamedTypes, model: KindModel, name: string, field: TreeField): PropertySpec {
  // An option has no value in the console, so nothing is to say about changes.
  const isOption = name in model.options;
  const remarks = isOption ? nodeRemarks(field.node) : argumentRemarks(model.definition, field);
  return {
    ...argumentSpec(types, namedOf(model, name, field)),
    description: remarks.join(" "),
    ...marksOf(field),
    ...(changeEffect(field) === "replaces" ? { willReplaceOnChanges: true } : {}),
  };
}

function namedOf({ definition, shapes }: KindModel<ObjectDefinition>, name: string, { node }: TreeField) {
  return { node, shape: shapes[name], name: memberName(definition.kind, name) };
}

function marksOf({ node, traits }: TreeField): Pick<PropertySpec, "secret" | "deprecationMessage"> {
  return {
    ...(traits.secret === true ? { secret: true } : {}),
    ...(node.useInstead === undefined ? {} : { deprecationMessage: node.useInstead }),
  };
}
