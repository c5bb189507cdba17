import type * as pulumi from "@pulumi/pulumi";
import type { ResourceDefinition } from "../core/define";
import { digestedNames } from "../core/id-changes";
import { isDigest } from "../core/id-digest";
import { tableMember } from "../core/internal";
import { isObject, type JsonObject } from "../core/json";

/** A provider as Pulumi's host drives it. */
export type Provider = Required<pulumi.dynamic.ResourceProvider<JsonObject, JsonObject>>;

/** A provider whose digests show as `{ count, hash }`, with the long table out of sight, in state and in previews. */
export function tablesApart(definition: ResourceDefinition, inner: Provider): Provider {
  const names = digestedNames(definition);
  if (names.length === 0) return inner;
  const whole = (values: JsonObject) => joined(names, values);
  const apart = (values: JsonObject = {}) => parted(definition, names, values);
  const partly = (failure: unknown): never => {
    if (isObject(failure) && isObject(failure.properties)) failure.properties = apart(failure.properties);
    throw failure;
  };
  return {
    ...inner,
    async check(olds, news) {
      const { inputs, failures = [] } = await inner.check(whole(olds), whole(news));
      return { inputs: apart(inputs), failures };
    },
    diff: (id, olds, news) => inner.diff(id, whole(olds), whole(news)),
    create: (inputs) =>
      inner.create(whole(inputs)).then(({ id, outs }) => ({ id, outs: apart(outs) }), partly),
    update: (id, olds, news) =>
      inner.update(id, whole(olds), whole(news)).then(({ outs }) => ({ outs: apart(outs) }), partly),
    async read(id, props = {}) {
      const found = await inner.read(id, whole(props));
      return found.id === undefined
        ? found
        : { ...found, props: apart(found.props), inputs: apart(found.inputs) };
    },
  };
}

function parted(definition: ResourceDefinition, names: readonly string[], values: JsonObject): JsonObject {
  const apart = names.flatMap((name): [string, unknown][] => {
    const value = values[name];
    if (!isDigest(value)) return [];
    const { __table, ...shown } = value;
    // What is only remembered is never compared id by id.
    const table = definition.fields[name]?.facts.remembered === true ? "" : __table;
    return [
      [name, shown],
      [tableMember(name), table],
    ];
  });
  return { ...values, ...Object.fromEntries(apart) };
}

function joined(names: readonly string[], values: JsonObject): JsonObject {
  const whole = { ...values };
  for (const name of names) {
    const { [name]: value, [tableMember(name)]: table } = whole;
    delete whole[tableMember(name)];
    // Without one it is what a program says, and no digest of ours.
    if (isObject(value) && typeof table === "string") whole[name] = { ...value, __table: table };
  }
  return whole;
}
