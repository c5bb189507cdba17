import { fieldsWith } from "../../../provider/schema/define";
import { equalJson, isObject } from "../../../provider/schema/json";
import { holdsNode, itemsOf, type Node, propertiesOf, treeOf } from "../../../provider/schema/tree";
import { isHidden, valueChangesBesideSecrets } from "../../../provider/words";
import type { ArgumentChange, Reason } from "../review";
import { isFirst, type Subject } from "../subjects";
import { reason } from "./end-reasons";
import type { ReasonGround } from "./reason-ground";
import { secretChange } from "./secret-changes";
import { isState, rotationOf } from "./state-moves";

/** Reasons that follow from changed values, beside rules, shares and states. */
export function valueReasons({ subject, said }: ReasonGround): Reason[] {
  if (subject.act === "create") return [];
  return said.values.flatMap((row) => [
    ...reasonsOfValue(subject, row),
    ...secretReasons(subject, row),
    ...rotationReasons(subject, row),
  ]);
}

/** Another value of a key: whoever has the old one has to change it, before or after. */
function rotationReasons(subject: Subject, { argument }: ArgumentChange): Reason[] {
  const rotation = rotationOf(subject, argument);
  return rotation === undefined ? [] : [reason("secret", rotation.keeps ? "medium" : "high", rotation.text)];
}

function secretReasons({ before, changes, changedPaths }: Subject, { argument }: ArgumentChange): Reason[] {
  const sides = [before[argument], changes[argument]] as const;
  if (!sides.some(isHidden)) return [];
  const { what, places } = secretChange(argument, sides, changedPaths);
  if (what === "stays") return [];
  const isSure = what === "changes" || valueChangesBesideSecrets(...sides).length === 0;
  const where = places.map((place) => [argument, place].filter(Boolean).join(".")).join(", ");
  const text = `a secret ${isSure ? "changes" : "may change too"}: ${where || argument}`;
  return [reason("secret", "medium", text)];
}

function reasonsOfValue(subject: Subject, row: ArgumentChange): Reason[] {
  const { definition, before, changes } = subject;
  if (isFirst(before)) return [];
  const { argument } = row;
  const facts = definition.fields[argument]?.traits;
  const sides = [before[argument], changes[argument]];
  const isOnlySecret = sides.some(isHidden) && valueChangesBesideSecrets(sides[0], sides[1]).length === 0;
  if (isState(definition, argument) || facts?.share === true || isOnlySecret) return [];
  if (definition.fields[facts?.aliasOf ?? argument]?.traits.typedByProgram === "whole")
    return [otherValue(subject)];
  if (facts?.valueType !== undefined) return [reason("audience", "medium", "other units belong to it")];
  const groups = isSharedOut(changes[argument]) ? [reason("results", "low", "its groups change")] : [];
  return changesValue(treeOf(definition)[argument]?.node, row, groups.length > 0)
    ? [reason("value", "medium", "what units get by it changes"), ...groups]
    : groups;
}

/** The reason for a change of the value that units without a rule get. */
function otherValue({ definition, program = {} }: Subject): Reason {
  const lists = fieldsWith(definition, ({ traits }) => traits.namedList === true);
  const hasRules = lists.some((name) => program[name] !== undefined && !equalJson(program[name], []));
  const text = hasRules
    ? "whoever gets no value by a rule gets another one"
    : "everyone gets another value: no rule gives one";
  return reason("value", "medium", text);
}

const holdsValue = holdsNode(isValue);

/** True for a value that units get: one that the program types, or an object that gives one. */
function isValue({ typedByProgram, sameAs }: Node): boolean {
  return typedByProgram !== undefined || sameAs === "opaque";
}

/** True where a value inside an element of a list changes: of a parameter, of a group. */
function changesValue(node: Node | undefined, { place = "" }: ArgumentChange, isShare: boolean): boolean {
  const items = node === undefined ? undefined : itemsOf(node);
  if (items === undefined || !holdsValue(items)) return false;
  const [, member] = place.split(".");
  if (member === undefined) return !isShare;
  const properties = propertiesOf(items) ?? {};
  const inside = properties[member];
  // Of an element that gives values by name, the place names the value.
  if (inside === undefined) return Object.values(properties).some(isValue);
  return isValue(inside) || inside.refersTo !== undefined;
}

/** True for elements that units are shared out to. */
function isSharedOut(value: unknown): boolean {
  return Array.isArray(value) && value.some((one) => isObject(one) && typeof one.size === "number");
}
