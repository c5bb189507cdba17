import type { Plugin } from "../../src/provider/native/plugin";
import { nativePrefix, typePrefix } from "../../src/provider/pulumi/stored-names";
import type { KindProvider } from "./provider";

/** The native plugin as the engine of the model calls it, which keeps URNs of dynamic resources. */
export function nativeProvider(plugin: Plugin): KindProvider {
  return {
    check: (olds, news, { urn, inputs }) =>
      plugin.check(nativeUrn(urn), olds, { values: news, secrets: [] }, inputs !== undefined),
    async diff(id, olds, news, { urn, inputs = {} }) {
      const planned = await plugin.diff(nativeUrn(urn), id, { inputs, state: olds }, news);
      if (planned === undefined) return { changes: false };
      const { differences, replaces, deletesFirst } = planned;
      // The engine has nothing to compare by itself where the differences are listed.
      const listed = differences.some(({ ofInputs }) => ofInputs) ? {} : { changes: true };
      return { ...listed, replaces, deleteBeforeReplace: deletesFirst };
    },
    create: (inputs, { urn }) =>
      plugin.create(nativeUrn(urn), inputs).then(({ id, state }) => ({ id, outs: state })),
    update: (id, olds, news, { urn }) =>
      plugin.update(nativeUrn(urn), id, olds, news).then((outs) => ({ outs })),
    async read(id, props, { urn }) {
      const found = await plugin.refresh(nativeUrn(urn), id, props);
      if (found === undefined) return {};
      const inputs = found.inputs === undefined ? {} : { inputs: found.inputs };
      return { id: found.id, props: found.state, ...inputs };
    },
    delete: (id, props, { urn }) => plugin.delete(nativeUrn(urn), id, props),
  };
}

/** The kind of a native type is in PascalCase, as its class. */
function nativeUrn(urn: string): string {
  const [before = "", after = ""] = urn.split(typePrefix);
  return `${before}${nativePrefix}${after.charAt(0).toUpperCase()}${after.slice(1)}`;
}
