import { catalog } from "../../../provider/definitions/index";
import { equalJson, isObject, type JsonObject, kept, listIn, objectsIn } from "../../../provider/schema/json";
import type { Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { answerItem, answerPage, bodyOf, list } from "../../console/item-operations";
import { Refusal } from "../../console/rules/outcomes";
import { findItem, save } from "../../store/items";

const eventsOf = (id: string): string => `alert events of ${id}`;

/** Members that only the read of one alert shows (console-api/delivery.md, 1.2). */
const detailMembers = ["status", "lastTriggeredTime", "activeMuteSchedules"];

/** Members that reads leave out rather than show as null (console-api/schemas.json). */
const absentWhenNull = ["formula", "warningThreshold", "renotificationConditions"];

const every = list();
const listBriefly: Operation = (call) => {
  const outcome = every(call);
  const data = objectsIn(outcome.data);
  const briefly = (item: JsonObject) => kept(item, (name) => !detailMembers.includes(name));
  return { ...outcome, data: data.map(briefly) };
};

const getAlert: Operation = (call) => {
  const { item } = findItem(call);
  return answerItem(call, { ...item, activeMuteSchedules: schedulesOf(call, item) }, "read");
};

/** Adds a schedule, or puts it in the place of the current one. Without a time it is for ever (assumption). */
const mute: Operation = (call) => {
  const { durationSeconds, indefinite, groupBys = [], currentSchedule } = bodyOf(call);
  const start = Math.floor(call.ports.clock() / 1000);
  const end = indefinite !== true && typeof durationSeconds === "number" ? start + durationSeconds : 0;
  return reschedule(call, "muted", (held) => [
    ...held.filter((one) => !equalJson(one, currentSchedule)),
    { start, end, groupBys },
  ]);
};

/** Ends the schedule that the body names, whole or by its groups; all of them where it names none (assumption). */
const unmute: Operation = (call) => {
  const { groupBys, currentSchedule } = bodyOf(call);
  const isMeant = (one: JsonObject): boolean => {
    if (isObject(currentSchedule)) return equalJson(one, currentSchedule);
    return groupBys === undefined || equalJson(one.groupBys, groupBys);
  };
  return reschedule(call, "unmuted", (held) => held.filter((one) => !isMeant(one)));
};

function reschedule(call: Call, done: string, next: (held: readonly JsonObject[]) => JsonObject[]) {
  const { id, item } = findItem(call);
  const after = { ...item, activeMuteSchedules: next(schedulesOf(call, item)) };
  save(call, id, after);
  return answerItem(call, after, done);
}

/** Mute schedules that have not ended. */
function schedulesOf({ ports }: Call, { activeMuteSchedules: held }: JsonObject): JsonObject[] {
  const all = objectsIn(held);
  return all.filter(({ end }) => end === 0 || Number(end) * 1000 > ports.clock());
}

/** Nothing alerts here: the history is that of the seed. */
const listEvents: Operation = (call) =>
  answerPage(call, call.world.list(eventsOf(findItem(call).id), true).reverse());

const getEvent: Operation = (call) => {
  const event = call.world.get(eventsOf(findItem(call).id), call.params.eventId ?? "");
  if (event === undefined) throw new Refusal(404, "Alert event not found.");
  return { message: "Alert event read successfully.", data: event };
};

/** Behaviour of alerts. Names are not unique. */
export const alert = defineBehaviour({
  definition: catalog.alert,
  filters: { creatorName: null },
  operations: { list: listBriefly, get: getAlert, mute, unmute, listEvents, getEvent },
  settle({ sent, after }) {
    const item = { ...after, ...resolved(sent) };
    // A create says tags as objects; reads and updates as names (console-api, section 12, row 20).
    const named = listIn(item.tags).map((tag) => (isObject(tag) ? tag.name : tag));
    const shown = kept(item, (name, value) => value !== null || !absentWhenNull.includes(name));
    return { ...shown, tags: named, status: statusOf(item, sent) };
  },
  // A team that is not there is called by what the body said.
  shows: ({ world }, item) => ({
    ...item,
    team: world.get(catalog.team.name, String(item.team))?.name ?? item.team,
  }),
  onSeed({ world, ports }, id, { events }) {
    for (const event of objectsIn(events)) {
      const eventId = String(event.id ?? ports.makeId());
      world.put(eventsOf(id), eventId, { ...event, id: eventId });
    }
  },
});

/**
 * Members that reads show in the place of write-only ones. The forms are ours: nothing is published but that they are objects.
 */
function resolved({ definitionMetricsJson: texts, groupBys, teamID }: JsonObject): JsonObject {
  return {
    ...(Array.isArray(texts) ? { metrics: Object.fromEntries(texts.map(definition)) } : {}),
    ...(Array.isArray(groupBys)
      ? { metricGroupBys: Object.fromEntries(groupBys.filter(isObject).map((one) => [one.key, one.column])) }
      : {}),
    ...(teamID === undefined ? {} : { team: teamID }),
  };
}

function definition(text: unknown, index: number): [string, unknown] {
  const name = String(index);
  try {
    return [name, JSON.parse(String(text)) as unknown];
  } catch {
    return [name, text];
  }
}

/** A bare create leaves the set-up incomplete; a threshold with something to measure completes it (assumption). */
function statusOf({ status, metrics }: JsonObject, sent: JsonObject): unknown {
  const measures = isObject(metrics) && Object.keys(metrics).length > 0;
  const isNew = status === "setup_incomplete";
  return isNew && measures && sent.alertThreshold !== undefined ? "stable" : status;
}
