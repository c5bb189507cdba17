import { nameOf } from "../engine";
import { idListNames, numberOfIds } from "../id-lists/value-type";
import { namedPartLists, type ResourceDefinition, secretNames } from "../schema/define";
import { isObject, type JsonObject, kept, mapped } from "../schema/json";
import { expectedId } from "../schema/object-id";
import { itemsOf, type Node, propertiesOf, treeOf } from "../schema/tree";
import { holdsUnknown, UNKNOWN } from "../schema/unknown";
import { argumentName, snakeCase } from "../texts/argument-names";
import { countOf } from "../texts/count-text";
import { hiddenMember } from "../values/hidden-state";
import { optionsOf } from "../values/options";
import { withKnownIds } from "../values/server-set-members";
import { formOf } from "../values/usual-form";

/** The id that a create will return; undefined where the console generates it, or nobody knows it yet. */
export function previewedId(definition: ResourceDefinition, args: JsonObject): string | undefined {
  const id = expectedId(definition, args);
  return holdsUnknown(id) ? undefined : id;
}

/**
 * The state after a write, as far as a preview knows it: what the program sets is known, and in an update what no write changes. Even
 * a documented default is not known, because settings of a project or a team may take its place. `state`: before an update.
 */
export function previewedState(
  definition: ResourceDefinition,
  args: JsonObject,
  state: JsonObject = {},
): JsonObject {
  const values: JsonObject = {};
  for (const [name, { mode, traits }] of Object.entries(definition.fields)) {
    const lasts = traits.secret === true || traits.audit === "created" || traits.audit === "madeBy";
    const known = mode !== "output" ? args[name] : lasts ? state[name] : undefined;
    values[name] = known ?? UNKNOWN;
  }
  for (const name of namedPartLists(definition))
    values[name] = withKnownIds(definition, name, values[name], state[name]);
  for (const name of Object.keys(optionsOf(definition)))
    if (args[name] !== undefined) values[name] = args[name];
  return values;
}

/**
 * Arguments in which members in snake_case have the names of the reference. Pulumi's package for Python types the members of each dict
 * so, and translates those of one possible type alone: a condition has one of many.
 */
export function withReferenceNames(definition: ResourceDefinition, args: JsonObject): JsonObject {
  const tree = treeOf(definition);
  return mapped(args, (value, name) => renamed(tree[name]?.node, value));
}

function renamed(node: Node | undefined, value: unknown): unknown {
  if (node === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(itemsOf(node), item));
  if (!isObject(value)) return value;
  const properties = propertiesOf(node);
  // An object without fixed members is the user's own.
  if (properties === undefined) return value;
  const entries = Object.entries(value).map(([name, member]) => {
    const known = Object.hasOwn(properties, name)
      ? name
      : Object.keys(properties).find((one) => snakeCase(one) === name);
    const isFree = known !== undefined && (known === name || !Object.hasOwn(value, known));
    return isFree ? [known, renamed(properties[known], member)] : [name, member];
  });
  return Object.fromEntries(entries);
}

/** Arguments for the program that `pulumi import` prints, as the types of the package have them: a list where a type is one. */
export function printedArguments(definition: ResourceDefinition, args: JsonObject): JsonObject {
  const tree = treeOf(definition);
  return mapped(args, (value, name) => listed(tree[name]?.node ?? {}, value));
}

function listed(node: Node, value: unknown): unknown {
  if (node.sameAs === "string-or-array" && typeof value === "string") return [value];
  if (Array.isArray(value)) return value.map((one) => listed(itemsOf(node) ?? {}, one));
  const properties = propertiesOf(node);
  if (!isObject(value) || properties === undefined) return value;
  const taken = formOf(node, value)?.takes ?? {};
  return mapped(value, (member, name) => {
    const isList = ["some", "texts", "values"].includes(taken[name] ?? "");
    return isList ? [member].flat() : listed(properties[name] ?? {}, member);
  });
}

/**
 * The members of a state that are secrets: those of the kind, those that the program gives as secrets, and the other forms in which
 * the console returns these.
 */
export function secretMembers(definition: ResourceDefinition, given: ReadonlySet<string>): Set<string> {
  const fields = Object.entries(definition.fields);
  const echoes = fields.flatMap(([name, { traits }]) => {
    const { aliasOf = name } = traits;
    return aliasOf !== name && (given.has(name) || given.has(aliasOf)) ? [name, aliasOf] : [];
  });
  // Hashes of ids are hidden, and lead to short ids.
  const hidden = idListNames(definition).some((name) => given.has(name)) ? [hiddenMember] : [];
  return new Set([...secretNames(definition), ...given, ...echoes, ...hidden]);
}

/** Arguments of an import without sets of ids, whose digests no program can set, and a line about each set. */
export function withoutIds(definition: ResourceDefinition, id: string, args: JsonObject) {
  const names = idListNames(definition);
  const lines = names.flatMap((name) => {
    const count = numberOfIds(args[name]);
    const argument = argumentName(name);
    return count === 0
      ? []
      : [
          `${nameOf(definition, id)}: pulumi import prints no ${argument}. A program that does not set ${argument} leaves the ${countOf(count, "id")} of the console as they are.`,
        ];
  });
  return { inputs: kept(args, (name) => !names.includes(name)), lines };
}
