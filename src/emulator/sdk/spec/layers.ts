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
    ...standing.flatMap((experiment) => forcedRules(reading, experiment, around, layer.head.idType)),
    ...holdoutRules(around.holdouts, { returnValue: defaults, passPercentage: 100 }),
    ...standing.filter(takesUnits).map(({ id }) => assignmentRule(String(id), around)),
  ]);
}

/** Overrides without a unit of their own are by that of the layer. */
function forcedRules(
  reading: Reading,
  experiment: JsonObject,
  { defaults }: LayerAround,
  idType: string,
): Rule[] {
  const name = String(experiment.id);
  return forcedIn(translated(reading, "experiment", experiment), idType).map(({ id, conditions }) =>
    ruleOf({ id: `${name} ${id}`, conditions, configDelegate: name, returnValue: defaults }),
  );
}

function assignmentRule(name: string, { allocation, salt, defaults }: LayerAround): Rule {
  const conditions = [inBuckets("any", allocation[name] ?? [], salt) ?? everybody];
  return ruleOf({ id: "experimentAssignment", conditions, configDelegate: name, returnValue: defaults });
}
