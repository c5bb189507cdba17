import { type JsonObject, picked } from "../../../provider/schema/json";
import { changeItem, findItem, findWritable, isArchived } from "../../store/items";
import type { Call, Change, Operation } from "../behaviour";
import { bodyOf } from "../item-operations";
import { invalidMember, type Outcome, Refusal } from "../rules/outcomes";

/*
 * The catalog has a table of these states too (provider/definitions/parts/experiments/experiment-machine.ts), by which the provider plans. This one is not
 * made of it: a mistake there would then be right here. test/emulator/experiment-moves.test.ts compares the two.
 */
const ended = ["decision_made", "abandoned"];
const notStarted = "Experiment has not yet started";
const started = "Experiment has already started";
const finished = "Experiment has already finished";
const notFinished = "Experiment has not yet finished";

/** Members that a move sets. */
type Goal = (call: Call, item: JsonObject) => JsonObject;
/** Why a move is refused from a state; undefined where it is not. Texts: console-api, section 5. */
type Refused = (status: unknown, id: string) => string | undefined;

const isEnded = (status: unknown): boolean => ended.includes(String(status));

/** Refuses to change what has ended (console-api/experiments.md, 1.4). */
export function refuseEnded(item: JsonObject): void {
  if (isEnded(item.status)) throw new Refusal(400, finished);
}

/** Moves answer a message alone (console-api/experiments.md, 1.4). */
function move(done: string, refused: Refused, goal: Goal): Operation {
  return (call): Outcome => {
    const { id, item } = findWritable(call);
    const why = refused(item.status, id);
    if (why !== undefined) throw new Refusal(400, why);
    changeItem(call, id, item, {}, { ...item, ...goal(call, item) });
    return { message: `Experiment ${done} successfully.` };
  };
}

const unlessSetup: Refused = (status) => {
  if (status === "setup") return undefined;
  return isEnded(status) ? finished : started;
};
const unlessRunning: Refused = (status) => {
  if (status === "setup") return notStarted;
  return isEnded(status) ? finished : undefined;
};

/** Members that a start sets. */
export const begun = (now: number): JsonObject => ({ status: "active", startTime: now });

/** Members that a decision sets. */
const decided = (now: number, launchedGroupID: unknown): JsonObject => ({
  ...{ status: "decision_made", endTime: now, decisionTime: now },
  launchedGroupID,
});

/** Starts it. */
export const start = move("started", unlessSetup, (call) => ({
  ...begun(call.ports.clock()),
  ...picked(bodyOf(call), ["analysisEndTime", "turboMode"]),
}));

/** Ends it and ships a group. `groupOf` finds the group that a body names, or refuses. */
export const makeDecision = (groupOf: (item: JsonObject, id: unknown) => JsonObject): Operation =>
  move("decision made", unlessRunning, (call, item) => {
    const { id, decisionReason, removeTargeting } = bodyOf(call);
    const targeting = removeTargeting === true ? { targetingGateID: null } : {};
    return { ...decided(call.ports.clock(), groupOf(item, id).id), decisionReason, ...targeting };
  });

/** Leaves everything as it is: nothing is published about what it changes. */
export const deferDecision = move("decision deferred", unlessRunning, () => ({}));

/** Ends it without a decision. */
export const abandon = move(
  "abandoned",
  (status, id) =>
    status === "abandoned" ? `Experiment ${id} is already abandoned` : unlessRunning(status, id),
  (call) => ({
    status: "abandoned",
    endTime: call.ports.clock(),
    decisionReason: bodyOf(call).decisionReason,
  }),
);

const fresh = {
  ...{ status: "setup", startTime: null, endTime: null, decisionTime: null },
  ...{ launchedGroupID: null, decisionReason: null },
};

/** Takes an ended one back to setup. */
export const reset = move(
  "reset",
  (status) => {
    if (status === "setup") return notStarted;
    return isEnded(status) ? undefined : notFinished;
  },
  () => fresh,
);

/** A move between use and archive, from any state; one that is there already stays as it is. */
const toggle =
  (done: "archived" | "unarchived", goal: Goal): Operation =>
  (call) => {
    const { id, item } = findItem(call);
    const isThere = isArchived(call.behaviour, item) === (done === "archived");
    if (!isThere) changeItem(call, id, item, {}, { ...item, ...goal(call, item) });
    return { message: `Experiment ${done} successfully.` };
  };

/** Takes it out of use; what ran has ended by that. */
export const archive = toggle("archived", ({ ports }, { status, startTime }) => ({
  status: "archived",
  ...(typeof startTime === "number" && !isEnded(status) ? { endTime: ports.clock() } : {}),
}));

/** Brings it back as it ended, not running (console-api/experiments.md, 1.4). */
export const unarchive = toggle("unarchived", (_call, { startTime, launchedGroupID }) => {
  const end = typeof launchedGroupID === "string" ? "decision_made" : "abandoned";
  return { status: typeof startTime === "number" ? end : "setup" };
});

/**
 * Members of an experiment after a body with `status`. A create takes `setup` and `active`; a change may start, and
 * decide for a group. Throws a 400 for the rest.
 */
export function movedByBody({ before, sent, after, ports }: Change): JsonObject {
  const from = before?.status ?? "setup";
  const to = sent.status ?? from;
  if (to === from) return { status: from, launchedGroupID: before?.launchedGroupID ?? null };
  if (from === "setup" && to === "active") return { ...begun(ports.clock()), launchedGroupID: null };
  if (before !== undefined && to === "decision_made") {
    const why = unlessRunning(from, "");
    if (why !== undefined) throw new Refusal(400, why);
    if (typeof after.launchedGroupID !== "string") throw invalidMember("launchedGroupID", "Required");
    return decided(ports.clock(), after.launchedGroupID);
  }
  if (before !== undefined && to === "setup") throw new Refusal(400, notFinished);
  if (before !== undefined && to === "active") throw new Refusal(400, started);
  throw invalidMember("status", `An experiment cannot be made '${String(to)}' by its body`);
}
