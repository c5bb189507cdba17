import { catalog } from "../../../provider/definitions/index";
import { isObject, type JsonObject } from "../../../provider/schema/json";
import { stampsOfChange } from "../../store/stamps";
import type { Call } from "../behaviour";
import { groupsOf } from "./experiment-groups";

/**
 * A group that is shipped gives its values to the parameters of the layer, as their defaults (console-api/corrections.md,
 * section 3). Values of parameters that the layer does not have go nowhere (assumption).
 */
export function shipToLayer({ world, ports }: Call, before: JsonObject, after: JsonObject): void {
  if (after.status !== "decision_made" || before.status === "decision_made") return;
  const shipped = groupsOf(after).find(({ id }) => id === after.launchedGroupID)?.parameterValues;
  const id = String(after.layerID ?? "");
  const layer = world.get(catalog.layer.name, id);
  if (layer === undefined || !Array.isArray(layer.parameters) || !isObject(shipped)) return;
  const parameters = layer.parameters
    .filter(isObject)
    .map((one) =>
      Object.hasOwn(shipped, String(one.name)) ? { ...one, defaultValue: shipped[String(one.name)] } : one,
    );
  const changed = { parameters, ...stampsOfChange(catalog.layer, layer, ports.clock()) };
  world.put(catalog.layer.name, id, { ...layer, ...changed });
}
