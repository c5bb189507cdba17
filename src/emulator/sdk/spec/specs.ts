import { catalog } from "../../../provider/definitions/index";
import { equalJson, type JsonObject, objectsIn, textsIn } from "../../../provider/schema/json";
import { scheduledStarts } from "../../console/experiments/experiment-schedule";
import type { World } from "../../store/store";
import { enabledHoldouts, holdoutIndex, mostInlineIds, type Reading, translationOf } from "../reading";
import { type Allocation, allocate, type Claim, heldBuckets } from "./buckets";
import { dynamicConfigSpec } from "./configs";
import { allocatesUnits, claimOf, experimentSpec, type LayerContext } from "./experiments";
import { gateSpec, holdoutSpec, isInFile, segmentSpec } from "./gates";
import { layerDefaults, layerSpec } from "./layers";
import { askingThemselves, type Spec } from "./spec";

/** Everything that server SDKs evaluate, of one moment of one console. */
export interface Specs {
  readonly gates: readonly Spec[];
  /** Dynamic configs and experiments, which share their names. */
  readonly configs: readonly Spec[];
  readonly layers: readonly Spec[];
  /** Layer -> the experiments that run in it. */
  readonly experimentsOf: Readonly<Record<string, readonly string[]>>;
  readonly paramStores: Readonly<Record<string, JsonObject>>;
  /** Segments whose ids are in files of their own. */
  readonly idLists: readonly string[];
  /** Objects that an SDK cannot evaluate, a sentence each. */
  readonly findings: readonly string[];
  /** Why answers are not known here, by list and name: `feature_gates/checkout`. */
  readonly doubts: Readonly<Record<string, string>>;
  /** Why objects have no rules, by list and name: `is archived`. */
  readonly shut: Readonly<Record<string, string>>;
  /** Layers whose buckets are given away otherwise than the console has noted. */
  readonly newAllocations: ReadonlyMap<string, Allocation>;
  /** When a scheduled start changes it although nobody writes; milliseconds since 1970. */
  readonly until: number;
}

/**
 * Translates what a console holds into what server SDKs evaluate (console-api/specs.md). Changes nothing.
 * @param at milliseconds since 1970: experiments that are scheduled to start by then have started
 * @param inlineIds how many ids a segment may have in the document; `Infinity` where nobody serves files of ids
 */
export function specsOf(world: World, at: number, inlineIds = mostInlineIds): Specs {
  const findings = new Set<string>();
  const [doubts, shut] = [new Map<string, string>(), new Map<string, string>()];
  const made = new Map<string, Spec>();
  const reading: Reading = {
    ...{ world, at, mostInlineIds: inlineIds },
    ...holdoutIndex(world),
    tell: (object, what) => findings.add(`${object}: ${what}`),
    doubt: (list, name, why) => doubts.set(`${list}/${name}`, why),
    shut: (list, name, why) => shut.set(`${list}/${name}`, why),
    addGate: (spec) => made.set(spec.name, spec),
  };
  const starts = scheduledStarts(world);
  const experiments = world
    .list(catalog.experiment.name, true)
    .map((item) => (isDue(item, starts, at) ? { ...item, status: "active" } : item));
  const layers = readLayers(reading, experiments);
  const segments = world.list(catalog.segment.name, true);
  const gates = [
    ...world.list(catalog.gate.name, true).map((item) => gateSpec(reading, item)),
    ...segments.map((item) => segmentSpec(reading, item)).filter((spec) => spec !== undefined),
    ...enabledHoldouts(world).map((item) => holdoutSpec(reading, item)),
  ];
  const configs = readConfigs(reading, experiments, layers);
  tellAutotunes(reading);
  const allGates = [...gates, ...made.values()];
  tellCircles(reading, allGates);
  return {
    gates: allGates,
    configs,
    layers: layers.map(({ item, around, standing }) => layerSpec(reading, item, around, standing)),
    experimentsOf: Object.fromEntries(layers.map(({ around, running }) => [around.id, running])),
    paramStores: Object.fromEntries(world.list(catalog.paramStore.name, true).map(paramStoreSpec)),
    idLists: segments.filter((item) => isInFile(reading, item)).map(({ id }) => String(id)),
    ...{ findings: [...findings], doubts: Object.fromEntries(doubts), shut: Object.fromEntries(shut) },
    newAllocations: new Map(
      layers.filter(({ isNew }) => isNew).map(({ around }) => [around.id, around.allocation]),
    ),
    until: Math.min(Number.POSITIVE_INFINITY, ...[...starts.values()].filter((time) => time > at)),
  };
}

const isDue = ({ id, status }: JsonObject, starts: ReadonlyMap<string, number>, at: number): boolean =>
  status === "setup" && (starts.get(String(id)) ?? Number.POSITIVE_INFINITY) <= at;

type LayerRead = ReturnType<typeof readLayers>[number];

function readLayers(reading: Reading, experiments: readonly JsonObject[]) {
  // Not by age: experiments that one update makes side by side come in any order, and would share a layer anew each time.
  const byName = experiments.toSorted((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
  return reading.world.list(catalog.layer.name, true).map((item) => {
    const id = String(item.id);
    /** Its experiments that have not ended. */
    const standing = byName.filter(
      ({ layerID, status }) => layerID === id && (status === "active" || status === "setup"),
    );
    const claims = standing.filter(allocatesUnits).map(claimOf);
    const held = heldBuckets(reading.world, id);
    const allocation = allocate(held, claims);
    doubtShares(reading, id, claims);
    for (const claim of claims) {
      const got = (allocation[claim.id]?.length ?? 0) / 10;
      if (got < claim.allocation)
        reading.tell(`experiment ${claim.id}`, `gets ${got} % of layer ${id}: the others have the rest`);
    }
    const around: LayerContext = {
      ...{ id, allocation, salt: `layer:${id}`, defaults: layerDefaults(item) },
      holdouts: reading.holdersOf("layerIDs", id),
    };
    /** Ids of the experiments for which units are drawn. */
    const running = claims.map((claim) => claim.id);
    return { item, around, standing, running, isNew: !equalJson(held, allocation) };
  });
}

/** Experiments that ask for more than their layer has share it in the order in which they start, which nobody knows here. */
function doubtShares(reading: Reading, layer: string, claims: readonly Claim[]): void {
  const sum = claims.reduce((percent, { allocation }) => percent + allocation, 0);
  if (sum <= 100) return;
  const why =
    `the running experiments of layer ${layer} ask for ${Number(sum.toFixed(2))} % of it, and which of them gets only ` +
    "what is left depends on the order in which they start";
  reading.doubt("layer_configs", layer, why);
  for (const { id } of claims) reading.doubt("dynamic_configs", id, why);
}

function readConfigs(
  reading: Reading,
  experiments: readonly JsonObject[],
  layers: readonly LayerRead[],
): Spec[] {
  const byId = new Map(layers.map(({ around }) => [around.id, around]));
  const specs = experiments.map((item) => experimentSpec(reading, item, byId.get(String(item.layerID))));
  const names = new Set(specs.map(({ name }) => name));
  for (const item of reading.world.list(catalog.dynamicConfig.name, true)) {
    if (names.has(String(item.id)))
      translationOf(reading, "dynamic config", item).tell(
        "an experiment has the same name: SDKs see the experiment",
      );
    else specs.push(dynamicConfigSpec(reading, item));
  }
  return specs;
}

function paramStoreSpec(item: JsonObject): [string, JsonObject] {
  const byName = Object.fromEntries(objectsIn(item.parameters).map((one) => [String(one.name), one]));
  return [String(item.name), { parameters: byName, targetAppIDs: textsIn(item.targetApps), version: 1 }];
}

function tellAutotunes(reading: Reading): void {
  for (const item of reading.world.list(catalog.autotune.name, true))
    translationOf(reading, "autotune", item).tell("how SDKs read it is not known: they answer their default");
}

function tellCircles(reading: Reading, gates: readonly Spec[]): void {
  for (const { entity, name } of askingThemselves(gates))
    reading.tell(
      entity === "feature_gate" ? `gate ${name}` : name,
      "asks itself, maybe by way of others: statsig-node runs out of stack, and answers its default",
    );
}
