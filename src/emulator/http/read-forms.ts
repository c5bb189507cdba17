import type { ObjectDefinition } from "../../provider/schema/define";
import { equalJson, isObject, type JsonObject, kept } from "../../provider/schema/json";
import { programIdArgument } from "../../provider/schema/object-id";
import { itemsOf, type Node, propertiesOf, treeOf } from "../../provider/schema/tree";
import type { Switches } from "../console/rules/switches";

type Read = Pick<Switches, "singleTargets" | "emptyMembers" | "filledDefaults">;

/** An object in the form in which reads show it, by the switches. */
export function readForm(definition: ObjectDefinition, switches: Read, item: JsonObject): JsonObject {
  const { singleTargets, emptyMembers, filledDefaults } = switches;
  if (singleTargets === "sent" && emptyMembers === "stored" && filledDefaults === "stored") return item;
  const properties: Record<string, Node> = {};
  for (const [name, { mode, traits, node }] of Object.entries(treeOf(definition)))
    if (mode === "input" && !isVital(definition, name)) properties[traits.wire ?? name] = node;
  return formMembers(properties, switches, item, true);
}

/** True for a member that identifies an object or its state: reads always show it. */
function isVital(definition: ObjectDefinition, name: string): boolean {
  const { lifecycle } = definition as ObjectDefinition & {
    readonly lifecycle?: { readonly archived?: { readonly field: string } };
  };
  const vital = ["name", "type", "isEnabled", programIdArgument(definition), lifecycle?.archived?.field];
  return vital.includes(name);
}

function formed(node: Node, switches: Read, value: unknown): unknown {
  if (node.sameAs === "opaque") return value;
  const items = itemsOf(node);
  if (Array.isArray(value) && items !== undefined)
    return value.map((one: unknown) => formed(items, switches, one));
  const properties = propertiesOf(node);
  if (!isObject(value) || properties === undefined) return value;
  const byWire = Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [inner.wire ?? name, inner]),
  );
  return oneTarget(byWire, switches, formMembers(byWire, switches, value, false));
}

function formMembers(
  properties: Record<string, Node>,
  switches: Read,
  value: JsonObject,
  isTop: boolean,
): JsonObject {
  const shown: JsonObject = { ...value };
  for (const [member, node] of Object.entries(properties)) {
    const held = shown[member];
    if (node.serverSet !== undefined) continue;
    const { serverDefault } = node;
    const isDefault = serverDefault !== undefined && equalJson(held, serverDefault);
    if (switches.filledDefaults === "none" && isDefault) delete shown[member];
    else if (isMissing(held)) {
      const filled = switches.filledDefaults === "all" && !isMissing(serverDefault) ? serverDefault : held;
      const form = isMissing(filled) ? emptyForm(node, switches, held, isTop) : filled;
      if (form === undefined) delete shown[member];
      else shown[member] = form;
    } else shown[member] = formed(node, switches, held);
  }
  return shown;
}

/** The form of a member without a value. Only text has all three forms, and in a list of elements only what they may lack. */
function emptyForm(node: Node, { emptyMembers }: Read, held: unknown, isTop: boolean): unknown {
  const types = [node, ...(node.anyOf ?? [])].flatMap(({ type }) => type ?? []);
  const [isText, isNullable] = [types.includes("string"), types.includes("null")];
  if (emptyMembers === "stored" || !isText || !(isNullable || held === "" || held === null)) return held;
  if (node.aliasOf !== undefined || node.sameAs === "json5" || node.sameAs === "json") return held;
  if (emptyMembers === "absent") return undefined;
  if (emptyMembers === "null") return isNullable || isTop ? null : held;
  return "";
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** A condition with one target value. */
function oneTarget(properties: Record<string, Node>, { singleTargets }: Read, value: JsonObject): JsonObject {
  const { targetValue: target } = value;
  if (singleTargets === "sent" || properties.targetValue === undefined || isMissing(target)) return value;
  if (singleTargets === "list") return { ...value, targetValue: [target].flat() };
  return Array.isArray(target) && target.length === 1 ? { ...value, targetValue: target[0] } : value;
}

/** An item in a list that shows less: without nested objects. */
export function briefly(switches: Pick<Switches, "listedMembers">, item: JsonObject): JsonObject {
  if (switches.listedMembers === "all") return item;
  // Objects, and lists of objects.
  return kept(item, (_, value) => ![value].flat().some(isObject));
}
