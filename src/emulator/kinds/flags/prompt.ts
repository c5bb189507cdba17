import { catalog } from "../../../provider/definitions/index";
import type { Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { bodyOf } from "../../console/item-operations";
import { changeItem, findItem } from "../../store/items";

/** Nobody reads a version back. That it moves the counter of its prompt is an assumption. */
const addVersion: Operation = (call) => {
  const { id, item } = findItem(call);
  const { auth_workflow_headers: _secret, ...version } = bodyOf(call);
  changeItem(call, id, item, {});
  return {
    message: "Prompt version created successfully.",
    data: { id: call.ports.makeId(), ...version },
  };
};

/** Behaviour of prompts. */
export const prompt = defineBehaviour({
  definition: catalog.prompt,
  operations: { addVersion },
});
