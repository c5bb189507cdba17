import { catalog } from "../../../provider/definitions/index";
import { acceptedFields, wireName } from "../../../provider/schema/define";
import { isObject, type JsonObject, objectsIn, picked } from "../../../provider/schema/json";
import type { Call, Change, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { groupById, groupsOf, switchGroups, takeGroups } from "../../console/experiments/experiment-groups";
import { scheduleStart, startDue } from "../../console/experiments/experiment-schedule";
import {
  abandon,
  archive,
  deferDecision,
  makeDecision,
  movedByBody,
  refuseEnded,
  reset,
  start,
  unarchive,
} from "../../console/experiments/experiment-states";
import { answerItem, answerPage, bodyOf } from "../../console/item-operations";
import { experimentOverrides } from "../../console/overrides";
import { activeReviewOf } from "../../console/reviews";
import { experimentFilters } from "../../console/rules/filters";
import { invalidMember, Refusal } from "../../console/rules/outcomes";
import { addItem, findItem } from "../../store/items";
import { stampsOfChange } from "../../store/stamps";
import { heldByHoldouts, joinTeamHoldout } from "./holdout";

/** Members that belong to the life of one experiment and not to what it is. */
const ownLife = ["id", "name", "status", "decisionReason", "launchedGroupID", "controlGroupID"];

/** A new experiment in setup with the fields of an ended one. */
const restartAsNew: Operation = (call) => {
  const { item } = findItem(call);
  if (item.startTime === null) throw new Refusal(400, "Experiment has not yet started");
  if (item.status === "active") throw new Refusal(400, "Experiment has not yet finished");
  const { definition } = call.behaviour;
  const kept = acceptedFields(definition, definition.routes.create ?? call.route)
    .map((name) => wireName(definition, name))
    .filter((member) => !ownLife.includes(member));
  const groups = groupsOf(item).map(({ id: _id, disabled: _disabled, ...group }) => group);
  const sent = { ...picked(item, kept), groups, ...bodyOf(call) };
  return answerItem(call, addItem(call, sent), "created");
};

const noLoads: Operation = (call) => {
  findItem(call);
  return answerPage(call, []);
};

/** Behaviour of experiments. */
export const experiment = defineBehaviour({
  definition: catalog.experiment,
  states: { on: "active", off: "setup", archived: "archived" },
  filters: experimentFilters,
  operations: {
    ...{ start, scheduleStart, makeDecision: makeDecision((item, id) => groupById(item, id, "id")) },
    ...{ deferDecision, abandon, reset, archive, unarchive, restartAsNew },
    ...{ disableGroups: switchGroups(true), enableGroups: switchGroups(false) },
    ...experimentOverrides,
    listPulseLoadHistory: noLoads,
  },
  catchUp: startDue,
  refuseChange: (_call, _id, item) => refuseEnded(item),
  settle,
  // The console alone brings an experiment to these.
  ownValues: {
    status: ["experiment_stopped", "assignment_stopped", "decision_made", "abandoned", "archived"],
  },
  alsoRefersTo: metricsOf,
  onCreate: joinTeamHoldout,
  onChange: shipToLayer,
  follows: (call, item) => ({
    ...heldByHoldouts.follows(call, item),
    ...withSidecar(item),
    ...activeReviewOf(call, item),
  }),
  onRemove: heldByHoldouts.onRemove,
});

/** The stored form of what a body made of an experiment. Metric tags read back empty (console-api/experiments.md, 1.2). */
function settle(change: Change): JsonObject {
  const { before, sent, after, ports } = change;
  const changed = Object.keys(sent).length > 0;
  const started = before !== undefined && before.status !== "setup";
  if (started && sent.idType !== undefined && sent.idType !== before.idType)
    throw invalidMember("idType", "The ID type cannot change after the experiment has started");
  const groups = sent.groups === undefined ? groupsOf(after) : takeGroups(before, groupsOf(after), ports);
  const item: JsonObject = {
    ...{ layerID: null, decisionReason: null },
    ...after,
    ...{ groups, primaryMetricTags: [], secondaryMetricTags: [] },
  };
  if (sent.controlGroupID !== undefined) groupById(item, sent.controlGroupID, "controlGroupID");
  else if (groups.every(({ id }) => id !== item.controlGroupID)) item.controlGroupID = groups[0]?.id;
  if (sent.launchedGroupID !== undefined && sent.launchedGroupID !== null)
    groupById(item, sent.launchedGroupID, "launchedGroupID");
  return before !== undefined && !changed ? item : { ...item, ...movedByBody({ ...change, after: item }) };
}

/** The metrics that it measures: name and type together make the id of one, so no field alone names it. */
function metricsOf(item: JsonObject): string[] {
  const metrics = ["primaryMetrics", "secondaryMetrics", "otherMetrics"].flatMap((member) =>
    objectsIn(item[member]),
  );
  return metrics.map(({ name, type }) => `metric:${String(name)}::${String(type)}`);
}

/**
 * A group that is shipped gives its values to the parameters of the layer, as their defaults (console-api/corrections.md,
 * section 3). Values of parameters that the layer does not have go nowhere (assumption).
 */
function shipToLayer({ world, ports }: Call, before: JsonObject, after: JsonObject): void {
  if (after.status !== "decision_made" || before.status === "decision_made") return;
  const shipped = groupsOf(after).find(({ id }) => id === after.launchedGroupID)?.parameterValues;
  const id = String(after.layerID ?? "");
  const layer = world.get(catalog.layer.name, id);
  if (layer === undefined || !isObject(shipped)) return;
  const parameters = objectsIn(layer.parameters).map((one) =>
    Object.hasOwn(shipped, String(one.name)) ? { ...one, defaultValue: shipped[String(one.name)] } : one,
  );
  const changed = { parameters, ...stampsOfChange(catalog.layer, layer, ports.clock()) };
  world.put(catalog.layer.name, id, { ...layer, ...changed });
}

/** Groups with the settings of the visual editor among their values, as reads show them (console-api/corrections.md, section 3). */
function withSidecar(item: JsonObject): JsonObject {
  if (item.isSidecar !== true) return {};
  const copied = {
    ...picked(item, ["sidecarURLFilters", "sidecarDisableAutoRun", "sidecarPrerunScript"]),
    sidecarExperimentName: item.name,
  };
  const groups = groupsOf(item).map((group) => ({
    ...group,
    parameterValues: { ...(group.parameterValues as JsonObject | undefined), ...copied },
  }));
  return { groups };
}
