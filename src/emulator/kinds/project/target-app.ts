import { catalog } from "../../../provider/definitions/index";
import { textsIn } from "../../../provider/schema/json";
import type { Behaviour, Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { bodyOf, create, patch } from "../../console/item-operations";
import { renamedOnCarriers } from "../../console/rules/carried-names";
import { Refusal } from "../../console/rules/outcomes";
import { changeItem, findItem } from "../../store/items";
import { dynamicConfig } from "../flags/dynamic-config";
import { experiment } from "../flags/experiment";
import { gate } from "../flags/gate";
import { layer } from "../flags/layer";
import { paramStore } from "../flags/param-store";

/** List of ids in a body -> the kind of what it names, and what messages call it. */
const lists: Readonly<Record<string, { readonly behaviour: Behaviour; readonly title: string }>> = {
  gates: { behaviour: gate, title: "Gates" },
  dynamicConfigs: { behaviour: dynamicConfig, title: "Dynamic configs" },
  experiments: { behaviour: experiment, title: "Experiments" },
  layers: { behaviour: layer, title: "Layers" },
  parameterStores: { behaviour: paramStore, title: "Parameter stores" },
};

/** Makes an app and gives it its first members. That unknown ones are refused as in an assignment is an assumption. */
const createWithMembers: Operation = (call) => {
  refuseUnknown(call);
  const outcome = create(call);
  assign(call, [String(bodyOf(call).name)]);
  return outcome;
};

/** Adds apps to what the listed objects have (assumption: no object loses one). */
const bulkAssign: Operation = (call) => {
  const ids = textsIn(bodyOf(call).targetApps);
  refuseUnknown(call);
  refuse("Target apps", ids, (id) => call.world.get(catalog.targetApp.name, id));
  assign(
    call,
    ids.map((id) => String(call.world.get(catalog.targetApp.name, id)?.name)),
  );
  return { message: "Target apps assigned successfully." };
};

/** Changes an app; the answer is a message alone. */
const patchQuietly: Operation = (call) => {
  patch(call);
  return { message: "Target app updated successfully." };
};

/** Behaviour of target apps. */
export const targetApp = defineBehaviour({
  definition: catalog.targetApp,
  operations: { create: createWithMembers, bulkAssign, patch: patchQuietly },
  onChange: renamedOnCarriers("targetApps"),
});

function refuseUnknown(call: Call): void {
  for (const [name, { behaviour, title }] of Object.entries(lists)) {
    refuse(title, textsIn(bodyOf(call)[name]), (id) => call.world.get(behaviour.definition.name, id));
  }
}

function refuse(title: string, ids: readonly string[], find: (id: string) => unknown): void {
  const unknown = ids.filter((id) => find(id) === undefined);
  if (unknown.length > 0) throw new Refusal(404, `${title} with IDs [${unknown.join(", ")}] do not exist`);
}

function assign(call: Call, names: readonly string[]): void {
  for (const [list, { behaviour }] of Object.entries(lists)) {
    for (const id of textsIn(bodyOf(call)[list])) {
      const theirs = { ...call, behaviour, params: { id } };
      const { item } = findItem(theirs);
      const targetApps = [...new Set([...textsIn(item.targetApps), ...names])];
      changeItem(theirs, id, item, {}, { ...item, targetApps });
    }
  }
}
