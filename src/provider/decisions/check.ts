import { z } from "zod";
import { inputNames, type Problem, type ResourceDefinition } from "../schema/define";
import { adoptMember, isInternal, programMember } from "../schema/internal";
import { equalJson, isObject, type JsonObject } from "../schema/json";
import { memoized } from "../schema/memoized";
import { numberProblems } from "../schema/number-problems";
import { defaultName, expectedId, nameArguments, nameField, programIdArgument } from "../schema/object-id";
import { valueAt, valuesAt } from "../schema/path";
import { itemsOf, type Node, propertiesOf, treeOf } from "../schema/tree";
import { holdsUnknown, UNKNOWN } from "../schema/unknown";
import { assignment, quotedArgument } from "../texts/argument-names";
import { issueText, limitCodes, quote } from "../texts/issue-text";
import { guess } from "../texts/misspelling";
import { canonicalAll } from "../values/compare";
import { asNew, machineProblems } from "../values/machine";
import { canGo, optionsOf, optionTree } from "../values/options";
import { withConsoleOwned } from "../values/owned-arguments";
import { takesOver } from "./claim";
import { fixedChanges, isCalledOtherwise, replacedNames } from "./plan";

/** Arguments in their canonical form, or why they cannot be taken. */
export interface Checked {
  readonly inputs: JsonObject;
  readonly problems: readonly Problem[];
}

/**
 * Checks and completes the arguments of a program. `olds` are the arguments of last time, empty at creation. Values
 * that are not known yet are left alone. All problems are reported together; nothing is asked of anybody.
 */
export function check(definition: ResourceDefinition, olds: JsonObject, news: JsonObject): Checked {
  const creating = Object.keys(olds).length === 0;
  const args = completed(definition, olds, news, creating);
  const isNew = creating ? !takesOver(args) : replacedNames(definition, olds, args).length > 0;
  const checking: Checking = { definition, olds, args, creating, isNew };
  const particular = [...numberProblems(args), ...(definition.problems?.(args) ?? [])].filter(
    (one) => (isNew || one.ofCreation !== true) && !(one.ofNewValue && mayBeHeld(checking, one.path)),
  );
  // A name that the program does not say is the key, whose problems are enough.
  const key = programIdArgument(definition) ?? nameField;
  const isFromKey = (found: readonly Problem[]) =>
    key !== nameField &&
    news[nameField] === undefined &&
    news[key] !== undefined &&
    found.some(({ path }) => path[0] === key);
  // A finding of the definition is more to the point than one of its schema.
  const all = schemaProblems(checking);
  const general = all.filter(
    ({ path }) =>
      !particular.some((one) => equalJson(one.path, path)) && !(path[0] === nameField && isFromKey(all)),
  );
  const problems = [
    ...unknownArguments(definition, args),
    ...general,
    ...exclusiveProblems(definition, args),
    ...particular,
    ...(creating ? importProblems(definition, args) : refusedChanges(checking)),
    ...stateProblems(checking),
  ];
  return { inputs: problems.length > 0 ? args : canonicalAll(definition, args), problems };
}

/** The arguments of a check, completed, and what decides which limits hold. */
interface Checking {
  readonly definition: ResourceDefinition;
  readonly olds: JsonObject;
  readonly args: JsonObject;
  readonly creating: boolean;
  /** An object is made, and not taken over, kept or changed: it alone has to keep to the limits of creation. */
  readonly isNew: boolean;
}

/** Problems of a change of state. Only the engine sees the object of an adoption; a replacement begins anew. */
function stateProblems({ definition, olds, args, creating, isNew }: Checking): Problem[] {
  if (creating && args[adoptMember] !== undefined) return [];
  if (creating && args.adopt === true) return machineProblems(definition, {}, args);
  return machineProblems(definition, isNew ? asNew(definition, {}) : olds, args);
}

/** Fills in key and name. Once there, they stay what they are when the program leaves them out; a name goes with its key. */
function completed(
  definition: ResourceDefinition,
  olds: JsonObject,
  news: JsonObject,
  creating: boolean,
): JsonObject {
  const { [programMember]: note, [adoptMember]: imported, ...args } = news;
  const resourceName = isObject(note) ? note.name : undefined;
  if (creating && imported !== undefined) args[adoptMember] = imported;
  const isAnother = creating || isCalledOtherwise(definition, olds, args);
  for (const name of nameArguments(definition)) {
    if (args[name] !== undefined) continue;
    const value = isAnother ? defaultName(definition, name, args, resourceName) : olds[name];
    if (value !== undefined) args[name] = value;
  }
  return creating ? args : withConsoleOwned(definition, olds, args);
}

function unknownArguments(definition: ResourceDefinition, args: JsonObject): Problem[] {
  const tree = treeOf(definition);
  const inputs = [...inputNames(definition), ...Object.keys(optionsOf(definition))];
  const top = Object.keys(args).flatMap((name): Problem[] => {
    if (isInternal(name) || inputs.includes(name)) return [];
    if (Object.hasOwn(tree, name)) return [{ path: [name], message: "set by the console; leave it out" }];
    return [{ path: [name], message: `unknown argument${suggestion(definition, name, inputs)}` }];
  });
  const inner = inputNames(definition).flatMap((name) =>
    unknownMembers(tree[name]?.node ?? {}, args[name], [name]),
  );
  const inOptions = Object.keys(optionsOf(definition))
    .filter((name) => isObject(args[name]))
    .flatMap((name) => unknownMembers(optionTree(definition)[name]?.node ?? {}, args[name], [name]));
  return [...top, ...inner, ...inOptions];
}

function unknownMembers(node: Node, value: unknown, path: (string | number)[]): Problem[] {
  if (value === UNKNOWN || node.sameAs === "opaque" || node.valueType?.isCanonical(value)) return [];
  if (Array.isArray(value)) {
    const items = itemsOf(node);
    return items === undefined
      ? []
      : value.flatMap((item, index) => unknownMembers(items, item, [...path, index]));
  }
  const properties = propertiesOf(node);
  if (!isObject(value) || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const inside = Object.hasOwn(properties, name) ? properties[name] : undefined;
    // An empty id is none: other tools say so of what is new (console-api/corrections.md, section 1).
    if (member === undefined || (member === "" && inside?.serverSet === "identity")) return [];
    if (inside === undefined)
      return [
        {
          path: [...path, name],
          message: `unknown argument${guess(name, Object.keys(properties), quotedArgument)}`,
        },
      ];
    if (inside.serverSet !== undefined)
      return [{ path: [...path, name], message: "set by the console; leave it out" }];
    return unknownMembers(inside, member, [...path, name]);
  });
}

function suggestion(definition: ResourceDefinition, name: string, known: string[]): string {
  const byWire = known.find((one) => definition.fields[one]?.traits.wire === name);
  return byWire === undefined
    ? guess(name, known, quotedArgument)
    : `; did you mean ${quotedArgument(byWire)}?`;
}

function schemaProblems(checking: Checking): Problem[] {
  const { definition, args } = checking;
  const plain = { ...args };
  for (const [name, { traits }] of Object.entries(definition.fields)) {
    // A canonical value was checked when an earlier check made it.
    if (traits.valueType?.isCanonical(args[name])) delete plain[name];
  }
  const result = argumentSchema(definition).safeParse(plain);
  if (result.success) return [];
  const problems = result.error.issues.flatMap((issue) => issueProblems(checking, issue, []));
  // A name that follows from the key has the same problem, reported once.
  const [key = "", name = ""] = nameArguments(definition);
  const ofKey = problems.filter(({ path }) => path[0] === key).map(({ message }) => message);
  const isTold = ({ path, message }: Problem) =>
    path[0] === name && args[name] === args[key] && ofKey.includes(message);
  return problems.filter((one) => !isTold(one));
}

/** True for a value that the object has, or that one which is taken over may have. */
function mayBeHeld({ olds, args, creating, isNew }: Checking, path: Problem["path"]): boolean {
  if (creating) return !isNew;
  // State may have one element without its list.
  const place = typeof path.at(-1) === "number" ? path.slice(0, -1) : path;
  return valuesAt(olds, place)
    .flat()
    .some((one) => equalJson(one, valueAt(args, path)));
}

/**
 * True for a finding about a value that may well be what is there: people make objects in the console to which the limits of
 * creation never applied, with values that this version does not know.
 */
function mayBeThere(
  { definition, olds, creating, isNew }: Checking,
  { code }: z.core.$ZodIssue,
  path: Problem["path"],
  found: unknown,
): boolean {
  const isLimit = limitCodes.has(code);
  if (found === undefined || !(isLimit || (code === "invalid_value" && typeof found === "string")))
    return false;
  const adopts = !isNew && creating;
  const node = treeOf(definition)[String(path[0])]?.node;
  if (!isNew && isLimit && node?.limitedAtCreation === true) return true;
  return (adopts && !isLimit) || valuesAt(olds, path).some((one) => equalJson(one, found));
}

function issueProblems(checking: Checking, issue: z.core.$ZodIssue, above: Problem["path"]): Problem[] {
  const path = [...above, ...issue.path.map((step) => (typeof step === "number" ? step : String(step)))];
  const found = valueAt(checking.args, path);
  if (found === UNKNOWN || (issue.code === "invalid_union" && holdsUnknown(found))) return [];
  const inner = issue.code === "invalid_union" ? innerIssues(issue) : [];
  if (inner.length > 0) return inner.flatMap((one) => issueProblems(checking, one, path));
  if (mayBeThere(checking, issue, path, found)) return [];
  return [{ path, message: issueText(issue, found) }];
}

/** Issues inside the alternative that fits a value best; none where no alternative fits even from outside. */
function innerIssues(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] {
  const fitting = issue.errors.filter((branch) => branch.every(({ path }) => path.length > 0));
  return fitting.sort((a, b) => a.length - b.length)[0] ?? [];
}

const argumentSchema = memoized((definition: ResourceDefinition): z.ZodType => {
  const fields = Object.entries({ ...definition.fields, ...optionsOf(definition) });
  const inputs = fields.filter(([, { mode }]) => mode !== "output");
  return z.object(Object.fromEntries(inputs.map(([name, { schema }]) => [name, schema])));
});

function exclusiveProblems(definition: ResourceDefinition, args: JsonObject): Problem[] {
  return (definition.exclusive ?? []).flatMap((group) => {
    // An argument that is not known yet may turn out to be unset.
    const given = group.filter((name) => args[name] !== undefined && args[name] !== UNKNOWN);
    const [first, second] = given;
    // Two forms of nothing say the same.
    if (first === undefined || second === undefined || given.every((name) => args[name] === null)) return [];
    return [{ path: [second], message: `given beside ${quotedArgument(first)}; set one of the two` }];
  });
}

function importProblems(definition: ResourceDefinition, args: JsonObject): Problem[] {
  const argument = programIdArgument(definition);
  if (argument === undefined) return [];
  const called = args[argument];
  if (args.__adopt === undefined || typeof called !== "string" || args.__adopt === UNKNOWN) return [];
  const id = expectedId(definition, args);
  if (id === undefined || id === args.__adopt || id.includes(UNKNOWN)) return [];
  const message = `${quote(called)} is not the object to import, which is ${quote(args.__adopt)}; make them agree or remove the import option`;
  return [{ path: [argument], message }];
}

function refusedChanges({ definition, olds, args, isNew }: Checking): Problem[] {
  if (args.onImmutableChange === "replace" || args.onImmutableChange === UNKNOWN) return [];
  // A new object, which another key demands already, takes every argument.
  if (isNew) return [];
  const otherwise = canGo(definition)
    ? `, or set ${assignment("onImmutableChange", "replace")} to delete the ${definition.title} and create it anew`
    : "";
  return fixedChanges(definition, olds, args).map(({ name, from, to }) => ({
    path: [name],
    message: `cannot change from ${quote(from)} to ${quote(to)}: the console's API sets it at creation only. Put ${quote(from)} back${otherwise}`,
  }));
}
