import { type JsonObject, objectsIn } from "../../../provider/schema/json";
import { holdoutRules, type Reading, specOf, translationOf } from "../reading";
import { inBuckets } from "./buckets";
import { forcedUnitsOf } from "./experiment-overrides";
import { allocatesUnits, type LayerContext } from "./experiments";
import { everybody, type Rule, ruleOf, type Spec } from "./spec";

/** Every parameter of a layer with its default. */
export function layerDefaults(item: JsonObject): JsonObject {
  const parameters = objectsIn(item.parameters);
  return Object.fromEntries(parameters.map(({ name, defaultValue }) => [String(name), defaultValue ?? null]));
}

/**
 * A layer: whom an override forces, who is held out, and which experiment has the others.
 * @param notEnded experiments that have not ended
 */
export function layerSpec(
  reading: Reading,
  item: JsonObject,
  around: LayerContext,
  notEnded: readonly JsonObject[],
): Spec {
  const layer = translationOf(reading, "layer", item);
  const { id: name, defaults, salt } = around;
  const names = { name, type: "dynamic_config", entity: "layer", salt } as const;
  return specOf(layer, { ...names, enabled: true, defaultValue: defaults }, [
    ...notEnded.flatMap((experiment) => {
      const configDelegate = String(experiment.id);
      // Overrides without a unit of their own are by that of the layer.
      const forced = forcedUnitsOf(translationOf(reading, "experiment", experiment), layer.head.idType);
      return forced.map(({ id, conditions }) =>
        ruleOf({ id: `${configDelegate} ${id}`, conditions, configDelegate, returnValue: defaults }),
      );
    }),
    ...holdoutRules(around.holdouts, { returnValue: defaults, passPercentage: 100 }),
    ...notEnded.filter(allocatesUnits).map(({ id }) => assignmentRule(String(id), around)),
  ]);
}

function assignmentRule(name: string, { allocation, salt, defaults }: LayerContext): Rule {
  const conditions = [inBuckets("any", allocation[name] ?? [], salt) ?? everybody];
  return ruleOf({ id: "experimentAssignment", conditions, configDelegate: name, returnValue: defaults });
}
