import { type JsonObject, textsIn } from "../../../provider/schema/json";
import { groupsOf } from "../../console/experiments/experiment-groups";
import { rulesOf } from "../../console/rules/rules";
import { holdoutRules, type Reading, specOf, type Translation, translationOf } from "../reading";
import { type Allocation, allocate, inBuckets } from "./buckets";
import { drawOf, segmentName } from "./conditions";
import { bucketsBelow, objectOf } from "./configs";
import { forcedUnitsOf } from "./experiment-overrides";
import { everybody, failing, fromEnvironments, gateBetween, type Rule, ruleOf, type Spec } from "./spec";

/** Data of the layer around an experiment. */
export interface LayerContext {
  readonly id: string;
  readonly salt: string;
  /** Every parameter with its default. */
  readonly defaults: JsonObject;
  readonly holdouts: readonly string[];
  readonly allocation: Allocation;
}

/** Environments in which an experiment runs before it is started. */
const earlyEnvironments = (item: JsonObject): string[] => textsIn(item.enabledNonProdEnvironments);

/** True where units are drawn for it in some environment. */
export function allocatesUnits(item: JsonObject): boolean {
  return item.status === "active" || (item.status === "setup" && earlyEnvironments(item).length > 0);
}

/** Its claim on its layer. */
export function claimOf(item: JsonObject) {
  const preferred = Array.isArray(item.userBuckets) ? item.userBuckets.map(Number) : [];
  return { id: String(item.id), allocation: Number(item.allocation ?? 100), preferred };
}

/** The parameters to which its groups give values. */
function explicitParameters(item: JsonObject): string[] {
  return [
    ...new Set(groupsOf(item).flatMap(({ parameterValues }) => Object.keys(objectOf(parameterValues)))),
  ];
}

/** An experiment: forced units first, then holdouts, then what its state says (console-api/specs.md, section 6). */
export function experimentSpec(reading: Reading, item: JsonObject, layer: LayerContext | undefined): Spec {
  const experiment = translationOf(reading, "experiment", item);
  const { id, head } = experiment;
  const defaults = layer?.defaults ?? {};
  const scene: Scene = { ...experiment, salt: `experiment:${id}`, defaults, layer };
  const holdouts = [...(layer?.holdouts ?? []), ...reading.holdersOf("experimentIDs", id)];
  const forced = item.status === "archived" ? [] : forcedUnitsOf(experiment, head.idType);
  const spec = {
    ...({ name: id, type: "dynamic_config", entity: "experiment", salt: scene.salt } as const),
    ...{ enabled: true, isActive: item.status === "active", defaultValue: defaults },
    hasSharedParams: layer !== undefined,
    ...(layer === undefined ? {} : { explicitParameters: explicitParameters(item) }),
  };
  return specOf(experiment, spec, [
    ...forced.map((one) => groupRule(scene, one.group, one)),
    // Units that are held out get the defaults: of the layer, or none at all.
    ...holdoutRules(holdouts, { returnValue: defaults, passPercentage: layer === undefined ? 0 : 100 }),
    ...stateRules(scene),
  ]);
}

/** Context of the rules of one experiment. */
interface Scene extends Translation {
  readonly salt: string;
  readonly defaults: JsonObject;
  readonly layer: LayerContext | undefined;
}

function stateRules(scene: Scene): Rule[] {
  const { reading, item, id } = scene;
  const early = earlyEnvironments(item);
  switch (item.status) {
    case "active":
      return drawing(scene);
    case "setup":
      if (early.length === 0) return [forAll(scene, "prestart")];
      return [
        { ...forAll(scene, "prestart"), conditions: [fromEnvironments(early, "none")] },
        ...drawing(scene),
      ];
    case "decision_made":
      return [...targeting(scene), ...launched(scene)];
    default:
      if (item.status === "archived") reading.shut("dynamic_configs", id, "is archived");
      return [forAll(scene, "abandoned")];
  }
}

const forAll = ({ defaults }: Scene, id: string): Rule =>
  ruleOf({ id, conditions: [everybody], returnValue: defaults });

/** Those whom it does not have get the defaults; the others are drawn into groups by their sizes. */
function drawing(scene: Scene): Rule[] {
  const { item, salt, layer, defaults } = scene;
  const claim = claimOf(item);
  const buckets = (layer?.allocation ?? allocate({}, [claim]))[claim.id] ?? [];
  // Without a layer the draw of the allocation has a salt of its own: with that of the groups both would hang together.
  const outside = inBuckets("none", buckets, layer?.salt ?? `${salt}:allocation`);
  const assignment =
    outside === undefined
      ? []
      : [ruleOf({ id: "layerAssignment", conditions: [outside], returnValue: defaults })];
  let upTo = 0;
  const groups = groupsOf(item).map((group) => {
    upTo += Number(group.size ?? 0);
    const conditions = [bucketsBelow(upTo, salt)];
    const rule = groupRule(scene, group, { id: String(group.id), conditions });
    return group.disabled === true ? { ...rule, isExperimentGroup: false, returnValue: defaults } : rule;
  });
  return [...assignment, ...targeting(scene), ...groups];
}

function groupRule(
  { defaults }: Scene,
  group: JsonObject,
  { id, conditions }: Pick<Rule, "id" | "conditions">,
): Rule {
  return ruleOf({
    ...{ id, conditions, salt: id, groupName: String(group.name), isExperimentGroup: true },
    returnValue: { ...defaults, ...objectOf(group.parameterValues) },
  });
}

/** Those whom the targeting keeps out. */
function targeting(scene: Scene): Rule[] {
  const { reading, item, head, defaults } = scene;
  const out = (id: string, gate: string): Rule =>
    ruleOf({ id, conditions: [failing(gate)], returnValue: defaults });
  const gate = item.targetingGateID;
  const byGate = typeof gate === "string" && gate !== "" ? [out("targetingGate", gate)] : [];
  const inline = rulesOf({ rules: item.inlineTargetingRules });
  if (inline.length === 0) return byGate;
  const name = segmentName(`inline_targeting:${scene.id}`);
  const rules = inline.map((rule) => ruleOf({ ...drawOf(scene, rule), returnValue: true }));
  reading.addGate(gateBetween(name, rules, head.idType));
  return [...byGate, out("inlineTargetingRules", name)];
}

function launched(scene: Scene): Rule[] {
  const { item } = scene;
  const group = groupsOf(item).find(({ id }) => id === item.launchedGroupID);
  if (group === undefined) {
    scene.tell("has shipped a group that it does not have: it answers its defaults");
    return [forAll(scene, "launchedGroup")];
  }
  const rule = groupRule(scene, group, { id: "launchedGroup", conditions: [everybody] });
  return [{ ...rule, isExperimentGroup: false }];
}
