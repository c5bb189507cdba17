import { catalog } from "../../../provider/definitions/index";
import { type JsonObject, objectsIn, textsIn } from "../../../provider/schema/json";
import { idsOfSegment } from "../../console/id-lists";
import { overridesOf } from "../../console/overrides";
import { releaseDoubt } from "../../console/releases";
import { rulesOf } from "../../console/rules/rules";
import {
  type DoubtedList,
  holdoutRules,
  mostInlineIds,
  type Reading,
  specOf,
  type Translation,
  translationOf,
} from "../reading";
import { drawOf, segmentName } from "./conditions";
import {
  type Condition,
  conditionOf,
  everybody,
  fromEnvironments,
  passing,
  type Rule,
  ruleOf,
  type Spec,
  unitsIn,
} from "./spec";

type GateLike = Pick<Spec, "name" | "entity" | "salt">;

function gateLike(gate: Translation, names: GateLike, rules: readonly Rule[]): Spec {
  const body = { type: "feature_gate", enabled: rules.length > 0, defaultValue: false } as const;
  return specOf(gate, { ...names, ...body }, rules);
}

/** A gate: overrides, holdouts, its own rules. One that is off has no rules, and one that is launched has one for everybody. */
export function gateSpec(reading: Reading, item: JsonObject): Spec {
  const gate = translationOf(reading, "gate", item);
  const { id } = gate;
  const names = { name: id, entity: "feature_gate", salt: `gate:${id}` };
  if (item.status === "Launched")
    return gateLike(gate, names, [ruleOf({ id: "launched", conditions: [everybody], returnValue: true })]);
  if (!rulesCount(reading, "feature_gates", item)) return gateLike(gate, names, []);
  return gateLike(gate, names, [
    ...unitOverrideRules(gate, catalog.gate.name),
    ...holdoutRules(reading.holdersOf("gateIDs", id), { returnValue: true, passPercentage: 0 }),
    ...ownRules(gate),
  ]);
}

/** True for a gate or a dynamic config that is neither off nor archived; notes why it is, or why its rules are not known. */
export function rulesCount(reading: Reading, list: DoubtedList, item: JsonObject): boolean {
  const { status } = item;
  const name = String(item.id);
  if (status === "Archived") reading.shut(list, name, "is archived");
  if (status === "Disabled") reading.shut(list, name, "is switched off");
  if (status === "Archived" || status === "Disabled") return false;
  const doubt = releaseDoubt(reading, list === "feature_gates" ? "gateID" : "dynamicConfigID", item);
  if (doubt !== undefined) reading.doubt(list, name, doubt);
  return true;
}

function ownRules(object: Translation): Rule[] {
  return rulesOf(object.item).map((rule) =>
    ruleOf({ ...drawOf(object, rule), returnValue: true, groupName: String(rule.name) }),
  );
}

/** A segment: a gate that others ask. A list of ids that is too long for the document is named there and kept in a file. */
export function segmentSpec(reading: Reading, item: JsonObject): Spec | undefined {
  const segment = translationOf(reading, "segment", item);
  const { id } = segment;
  const name = segmentName(id);
  const names = { name, entity: "segment", salt: name };
  if (item.type === "analysis_list") return undefined;
  if (item.$archived === true) return gateLike(segment, names, []);
  if (item.type === "rule_based") return gateLike(segment, names, ownRules(segment));
  const inList = isInFile(reading, item)
    ? conditionOf({ type: "unit_id", operator: "in_segment_list", targetValue: id })
    : unitsOf(idsOfSegment(reading.world, id));
  return gateLike(segment, names, [ruleOf({ id: "id_list", conditions: [inList], returnValue: true })]);
}

/** Of a list that the service keeps in a file, SDKs compare ids with regard to case (console-api/specs.md, section 9). */
function unitsOf(ids: readonly unknown[]): Condition {
  const units = unitsIn(ids);
  return ids.length > mostInlineIds ? { ...units, operator: "any_case_sensitive" } : units;
}

/** True where the ids of a segment go to a file of their own. */
export function isInFile(
  reading: Pick<Reading, "mostInlineIds">,
  { type, count, $archived }: JsonObject,
): boolean {
  const isList = type === "id_list" || type === "user_store_id_list";
  return isList && $archived !== true && Number(count) > reading.mostInlineIds;
}

/** A holdout: a gate that those pass who are held out. */
export function holdoutSpec(reading: Reading, item: JsonObject): Spec {
  const holdout = translationOf(reading, "holdout", item);
  const { id } = holdout;
  const asked = item.targetingGateID;
  const targeted = typeof asked === "string" && asked !== "" ? passing(asked) : everybody;
  const names = { name: reading.holdoutName(id), entity: "holdout", salt: `holdout:${id}` };
  return gateLike(holdout, names, [
    ...unitOverrideRules(holdout, catalog.holdout.name),
    ruleOf({
      ...{ id: `${id}:rule`, salt: id, passPercentage: Number(item.passPercentage ?? 0) },
      ...{ conditions: [targeted], returnValue: true },
    }),
  ]);
}

/** The units that always pass or fail; those of one environment come first, because they say more. */
function unitOverrideRules({ reading, id, head: { idType } }: Translation, kind: string): Rule[] {
  const overrides = overridesOf(reading.world, kind, id);
  if (overrides === undefined) return [];
  const rule = (verdict: "pass" | "fail", ids: unknown, unit: string, environment?: unknown): Rule[] => {
    const listed = textsIn(ids);
    if (listed.length === 0) return [];
    const tiers = typeof environment === "string" ? [fromEnvironments([environment])] : [];
    const where = typeof environment === "string" ? environment : "all";
    return [
      ruleOf({
        ...{ id: `${verdict}:${where}:id_override`, passPercentage: verdict === "pass" ? 100 : 0 },
        ...{ conditions: [{ ...unitsIn(listed), idType: unit }, ...tiers], returnValue: true },
      }),
    ];
  };
  return [
    ...objectsIn(overrides.environmentOverrides).flatMap((one) => {
      const unit = typeof one.unitID === "string" && one.unitID !== "" ? one.unitID : idType;
      return [
        ...rule("pass", one.passingIDs, unit, one.environment),
        ...rule("fail", one.failingIDs, unit, one.environment),
      ];
    }),
    ...rule("pass", overrides.passingUserIDs, "userID"),
    ...rule("fail", overrides.failingUserIDs, "userID"),
    ...rule("pass", overrides.passingCustomIDs, idType),
    ...rule("fail", overrides.failingCustomIDs, idType),
  ];
}
