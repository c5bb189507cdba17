import type * as pulumi from "@pulumi/pulumi";
import type { ResourceDefinition } from "../schema/define";
import { isObject, type JsonObject, kept } from "../schema/json";
import { isDigest, isFormerDigest } from "./digest";
import { hashesMember } from "./packed";
import { type HashesIn, tidy } from "./sources";
import { idListNames } from "./value-type";

/** A provider as Pulumi's host drives it. */
export type Provider = Required<pulumi.dynamic.ResourceProvider<JsonObject, JsonObject>>;

/** A provider whose digests show as `{ count, hash }`, with the hashes of the ids out of sight, in state and in previews. */
export function hideIdHashes(definition: ResourceDefinition, inner: Provider, hashesIn: HashesIn): Provider {
  const names = idListNames(definition);
  if (names.length === 0) return inner;
  const whole = (values: JsonObject) => joined(names, values, hashesIn);
  const inputsOf = (values: JsonObject = {}) => parted(definition, names, values, false);
  const outputsOf = (values: JsonObject = {}) => parted(definition, names, values, true);
  const partly = (failure: unknown): never => {
    if (isObject(failure) && isObject(failure.properties)) failure.properties = outputsOf(failure.properties);
    throw failure;
  };
  return {
    ...inner,
    async check(olds, news) {
      const own = names.filter((name) => isOwnDigest(olds[name], news[name], hashesIn));
      const { inputs, failures = [] } = await inner.check(whole(olds), joined(own, news, hashesIn));
      return { inputs: inputsOf(inputs), failures };
    },
    diff: (id, olds, news) => inner.diff(id, whole(olds), whole(news)),
    create: (inputs) =>
      inner.create(whole(inputs)).then(({ id, outs }) => ({ id, outs: outputsOf(outs) }), partly),
    update: (id, olds, news) =>
      inner
        .update(id, whole(withoutFormer(names, olds)), whole(news))
        .then(({ outs }) => ({ outs: outputsOf(outs) }), partly),
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

/** Outputs without the large digests of an earlier version: the update reads the ids, and sends what differs from those. */
function withoutFormer(names: readonly string[], outputs: JsonObject): JsonObject {
  return kept(outputs, (name, value) => !(names.includes(name) && isFormerDigest(value)));
}

/** True for what an earlier check has made of ids; a program cannot say a digest. */
function isOwnDigest(before: unknown, value: unknown, hashesIn: HashesIn): boolean {
  if (!isObject(value) || typeof value.hash !== "string") return false;
  return hashesIn(value.hash) !== undefined || (isObject(before) && before.hash === value.hash);
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
    const { __hashes, ...shown } = value;
    // Ids that are only remembered are never compared one by one.
    const isNeeded = isOutput && definition.fields[name]?.traits.remembered !== true;
    const hashes: [string, unknown][] = isNeeded ? [[hashesMember(name), __hashes]] : [];
    return [[name, shown], ...hashes];
  });
  return { ...values, ...Object.fromEntries(apart) };
}

function joined(names: readonly string[], values: JsonObject, hashesIn: HashesIn): JsonObject {
  const whole = { ...values };
  for (const name of names) {
    const { [name]: value, [hashesMember(name)]: hashes } = whole;
    delete whole[hashesMember(name)];
    if (isObject(value) && typeof value.hash === "string")
      whole[name] = { ...value, __hashes: hashes ?? hashesIn(value.hash) ?? "" };
  }
  return whole;
}
