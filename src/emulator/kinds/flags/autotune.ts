import { catalog } from "../../../provider/definitions/index";
import { type JsonObject, objectsIn } from "../../../provider/schema/json";
import type { Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { bodyOf } from "../../console/item-operations";
import { invalidMember, Refusal } from "../../console/rules/outcomes";
import { changeItem, findItem } from "../../store/items";

/** Starts it; what runs goes on, and what has a winner is over. */
const start: Operation = (call) =>
  moved(call, ({ winner }) => refuse(winner !== null, "already finished"), { isStarted: true });

const makeDecision: Operation = (call) => {
  const { id } = bodyOf(call);
  const chosen = variantsOf(findItem(call).item).find((one) => one.id === id);
  // The text is ours: none is published.
  if (chosen === undefined) throw invalidMember("id", "There is no such variant");
  const winner = { id, name: chosen.name };
  return moved(
    call,
    (item) => {
      refuse(item.isStarted !== true, "not yet started");
      refuse(item.winner !== null, "already finished");
    },
    { winner },
  );
};

const reset: Operation = (call) =>
  moved(call, ({ isStarted }) => refuse(isStarted !== true, "not yet started"), {
    isStarted: false,
    winner: null,
  });

/** Behaviour of autotunes. */
export const autotune = defineBehaviour({
  definition: catalog.autotune,
  texts: { missing: "Autotune Experiment not found." },
  operations: { start, makeDecision, reset },
  settle({ before, sent, after, ports }) {
    if (sent.variants === undefined) return after;
    const former = variantsOf(before ?? {});
    const variants = variantsOf(after).map((one) => ({
      ...one,
      id: former.find(({ name }) => name === one.name)?.id ?? ports.makeId(),
    }));
    return { ...after, variants };
  },
});

function moved(call: Call, check: (item: JsonObject) => void, goal: JsonObject) {
  const { id, item } = findItem(call);
  check(item);
  changeItem(call, id, item, {}, { ...item, ...goal });
  return { message: "Autotune experiment updated successfully." };
}

function refuse(applies: boolean, what: string): void {
  if (applies) throw new Refusal(400, `Autotune experiment has ${what}`);
}

function variantsOf({ variants }: JsonObject): JsonObject[] {
  return objectsIn(variants);
}
