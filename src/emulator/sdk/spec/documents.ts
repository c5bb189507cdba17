import { keptIn } from "../../../provider/schema/memoized";
import type { Spec, SpecRule } from "./spec";
import type { Specs } from "./specs";

/** Forms of the document for the two families of server SDKs: `v1` the classic one, `v2` the one with the shared core. */
export type Form = "v1" | "v2";

/** The document of a moment, of {@link bodyOf}. SDKs ignore one whose time is before that of the one they have. */
export function documentText(body: string, time: number): string {
  return `{"has_updates":true,"time":${time},${body.slice(1)}`;
}

/** Answer to an SDK that has the newest document. */
export const noUpdates = '{"has_updates":false}';

/**
 * Writes specs in the form of one family, but for the time, which stands first: the content is the same, and neither reads the other's.
 * `app`: the name of the target app that a key belongs to.
 */
export function bodyOf(specs: Specs, form: Form, app: string | undefined): string {
  const ofApp = app === undefined ? {} : { app_id: app };
  return JSON.stringify({ ...(form === "v1" ? firstForm(specs) : secondForm(specs)), ...ofApp });
}

function firstForm({ gates, configs, layers, experimentsOf, idLists }: Specs) {
  return {
    ...{ feature_gates: gates, dynamic_configs: configs, layer_configs: layers, layers: experimentsOf },
    id_lists: Object.fromEntries(idLists.map((name) => [name, true])),
  };
}

/** The same as maps, with the conditions apart: equal ones stand once. */
function secondForm({ gates, configs, layers, experimentsOf, paramStores, idLists }: Specs) {
  const keys = new Map<string, string>();
  const keyOf = (condition: SpecRule["conditions"][number]): string =>
    keptIn(keys, JSON.stringify(condition), () => `c${keys.size + 1}`);
  const byName = (specs: readonly Spec[]) =>
    Object.fromEntries(
      specs.map(({ name, rules, ...spec }) => [
        name,
        { ...spec, rules: rules.map((rule) => ({ ...rule, conditions: rule.conditions.map(keyOf) })) },
      ]),
    );
  return {
    response_format: "dcs-v2",
    ...{ feature_gates: byName(gates), dynamic_configs: byName(configs), layer_configs: byName(layers) },
    experiment_to_layer: Object.fromEntries(
      Object.entries(experimentsOf).flatMap(([layer, names]) => names.map((name) => [name, layer])),
    ),
    param_stores: paramStores,
    id_lists: Object.fromEntries(idLists.map((name) => [name, true])),
    condition_map: Object.fromEntries([...keys].map(([text, key]) => [key, JSON.parse(text) as unknown])),
  };
}
