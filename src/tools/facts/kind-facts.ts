import { ownerFields, tagsField } from "../../provider/decisions/owner";
import { managed } from "../../provider/definitions";
import { kindInType } from "../../provider/pulumi/stored-names";
import type { ResourceDefinition } from "../../provider/schema/define";
import type { NestedTraits } from "../../provider/schema/field";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { programId } from "../../provider/schema/object-id";
import type { Path } from "../../provider/schema/path";
import { type Reference, referencesIn } from "../../provider/schema/references";
import { itemsOf, type Node, propertiesOf, treeOf } from "../../provider/schema/tree";
import { UNKNOWN } from "../../provider/schema/unknown";
import type { OnDelete } from "../../provider/schema/verbs";
import { consoleOwns } from "../../provider/values/console-owned";
import { onDeleteOf } from "../../provider/values/options";
import { withConsoleOwned } from "../../provider/values/owned-arguments";
import { type Reach, reachOf } from "../../provider/values/states";

/** A kind, as one that knows no kind asks for it. `args`: arguments or a state; what is not known yet is `UNKNOWN`. */
export interface KindFacts {
  /** camelCase. */
  readonly name: string;
  /** As in a sentence: "dynamic config". */
  readonly title: string;
  /** The name or key of an object in a program. */
  programId(args: JsonObject): unknown;
  /** The field of rules with percentages; undefined where the kind has none. */
  readonly rulesField: string | undefined;
  /** Undefined where nothing is said, so that it stays what it is. */
  reachOf(args: JsonObject): Reach | undefined;
  /** The arguments as an update sends them: with what the console owns (`owns`) as it was. */
  withConsoleOwned(before: JsonObject, args: JsonObject): JsonObject;
  /** True where its percentages are left to the console: the program says those of what is new alone. */
  leavesRollout(args: JsonObject): boolean;
  /** True for an object that exists already and whose percentages stay as they are. */
  keepsRollout(args: JsonObject): boolean;
  /** True where the arguments put it out of use for good. */
  isArchived(args: JsonObject): boolean;
  /** Undefined for a kind that does not tell temporary objects from those that stay. */
  isTemporary(args: JsonObject): boolean | undefined;
  /** Fields that say whose it is; none where a kind knows no owner. */
  readonly ownerFields: readonly string[];
  /** The field of its tags. */
  readonly tagsField: string | undefined;
  /** True where the secret of such an object lets its holder write to the console. */
  grantsWrites(args: JsonObject): boolean;
  /** Places that refer to other objects. */
  referencesIn(args: JsonObject): readonly Reference[];
  /** The end of the object when its resource goes. */
  onDelete(args: JsonObject): OnDelete;
  /** Texts in the values that applications get, with their places. */
  valueTexts(args: JsonObject): readonly { readonly path: Path; readonly text: string }[];
}

const kinds: ReadonlyMap<string, KindFacts> = new Map(
  Object.values<ResourceDefinition>(managed).map((definition) => [definition.kind, factsOf(definition)]),
);

/** The names of all kinds, in camelCase. */
export const kindNames: readonly string[] = [...kinds.values()].map(({ name }) => name);

/** Data about a kind by its definition. */
export function kindOf({ kind }: ResourceDefinition): KindFacts | undefined {
  return kinds.get(kind);
}

/** The kind of a Pulumi type; undefined for a resource that is not of this package. */
export function kindOfType(type: string): KindFacts | undefined {
  return kinds.get(kindInType(type) ?? "");
}

function factsOf(definition: ResourceDefinition): KindFacts {
  const { name, title, lifecycle } = definition;
  const fieldWith = (passes: (facts: NestedTraits, node: Node) => boolean) =>
    Object.entries(treeOf(definition)).filter(([, { mode, traits, node }]) =>
      mode === "output" ? false : passes(traits, node),
    );
  const first = (found: [string, unknown][]) => found[0]?.[0];
  return {
    name,
    title,
    programId: (args) => programId(definition, args),
    rulesField: first(fieldWith((_, node) => hasShare(itemsOf(node)))),
    reachOf: (args) => reachOf(definition, args),
    withConsoleOwned: (before, args) => withConsoleOwned(definition, before, args),
    leavesRollout: (args) => consoleOwns(args, "rollout"),
    keepsRollout: (args) => args.adopt === true && consoleOwns(args, "rollout"),
    isArchived: (args) =>
      lifecycle.archived !== undefined && args[lifecycle.archived.field] === lifecycle.archived.is,
    isTemporary(args) {
      const [field, { traits } = { traits: {} as NestedTraits }] =
        fieldWith((_, { enum: values }) => values?.includes(temporary) === true)[0] ?? [];
      if (field === undefined) return undefined;
      return (args[field] ?? traits.serverDefault) === temporary && args.isTemplate !== true;
    },
    ownerFields: ownerFields(definition),
    tagsField: tagsField(definition),
    grantsWrites: (args) => definition.grantsWrites?.(args) === true,
    referencesIn: (args) => referencesIn(definition, args),
    onDelete: (args) => onDeleteOf(definition, args),
    valueTexts: (args) =>
      Object.entries(treeOf(definition)).flatMap(([field, { node, mode }]) =>
        mode === "output" ? [] : valueTexts(node, args[field], [field]),
      ),
  };
}

const temporary = "TEMPORARY";

function hasShare(items: Node | undefined): boolean {
  return items !== undefined && propertiesOf(items)?.passPercentage !== undefined;
}

const values: ReadonlySet<unknown> = new Set(["opaque", "json", "json5"]);

function valueTexts(node: Node, value: unknown, path: Path): { path: Path; text: string }[] {
  if (values.has(node.sameAs)) return textsIn(value, path);
  if (Array.isArray(value)) {
    const items = itemsOf(node);
    return items === undefined ? [] : value.flatMap((one, at) => valueTexts(items, one, [...path, at]));
  }
  if (!isObject(value)) return [];
  return Object.entries(propertiesOf(node) ?? {}).flatMap(([name, member]) =>
    valueTexts(member, value[name], [...path, name]),
  );
}

function textsIn(value: unknown, path: Path): { path: Path; text: string }[] {
  if (typeof value === "string") return value === UNKNOWN ? [] : [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((one, at) => textsIn(one, [...path, at]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]));
}
