import type { Plugin } from "../../src/provider/native/plugin";
import { nativePrefix, typePrefix } from "../../src/provider/pulumi/stored-names";
import type { JsonObject } from "../../src/provider/schema/json";
import { packed, unpacked } from "../../src/provider/values/hidden-state";
import type { KindProvider } from "./provider";

/** The native plugin as the engine of the model calls it, which keeps states without their packing and URNs of dynamic resources. */
export function nativeProvider(plugin: Plugin): KindProvider {
  return {
    check: (olds, news, { urn, inputs }) =>
      plugin.check(nativeUrn(urn), olds, { values: news, secrets: [] }, inputs !== undefined),
    async diff(id, olds, news, { urn, inputs = {} }) {
      const planned = await plugin.diff(nativeUrn(urn), id, { inputs, state: packed(olds) }, news);
      if (planned.how === "nothing") return { changes: false };
      const { differences, replaces, deletesFirst } = planned;
      // The engine has nothing to compare by itself where the differences are listed.
      const listed = differences.some(({ ofInputs }) => ofInputs) ? {} : { changes: true };
      return { ...listed, replaces, deleteBeforeReplace: deletesFirst };
    },
    create: (inputs, { urn }) =>
      plugin
        .create(nativeUrn(urn), inputs)
        .then(({ id, state }) => ({ id, outs: unpacked(state) }), clearFailure),
    update: (id, olds, news, { urn }) =>
      plugin
        .update(nativeUrn(urn), id, packed(olds), news)
        .then((state) => ({ outs: unpacked(state) }), clearFailure),
    async read(id, props, { urn }) {
      const found = await plugin.refresh(nativeUrn(urn), id, packed(props));
      if (found === undefined) return {};
      const inputs = found.inputs === undefined ? {} : { inputs: found.inputs };
      return { id: found.id, props: unpacked(found.state), ...inputs };
    },
    delete: (id, props, { urn }) => plugin.delete(nativeUrn(urn), id, packed(props)),
  };
}

/** The kind of a native type is in PascalCase, as its class. */
function nativeUrn(urn: string): string {
  const [before = "", after = ""] = urn.split(typePrefix);
  return `${before}${nativePrefix}${after.charAt(0).toUpperCase()}${after.slice(1)}`;
}

function clearFailure(failure: unknown): never {
  const { properties } = failure as { properties?: JsonObject };
  if (properties !== undefined) Object.assign(failure as object, { properties: unpacked(properties) });
  throw failure;
}
