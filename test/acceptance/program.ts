import { inputNames, type ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Node, propertiesOf, treeOf } from "../../src/provider/schema/tree";
import { fromWire } from "../../src/provider/schema/wire-names";
import type { Item } from "../emulator/desk";
import { eachObject } from "../laws/objects";
import type { Case } from "./cases";
import { pick } from "./plan";
import type { ToolKind } from "./tools";

/** Kinds that are parts of an object of the furniture. */
const owners: Readonly<Partial<Record<ToolKind, JsonObject>>> = {
  gateOverrides: { gate: "beta" },
  holdoutOverrides: { holdout: "held" },
  experimentOverrides: { experiment: "button" },
  layerOverrides: { layer: "shop" },
};

const isAbsent = (value: unknown) => value === "" || value === null || value === undefined;

/**
 * What a program says to take over the object of a case: the body under the names used here, without what stands for
 * nothing there, and without what only the console sets.
 */
export function programOf(definition: ResourceDefinition, one: Case, made: Item): JsonObject {
  const { body, reads = {}, kind } = one;
  const said = fromWire(definition, { ...body, ...pick(reads, (name) => name in body) });
  const tree = treeOf(definition);
  const args = inputNames(definition).flatMap((name): [string, unknown][] => {
    const isRequired = definition.fields[name]?.schema.safeParse(undefined).success === false;
    const value = said[name];
    return value === undefined || (isAbsent(value) && !isRequired)
      ? []
      : [[name, eachObject(tree[name]?.node ?? {}, value, name, withoutAbsent)]];
  });
  return { ...identityOf(definition, made), ...Object.fromEntries(args), ...owners[kind], adopt: true };
}

function identityOf({ identity, fields }: ResourceDefinition, made: Item): JsonObject {
  const key = identity.how === "key" && identity.argument === "key" ? { key: made.id } : {};
  return { ...key, ...("name" in fields && made.name !== undefined ? { name: made.name } : {}) };
}

function withoutAbsent(node: Node, value: JsonObject): JsonObject {
  const properties = propertiesOf(node) ?? {};
  return Object.fromEntries(
    Object.entries(value).filter(([name, member]) => {
      const { serverSet, sameAs } = properties[name] ?? {};
      const isKept = node.required?.includes(name) === true || sameAs === "opaque" || !isAbsent(member);
      return isKept && serverSet === undefined;
    }),
  );
}
