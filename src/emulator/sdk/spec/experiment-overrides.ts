import { catalog } from "../../../provider/definitions/index";
import { type JsonObject, objectsIn, textsIn } from "../../../provider/schema/json";
import { groupsOf } from "../../console/experiments/experiment-groups";
import { overridesOf } from "../../console/overrides";
import type { Translation } from "../reading";
import { segmentName } from "./conditions";
import { type Condition, fromEnvironments, passing, unitsIn } from "./spec";

/**
 * Units that always get a group of an experiment, by the experiment's own overrides and by those of its layer.
 * `idType`: the unit of those that name none.
 */
export function forcedUnitsOf({ reading: { world }, item, id, tell }: Translation, idType: string) {
  const own = overridesOf(world, catalog.experiment.name, id) ?? {};
  const layer =
    typeof item.layerID === "string" ? (overridesOf(world, catalog.layer.name, item.layerID) ?? {}) : {};
  const ofLayer = (list: unknown): JsonObject[] =>
    objectsIn(list).filter(({ experimentName: name }) => name === item.id || name === item.name);
  const byId = ({ groupID }: JsonObject) => groupsOf(item).find((group) => group.id === groupID);
  const byName = ({ groupName }: JsonObject) => {
    const group = groupsOf(item).find(({ name }) => name === groupName);
    if (group === undefined) tell(`has no group "${String(groupName)}" for the layer's override`);
    return group;
  };
  const units = (group: JsonObject | undefined, one: JsonObject, unit: string) =>
    forced(group, `${unit}:id_override`, { ...unitsIn(textsIn(one.ids)), idType: unit }, one);
  const gates = (group: JsonObject | undefined, one: JsonObject, gate: unknown) =>
    forced(group, "override", passing(gateName(one.type, gate)), one);
  return [
    ...objectsIn(own.userIDOverrides).flatMap((one) => units(byId(one), one, textOr(one.unitType, "userID"))),
    ...objectsIn(own.overrides).flatMap((one) => gates(byId(one), one, one.id)),
    ...ofLayer(layer.idOverrides).flatMap((one) => units(byName(one), one, textOr(one.idType, idType))),
    ...ofLayer(layer.conditionalOverrides).flatMap((one) => gates(byName(one), one, one.name)),
  ];
}

/** Units that always get a group, with the id of the rule that says so. */
function forced(
  group: JsonObject | undefined,
  what: string,
  condition: Condition,
  { environment }: JsonObject,
) {
  if (group === undefined) return [];
  const tiers = typeof environment === "string" ? [fromEnvironments([environment])] : [];
  return [{ id: `${String(group.id)}:${what}`, group, conditions: [condition, ...tiers] }];
}

const gateName = (type: unknown, id: unknown): string =>
  type === "segment" ? segmentName(String(id)) : String(id);

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === "string" && value !== "" ? value : otherwise;
