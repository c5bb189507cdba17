import { changeItem, findWritable } from "../../store/items";
import type { World } from "../../store/store";
import type { Call, Operation } from "../behaviour";
import { bodyOf } from "../item-operations";
import { Refusal } from "../rules/outcomes";
import { begun, refuseEnded } from "./experiment-states";

const schedule = "experiment schedule";

/** Notes the time at which an experiment starts; a later time takes the place of an earlier one. */
export const scheduleStart: Operation = (call) => {
  const { id, item } = findWritable(call);
  refuseEnded(item);
  if (item.status !== "setup") throw new Refusal(400, "Experiment has already started");
  call.world.put(schedule, id, { id, time: bodyOf(call).scheduledTime });
  return { message: "Experiment start scheduled successfully." };
};

/** Experiment -> when it starts, milliseconds since 1970. */
export function scheduledStarts(world: World): ReadonlyMap<string, number> {
  return new Map(world.list(schedule, true).map(({ id, time }) => [String(id), Number(time)]));
}

/** Starts what is due by now: the console has no clock of its own that ticks. */
export function startDue(call: Call): void {
  const now = call.ports.clock();
  for (const [id, time] of scheduledStarts(call.world)) {
    if (time > now) continue;
    const item = call.world.get(call.behaviour.definition.name, id);
    call.world.remove(schedule, id);
    if (item?.status !== "setup") continue;
    changeItem(call, id, item, {}, { ...item, ...begun(time) });
  }
}
