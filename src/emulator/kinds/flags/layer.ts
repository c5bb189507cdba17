import { catalog } from "../../../provider/definitions/index";
import { isObject, type JsonObject, objectsIn } from "../../../provider/schema/json";
import type { Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { groupsOf } from "../../console/experiments/experiment-groups";
import { bodyOf, patch, replace } from "../../console/item-operations";
import { layerOverrides } from "../../console/overrides";
import { invalidMember, Refusal } from "../../console/rules/outcomes";
import { references } from "../../console/rules/referring-objects";
import { refuseProblems } from "../../console/rules/validation";
import { idsOfUsers } from "../../http/marks";
import { findWritable } from "../../store/items";
import { heldByHoldouts } from "./holdout";

const namesIn = ({ parameters }: JsonObject): string[] =>
  objectsIn(parameters).map(({ name }) => String(name));

/** A full update must name every existing parameter; here `errors` is one object (console-api, section 5). */
const replaceWithAll: Operation = (call) => {
  const { item } = findWritable(call);
  const given = new Set(namesIn(bodyOf(call)));
  const missing = namesIn(item).filter((name) => !given.has(name));
  if (missing.length > 0) {
    const errorMessage = `Parameter(s) missing: [${missing.join(", ")}]`;
    throw new Refusal(400, "Bad Request Exception", { property: "parameters", errorMessage });
  }
  return replace(call);
};

/** A parameter that a running experiment gives a value stays (console-api/experiments.md, section 2; the text is ours). */
const patchUnused: Operation = (call) => {
  const { id, item } = findWritable(call);
  const sent = bodyOf(call);
  const kept = sent.parameters === undefined ? namesIn(item) : namesIn(sent);
  const dropped = namesIn(item).filter((name) => !kept.includes(name));
  const used = idsOfUsers(call.world, "layer", id, "experiment").flatMap((user) => {
    const experiment = call.world.get("experiment", user);
    return experiment?.status === "active" ? groupsOf(experiment).map((group) => group.parameterValues) : [];
  });
  const inUse = dropped.filter((name) =>
    used.some((values) => isObject(values) && Object.hasOwn(values, name)),
  );
  if (inUse.length > 0)
    throw invalidMember("parameters", `Parameter(s) used by a running experiment: [${inUse.join(", ")}]`);
  return patch(call);
};

/** Experiments stand in a layer by referring to it; archived ones refer to nothing, and count under the switch `deleteLayerUnderArchived`. */
function refuseWithExperiments({ world, switches }: Call, id: string): void {
  const isStanding = idsOfUsers(world, "layer", id, "experiment").length > 0;
  const isNamed = world.list(catalog.experiment.name, true).some(({ layerID }) => layerID === id);
  if (isStanding || (switches.deleteLayerUnderArchived === "refuse" && isNamed))
    throw new Refusal(400, "Layer cannot be deleted with experiments still on it");
}

/** A body says each parameter whole. */
function refuseWithoutValue({ parameters }: JsonObject): void {
  const found = objectsIn(parameters);
  const index = found.findIndex((one) => one.defaultValue === undefined);
  if (index >= 0) throw invalidMember(`parameters.${index}.defaultValue`, "Required");
}

/** Behaviour of layers. */
export const layer = defineBehaviour({
  definition: catalog.layer,
  texts: { taken: "Layer name is already in use" },
  operations: {
    ...{ replace: replaceWithAll, patch: patchUnused },
    listExperiments: references("experiment"),
    ...layerOverrides,
  },
  settle({ sent, after }) {
    refuseProblems(catalog.layer, sent);
    refuseWithoutValue(sent);
    return after;
  },
  refuseRemoval: refuseWithExperiments,
  ...heldByHoldouts,
});
