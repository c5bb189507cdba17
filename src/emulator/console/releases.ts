import { readables } from "../../provider/definitions/index";
import { equalJson, type JsonObject, objectsIn } from "../../provider/schema/json";
import { auditMember, stampsOfNew } from "../store/stamps";
import type { World } from "../store/store";
import type { Call } from "./behaviour";
import { areAll } from "./rules/project-rules";
import { rulesOf, touchedEnvironments } from "./rules/rules";

/** Collection of the releases, which the API calls triggers. */
export const triggers = "releasePipelineTrigger";

/** A release; members with a `$` are the console's own notes. */
export interface Release extends JsonObject {
  readonly id: string;
  readonly status: string;
  readonly currentPhaseID: string | null;
  readonly currentPhaseEndTime: number | null;
  readonly actions: readonly JsonObject[];
  /** The phases as they were when it started: a later change of the pipeline is for later releases (assumption). */
  readonly $phases?: readonly JsonObject[];
  /** Place of the current phase among them. */
  readonly $place?: number;
}

/** Members of a gate or config that a release stages. */
const staged = ["rules", "isEnabled", "status"];

/**
 * Starts a release when the rules of an object with a pipeline changed or when it was switched on. The write itself
 * applies at once: a key of the API is taken to stand above stages, as it does above reviews (assumption; console-api,
 * section 13, row 3). What it replaced is kept, because an aborted release leaves the old rules.
 */
export function startRelease({ world, ports, behaviour }: Call, before: JsonObject, after: JsonObject): void {
  const phases = objectsIn(world.get("releasePipeline", String(after.releasePipelineID))?.phases);
  const switchedOn = before.isEnabled !== true && after.isEnabled === true;
  if (phases.length === 0 || (!switchedOn && equalJson(before.rules, after.rules))) return;
  if (!switchedOn && isOutsideReleases(world, before, after)) return;
  const now = ports.clock();
  const id = ports.makeId();
  const release: Release = {
    id,
    ...{ releasePipelineID: after.releasePipelineID, [`${behaviour.definition.name}ID`]: after.id },
    ...{ description: "", ...stampsOfNew(readables.releasePipelineTrigger, now) },
    [auditMember(readables.releasePipelineTrigger, "madeById") ?? ""]: "",
    ...{ lastModifierID: "", lastModifierName: "CONSOLE API" },
    ...{ status: "IN_PROGRESS", currentPhaseID: null, currentPhaseEndTime: null, actions: [] },
    ...{ $phases: phases, $place: 0, $startedAt: now },
    $before: Object.fromEntries(staged.map((name) => [name, before[name]])),
  };
  const started = enter(release, 0, now);
  world.put(triggers, id, noted(started, "STARTED", now, started.currentPhaseID ?? String(phases[0]?.id)));
}

/** True for a change of rules that touches environments without release pipelines alone (console-api/corrections-2.md, section 5). */
function isOutsideReleases(world: World, before: JsonObject, after: JsonObject): boolean {
  const touched = touchedEnvironments(rulesOf(before), rulesOf(after));
  return areAll(world, touched, ({ requiresReleasePipeline }) => requiresReleasePipeline !== true);
}

/** Starts a release of the rules that a new object has. Without rules there is nothing to stage (assumption). */
export function startFirstRelease(call: Call, after: JsonObject): void {
  startRelease(call, { ...after, rules: [] }, after);
}

/** A release as it is at a moment: phases whose time is over have given way to the next. */
export function releaseAt(release: Release, now: number): Release {
  let current = release;
  while (current.status === "IN_PROGRESS" && Number(current.currentPhaseEndTime) <= now) {
    current = advanced(current, Number(current.currentPhaseEndTime));
  }
  return current;
}

/** States of a release that has not ended. */
export const open: readonly string[] = ["IN_PROGRESS", "PAUSED", "WAITING_FOR_REVIEW"];

/** Why nobody here knows which rules of an object its release pipeline has let out; undefined where all of them are. */
export function releaseDoubt(
  { world, at }: { readonly world: World; readonly at: number },
  member: "gateID" | "dynamicConfigID",
  { id, releasePipelineID }: JsonObject,
): string | undefined {
  if (typeof releasePipelineID !== "string" || releasePipelineID === "") return undefined;
  const pipeline = world.get("releasePipeline", releasePipelineID);
  const name = JSON.stringify(pipeline?.name ?? releasePipelineID);
  const running = openReleases(world, at).find((one) => one[member] === id);
  if (running === undefined && pipeline !== undefined) return undefined;
  const stage =
    typeof running?.currentPhase === "string" ? `, now ${JSON.stringify(running.currentPhase)}` : "";
  return `release pipeline ${name} brings its rules out in stages${stage}, and what a stage lets out is known to the service alone`;
}

/** True while a release goes through a pipeline. */
export function isInRollout({ world, ports }: Call, pipeline: string): boolean {
  return openReleases(world, ports.clock()).some(({ releasePipelineID }) => releasePipelineID === pipeline);
}

function openReleases(world: World, now: number): Release[] {
  return world
    .list(triggers, true)
    .map((one) => releaseAt(one as Release, now))
    .filter(({ status }) => open.includes(status));
}

/** A release that enters a phase, or is done when there is none left. */
function enter(release: Release, place: number, at: number): Release {
  const phase = release.$phases?.[place];
  if (phase === undefined) return closed(release, "COMPLETED");
  const waits = phase.requiredReview === true;
  return {
    ...release,
    status: waits ? "WAITING_FOR_REVIEW" : "IN_PROGRESS",
    currentPhase: phase.name,
    currentPhaseID: String(phase.id),
    currentPhaseEndTime: waits ? null : at + Number(phase.timeIntervalMs),
    $place: place,
  };
}

/** A release that goes on to its next phase. */
export function advanced(release: Release, at: number): Release {
  return enter(release, (release.$place ?? 0) + 1, at);
}

/** A release that has come to its end. */
export function closed(release: Release, status: "COMPLETED" | "ABORTED"): Release {
  return { ...release, status, currentPhase: null, currentPhaseID: null, currentPhaseEndTime: null };
}

/** A release with one more entry in its history. */
export function noted(release: Release, type: string, now: number, phase: string | null): Release {
  const entry = { type, timeMs: now, phaseID: phase ?? "", actorID: "", actorName: "CONSOLE API" };
  return { ...release, actions: [...release.actions, entry] };
}
