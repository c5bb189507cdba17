import { catalog } from "../../../provider/definitions/index";
import { type JsonObject, objectsIn, textsIn } from "../../../provider/schema/json";
import { groupsOf } from "../../console/experiments/experiment-groups";
import { overridesOf } from "../../console/overrides";
import { called, type Reading } from "../reading";
import { segmentName } from "./conditions";
import { fromEnvironments, passing, type SpecCondition, unitsIn } from "./spec";

/** Units that always get a group. */
export interface Forced {
  /** Id of the rule that says so. */
  readonly id: string;
  readonly group: JsonObject;
  readonly conditions: readonly SpecCondition[];
}

/** Units that always get a group of an experiment, by the experiment's own overrides and by those of its layer. */
export function forcedIn(reading: Reading, item: JsonObject, idType: string): Forced[] {
  return [...ownOverrides(reading, item, idType), ...layerOverrides(reading, item, idType)];
}

function ownOverrides(reading: Reading, item: JsonObject, idType: string): Forced[] {
  const overrides = overridesOf(reading.world, catalog.experiment.name, String(item.id));
  if (overrides === undefined) return [];
  const byId = (id: unknown) => groupsOf(item).find((group) => group.id === id);
  const units = objectsIn(overrides.userIDOverrides).map((one) => {
    const unit = textOr(one.unitType, "userID");
    return forced(byId(one.groupID), `${unit}:id_override`, [unitsIn(textsIn(one.ids), unit)], one, idType);
  });
  const gates = objectsIn(overrides.overrides).map((one) =>
    forced(byId(one.groupID), "override", [passing(gateName(one.type, one.id), idType)], one, idType),
  );
  return [...units, ...gates].flat();
}

function layerOverrides(reading: Reading, item: JsonObject, idType: string): Forced[] {
  const overrides =
    typeof item.layerID === "string"
      ? overridesOf(reading.world, catalog.layer.name, item.layerID)
      : undefined;
  if (overrides === undefined) return [];
  const isMine = ({ experimentName }: JsonObject): boolean =>
    experimentName === item.id || experimentName === item.name;
  const byName = (one: JsonObject) => {
    const group = groupsOf(item).find(({ name }) => name === one.groupName);
    if (group === undefined)
      reading.tell(
        called("experiment", item),
        `has no group "${String(one.groupName)}" for the layer's override`,
      );
    return group;
  };
  const units = objectsIn(overrides.idOverrides)
    .filter(isMine)
    .map((one) => {
      const unit = textOr(one.idType, idType);
      return forced(byName(one), `${unit}:id_override`, [unitsIn(textsIn(one.ids), unit)], one, idType);
    });
  const gates = objectsIn(overrides.conditionalOverrides)
    .filter(isMine)
    .map((one) =>
      forced(byName(one), "override", [passing(gateName(one.type, one.name), idType)], one, idType),
    );
  return [...units, ...gates].flat();
}

function forced(
  group: JsonObject | undefined,
  what: string,
  conditions: readonly SpecCondition[],
  { environment }: JsonObject,
  idType: string,
): Forced[] {
  if (group === undefined) return [];
  const tiers = typeof environment === "string" ? [fromEnvironments([environment], idType)] : [];
  return [{ id: `${String(group.id)}:${what}`, group, conditions: [...conditions, ...tiers] }];
}

const gateName = (type: unknown, id: unknown): string =>
  type === "segment" ? segmentName(String(id)) : String(id);

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === "string" && value !== "" ? value : otherwise;
