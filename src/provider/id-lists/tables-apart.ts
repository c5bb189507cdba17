import type * as pulumi from "@pulumi/pulumi";
import type { ResourceDefinition } from "../schema/define";
import { isObject, type JsonObject } from "../schema/json";
import { isDigest } from "./digest";
import { tidy } from "./memory";
import { tableMember } from "./packed";
import { idListNames } from "./value-type";

/** A provider as Pulumi's host drives it. */
export type Provider = Required<pulumi.dynamic.ResourceProvider<JsonObject, JsonObject>>;

/** A provider whose digests show as `{ count, hash }`, with the long table out of sight, in state and in previews. */
export function tablesApart(
  definition: ResourceDefinition,
  inner: Provider,
  tableOf: (hash: string) => string | undefined,
): Provider {
  const names = idListNames(definition);
  if (names.length === 0) return inner;
  const whole = (values: JsonObject) => joined(names, values, tableOf);
  const inputsOf = (values: JsonObject = {}) => parted(definition, names, values, false);
  const outputsOf = (values: JsonObject = {}) => parted(definition, names, values, true);
  const partly = (failure: unknown): never => {
    if (isObject(failure) && isObject(failure.properties)) failure.properties = outputsOf(failure.properties);
    throw failure;
  };
  return {
    ...inner,
    async check(olds, news) {
      const own = names.filter((name) => isOwnDigest(olds[name], news[name], tableOf));
      const { inputs, failures = [] } = await inner.check(whole(olds), joined(own, news, tableOf));
      return { inputs: inputsOf(inputs), failures };
    },
    diff: (id, olds, news) => inner.diff(id, whole(olds), whole(news)),
    create: (inputs) =>
      inner.create(whole(inputs)).then(({ id, outs }) => ({ id, outs: outputsOf(outs) }), partly),
    update: (id, olds, news) =>
      inner.update(id, whole(olds), whole(news)).then(({ outs }) => ({ outs: outputsOf(outs) }), partly),
    async read(id, props = {}) {
      if (names.some((name) => isLarge(props[name]))) tidy();
      const found = await inner.read(id, whole(props));
      if (found.id === undefined) return found;
      // Without inputs the engine keeps those that it has.
      const inputs = found.inputs === undefined ? {} : { inputs: inputsOf(found.inputs) };
      return { ...found, props: outputsOf(found.props), ...inputs };
    },
  };
}

/** From this many ids on, memory is cleared before they are read. */
const manyIds = 100_000;

function isLarge(value: unknown): boolean {
  return isObject(value) && typeof value.count === "number" && value.count >= manyIds;
}

/** True for what an earlier check has made of ids; a program cannot say a digest. */
function isOwnDigest(
  before: unknown,
  value: unknown,
  tableOf: (hash: string) => string | undefined,
): boolean {
  if (!isObject(value) || typeof value.hash !== "string") return false;
  return tableOf(value.hash) !== undefined || (isObject(before) && before.hash === value.hash);
}

/** Values with their digests as they stand in state. `names`: the arguments that have one. */
export function parted(
  definition: ResourceDefinition,
  names: readonly string[],
  values: JsonObject,
  isOutput: boolean,
): JsonObject {
  const apart = names.flatMap((name): [string, unknown][] => {
    const value = values[name];
    if (!isDigest(value)) return [];
    const { __table, ...shown } = value;
    // What is only remembered is never compared id by id.
    const isNeeded = isOutput && definition.fields[name]?.facts.remembered !== true;
    const table: [string, unknown][] = isNeeded ? [[tableMember(name), __table]] : [];
    return [[name, shown], ...table];
  });
  return { ...values, ...Object.fromEntries(apart) };
}

function joined(
  names: readonly string[],
  values: JsonObject,
  tableOf: (hash: string) => string | undefined,
): JsonObject {
  const whole = { ...values };
  for (const name of names) {
    const { [name]: value, [tableMember(name)]: table } = whole;
    delete whole[tableMember(name)];
    if (isObject(value) && typeof value.hash === "string")
      whole[name] = { ...value, __table: table ?? tableOf(value.hash) ?? "" };
  }
  return whole;
}
