import { readables } from "../../../provider/definitions/index";
import { isObject } from "../../../provider/schema/json";
import type { Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { answerItem, answerPage, bodyOf, timeRange } from "../../console/item-operations";
import { advanced, closed, noted, open, type Release, releaseAt, triggers } from "../../console/releases";
import { filtered } from "../../console/rules/filters";
import { invalidMember, Refusal } from "../../console/rules/outcomes";
import { usualPages } from "../../http/pagination";
import { findItem, restoreItem, show } from "../../store/items";
import { dynamicConfig } from "./dynamic-config";
import { gate } from "./gate";

const now = ({ ports }: Call): number => ports.clock();
const read = (call: Call): Release => releaseAt(findItem(call).item as Release, now(call));

/** Makes the next form of a release. */
type Step = (release: Release, call: Call) => Release;

/** An action on an open release. Refusals are not published: 400, without any change (assumption), in words of ours. */
function act(type: string, from: readonly string[], step: Step, guarded: boolean): Operation {
  return (call) => {
    const release = read(call);
    const { phaseID } = bodyOf(call);
    if (!from.includes(release.status))
      throw new Refusal(400, `The release pipeline trigger is ${release.status}: it cannot do this`);
    if (guarded && phaseID !== release.currentPhaseID)
      throw new Refusal(400, `The current phase is ${release.currentPhaseID}, not ${String(phaseID)}`);
    const next = noted(step(release, call), type, now(call), release.currentPhaseID);
    call.world.put(triggers, release.id, next);
    return answerItem(call, next, "updated");
  };
}

const running = ["IN_PROGRESS"];

const begin: Step = (release, call) => {
  // A release of a seed knows no phases.
  const phase = release.$phases?.[release.$place ?? 0];
  const end = now(call) + Number(phase?.timeIntervalMs ?? 0);
  return { ...release, status: "IN_PROGRESS", currentPhaseEndTime: end };
};
const pause: Step = (release, call) => ({
  ...release,
  status: "PAUSED",
  currentPhaseEndTime: null,
  $leftMs: Number(release.currentPhaseEndTime) - now(call),
});
const unpause: Step = (release, call) => ({
  ...release,
  status: "IN_PROGRESS",
  currentPhaseEndTime: now(call) + Number(release.$leftMs),
});

/** The item has its old rules afterwards (console-api/delivery.md, 4.3). */
const abort: Step = (release, call) => {
  const [behaviour, id] =
    release.gateID === undefined ? [dynamicConfig, release.dynamicConfigID] : [gate, release.gateID];
  const former = isObject(release.$before) ? release.$before : {};
  restoreItem({ ...call, behaviour }, String(id), former);
  return closed(release, "ABORTED");
};

/** Triggers as they are now; this list declares its range, 1 to 100, and refuses what is beyond it. */
const listTriggers: Operation = (call) => {
  if (call.query.get("limit")?.[0] === "0")
    throw invalidMember("limit", "Number must be greater than or equal to 1");
  const all = call.world.list(triggers, true).map((item) => releaseAt(item as Release, now(call)));
  const found = filtered(call, all).filter(timeRange(call, "createdTime"));
  return answerPage(call, found, { ...usualPages, whenTooLarge: "refuse" }, (item) => show(call, item));
};

/** Behaviour of the releases that pipelines have started. */
export const releasePipelineTrigger = defineBehaviour({
  definition: readables.releasePipelineTrigger,
  filters: { startDate: null, endDate: null },
  operations: {
    list: listTriggers,
    get: (call) => answerItem(call, read(call), "read"),
    approve: act("APPROVED_FOR", ["WAITING_FOR_REVIEW"], begin, true),
    pause: act("PAUSED", running, pause, true),
    unpause: act("UNPAUSED", ["PAUSED"], unpause, true),
    skip: act("SKIPPED", running, (release, call) => advanced(release, now(call)), true),
    abort: act("ABORTED", open, abort, false),
    rollout: act("FULL_ROLL_OUT", open, (release) => closed(release, "COMPLETED"), false),
  },
});
