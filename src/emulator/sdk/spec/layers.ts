import { type JsonObject, objectsIn } from "../../../provider/schema/json";
import { holdoutRules, type Reading, specOf, translated } from "../reading";
import { inBuckets } from "./buckets";
import { forcedIn } from "./experiment-overrides";
import { type LayerAround, takesUnits } from "./experiments";
import { everybody, type Rule, ruleOf, type Spec } from "./spec";

/** Every parameter of a layer with its default. */
export function layerDefaults(item: JsonObject): JsonObject {
  const parameters = objectsIn(item.parameters);
  return Object.fromEntries(parameters.map(({ name, defaultValue }) => [String(name), defaultValue ?? null]));
}

/**
 * A layer: whom an override forces, who is held out, and which experiment has the others.
 * @param standing experiments that have not ended
 */
export function layerSpec(
  reading: Reading,
  item: JsonObject,
  around: LayerAround,
  standing: readonly JsonObject[],
): Spec {
  const layer = translated(reading, "layer", item);
  const { id: name, defaults, salt } = around;
  const names = { name, type: "dynamic_config", entity: "layer", salt } as const;
  return specOf(layer, { ...names, enabled: true, defaultValue: defaults }, [
    ...standing.flatMap((experiment) => {
      const configDelegate = String(experiment.id);
      // Overrides without a unit of their own are by that of the layer.
      const forced = forcedIn(translated(reading, "experiment", experiment), layer.head.idType);
      return forced.map(({ id, conditions }) =>
        ruleOf({ id: `${configDelegate} ${id}`, conditions, configDelegate, returnValue: defaults }),
      );
    }),
    ...holdoutRules(around.holdouts, { returnValue: defaults, passPercentage: 100 }),
    ...standing.filter(takesUnits).map(({ id }) => assignmentRule(String(id), around)),
  ]);
}

function assignmentRule(name: string, { allocation, salt, defaults }: LayerAround): Rule {
  const conditions = [inBuckets("any", allocation[name] ?? [], salt) ?? everybody];
  return ruleOf({ id: "experimentAssignment", conditions, configDelegate: name, returnValue: defaults });
}
