import type { ObjectDefinition } from "../../src/provider/schema/define";
import type { AuditRole, Field, MeantKind } from "../../src/provider/schema/field";
import { itemsOf, type Node, treeOf } from "../../src/provider/schema/tree";
import { alternatives, objectsWithin } from "./schema";
import { type Slip, type Surroundings, unknownName } from "./slip";

/** What is wrong with the facts of fields, at any depth. */
export function fieldSlips(definition: ObjectDefinition, around: Surroundings): Slip[] {
  // A name of an element and its id are two forms of one member.
  const wires = Object.entries(definition.fields).flatMap(([name, { traits }]) =>
    traits.idOf === undefined ? [traits.wire ?? name] : [],
  );
  return Object.entries(treeOf(definition)).flatMap(([name, { node, traits }]) => {
    const path = `fields.${name}`;
    const field = definition.fields[name] as Field;
    const wire = traits.wire ?? name;
    const twice = wires.filter((other) => other === wire).length > 1;
    return [
      ...(twice ? [{ path, message: `another field has the wire name ${JSON.stringify(wire)} too` }] : []),
      ...valueSlips(path, field),
      ...flagSlips(path, definition, field),
      ...historySlips(path, definition, field),
      ...forgottenSlips(path, name, field, around),
      ...keySlips(`${path}.ofKey`, node, field),
      ...nodeSlips(path, node, {}, around),
    ];
  });
}

/** Values that are written into the object: each has to be one that the field can have. */
function valueSlips(path: string, { schema, traits }: Field): Slip[] {
  return (["clearWith", "serverDefault"] as const).flatMap((fact): Slip[] => {
    const value = traits[fact];
    // A console may show null for what it has not got, whether or not a program may say so.
    if (value === undefined || (fact === "serverDefault" && value === null)) return [];
    const parsed = schema.safeParse(value);
    if (parsed.success) return [];
    return [{ path: `${path}.${fact}`, message: `${JSON.stringify(value)} is no value of the field` }];
  });
}

function flagSlips(path: string, definition: ObjectDefinition, { traits }: Field): Slip[] {
  const flag = traits.growsWhile;
  if (flag === undefined || definition.fields[flag]?.schema.safeParse(true).success !== false) return [];
  return [
    { path: `${path}.growsWhile`, message: `${JSON.stringify(flag)} is no field that is true or false` },
  ];
}

/** A value that each field of an object's history has to take, and what it is called. */
const examples: Readonly<Record<AuditRole, readonly [example: unknown, form: string]>> = {
  ...{ version: [1, "a number"], created: [1, "a number"], changed: [1, "a number"] },
  ...{ madeBy: [null, "null"], changedBy: [null, "null"], madeById: ["", "text"] },
};

/** What tells of an object's history: each thing is told once, and in the form in which shared code reads it. */
function historySlips(path: string, definition: ObjectDefinition, { schema, traits }: Field): Slip[] {
  const { audit } = traits;
  if (audit === undefined) return [];
  const slips: Slip[] = [];
  const tellers = Object.values(definition.fields).filter((field) => field.traits.audit === audit);
  if (tellers.length > 1)
    slips.push({ path: `${path}.audit`, message: `another field tells ${JSON.stringify(audit)} too` });
  const [example, form] = examples[audit];
  if (!schema.safeParse(example).success)
    slips.push({ path: `${path}.audit`, message: `${JSON.stringify(audit)} is told by ${form}` });
  return slips;
}

/** Who writes a time once more by hand may forget what it tells, and then its kind would count as one that shows none. */
function forgottenSlips(
  path: string,
  name: string,
  { traits }: Field,
  { definitions }: Surroundings,
): Slip[] {
  const elsewhere = Object.values(definitions).flatMap(({ fields }) => fields[name]?.traits.audit ?? []);
  if (traits.audit !== undefined || elsewhere[0] === undefined) return [];
  return [{ path: `${path}.audit`, message: `in other kinds it tells ${JSON.stringify(elsewhere[0])}` }];
}

function keySlips(path: string, node: Node, { schema, traits: { ofKey } }: Field): Slip[] {
  if (ofKey === undefined) return [];
  const members = objectsWithin(node).flatMap(({ node: { properties } }) => Object.keys(properties));
  const slips = Object.keys(ofKey).flatMap((member) => unknownName(path, member, members, "member"));
  if (!schema.safeParse(ofKey).success)
    slips.push({ path, message: `${JSON.stringify(ofKey)} is no value of the field` });
  return slips;
}

/** Facts of a value and of all inside it. `siblings`: the members of the object that holds it. */
function nodeSlips(
  path: string,
  node: Node,
  siblings: Readonly<Record<string, Node>>,
  around: Surroundings,
): Slip[] {
  const objects = objectsWithin(node);
  const inner = objects.flatMap(({ node: { properties }, inArray }) =>
    Object.entries(properties).flatMap(([name, member]) => [
      ...nodeSlips(`${path}${inArray ? "[]" : ""}.${name}`, member, properties, around),
      ...(member.aliasOf === undefined
        ? []
        : unknownName(`${path}.${name}.aliasOf`, member.aliasOf, Object.keys(properties), "member")),
    ]),
  );
  return [
    ...meaningSlips(`${path}.refersTo`, node.refersTo, siblings, around),
    ...meaningSlips(`${path}.names`, node.names, siblings, around),
    ...meaningSlips(`${path}[].refersTo`, itemsOf(node)?.refersTo, siblings, around),
    ...meaningSlips(`${path}[].names`, itemsOf(node)?.names, siblings, around),
    ...listSlips(path, node),
    ...inner,
  ];
}

function listSlips(path: string, node: Node): Slip[] {
  const elements = objectsWithin(node).filter(({ inArray }) => inArray);
  const members = elements.map(({ node: { properties } }) => Object.keys(properties));
  const key = node.keyedBy ?? (isNamedList(node) ? "name" : undefined);
  if (key !== undefined && members.length === 0)
    return [{ path: `${path}.keyedBy`, message: "its elements are no objects" }];
  const missing =
    key === undefined ? [] : members.flatMap((names) => unknownName(path, key, names, "member"));
  const isList = alternatives(node).forms.some(({ type }) => type === "array" || type === undefined);
  if (node.unordered && !isList) missing.push({ path: `${path}.unordered`, message: "it is no array" });
  return missing;
}

function isNamedList(node: Node): boolean {
  return (node as { namedList?: true }).namedList === true;
}

function meaningSlips(
  path: string,
  meant: MeantKind | undefined,
  siblings: Readonly<Record<string, Node>>,
  { kinds }: Surroundings,
): Slip[] {
  if (meant === undefined) return [];
  if (typeof meant === "string") return unknownName(path, meant, kinds, "kind");
  return [
    ...unknownName(`${path}.by`, meant.by, Object.keys(siblings), "member"),
    ...Object.entries(meant.of).flatMap(([value, kind]) =>
      unknownName(`${path}.of.${value}`, kind, kinds, "kind"),
    ),
  ];
}
