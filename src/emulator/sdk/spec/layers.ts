import { type JsonObject, objectsIn } from "../../../provider/schema/json";
import { holdoutRules, type Reading } from "../reading";
import { inBuckets } from "./buckets";
import { forcedIn } from "./experiment-overrides";
import { type LayerAround, takesUnits } from "./experiments";
import { everybody, headOf, ruleOf, type Spec, type SpecRule } from "./spec";

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
  const head = headOf(item);
  const { idType } = head;
  const { defaults, salt } = around;
  return {
    ...{ name: around.id, type: "dynamic_config", entity: "layer", salt },
    ...head,
    ...{ enabled: true, defaultValue: defaults },
    rules: [
      ...standing.flatMap((experiment) => forcedRules(reading, experiment, around, idType)),
      ...holdoutRules(around.holdouts, idType, { returnValue: defaults, passPercentage: 100 }),
      ...standing
        .filter(takesUnits)
        .map((experiment) => assignmentRule(String(experiment.id), around, idType)),
    ],
  };
}

function forcedRules(
  reading: Reading,
  experiment: JsonObject,
  { defaults }: LayerAround,
  idType: string,
): SpecRule[] {
  const name = String(experiment.id);
  return forcedIn(reading, experiment, idType).map(({ id, conditions }) =>
    ruleOf({ id: `${name} ${id}`, conditions, configDelegate: name, returnValue: defaults, idType }),
  );
}

function assignmentRule(name: string, { allocation, salt, defaults }: LayerAround, idType: string): SpecRule {
  const inside = inBuckets("any", allocation[name] ?? [], salt, idType) ?? everybody(idType);
  return ruleOf({
    ...{ id: "experimentAssignment", conditions: [inside], configDelegate: name },
    ...{ returnValue: defaults, idType },
  });
}
