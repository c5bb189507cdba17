import { catalog, readables } from "../../provider/definitions/index";
import { isObject, type JsonObject, objectsIn } from "../../provider/schema/json";
import { countChecks } from "../console/rules/checks";
import type { World } from "../store/store";

/** Prefix of the events of SDKs about themselves and about checks; no application may log such a name. */
const ownPrefix = "statsig::";

/** Exposures by their event -> the kinds that may have been checked, and the member that names the object. */
const exposures: Readonly<Record<string, readonly [member: string, ...kinds: string[]]>> = {
  "statsig::gate_exposure": ["gate", catalog.gate.name],
  // Of a config and an experiment of one id, SDKs see the experiment.
  "statsig::config_exposure": ["config", catalog.experiment.name, catalog.dynamicConfig.name],
  "statsig::layer_exposure": ["allocatedExperiment", catalog.experiment.name],
};

/** The most events that are kept: the console on the desk is no warehouse. */
const mostEvents = 10_000;
const logbook = "event log";

/** Takes what an SDK logs: events of the application become events of the console, exposures count as checks. */
export function takeEvents(
  world: World,
  { events: sent, statsigMetadata }: JsonObject,
  now: number,
  onNewEvent: (world: World, id: string) => void,
): void {
  const events = objectsIn(sent);
  const sdk = isObject(statsigMetadata) ? textOf(statsigMetadata.sdkType) : "";
  countExposures(world, events, now);
  const logged = events.filter(
    ({ eventName }) => textOf(eventName) !== "" && !textOf(eventName).startsWith(ownPrefix),
  );
  if (logged.length === 0) return;
  let next = Number(world.get(logbook, "log")?.next ?? 0);
  for (const event of logged) {
    world.put(readables.event.name, idOf(next), eventItem(event, sdk, now));
    onNewEvent(world, idOf(next));
    world.remove(readables.event.name, idOf(next - mostEvents));
    next += 1;
  }
  world.put(logbook, "log", { next });
}

const idOf = (place: number): string => `logged ${place}`;

function eventItem(
  { eventName, time, user, value, metadata }: JsonObject,
  source: string,
  now: number,
): JsonObject {
  return {
    name: eventName,
    timestamp: String(time ?? now),
    source,
    value: textOf(value),
    userID: isObject(user) ? textOf(user.userID) : "",
    metadata: isObject(metadata) ? metadata : {},
  };
}

/** Of objects that are there: an application may ask for a name that is misspelt. */
function countExposures(world: World, events: readonly JsonObject[], now: number): void {
  const counts = new Map<string, number>();
  for (const { eventName, metadata } of events) {
    const [member, ...kinds] = exposures[textOf(eventName)] ?? [];
    if (member === undefined || !isObject(metadata)) continue;
    const key = JSON.stringify([textOf(metadata[member]), ...kinds]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [key, checks] of counts) {
    const [id = "", ...kinds] = JSON.parse(key) as string[];
    const kind = kinds.find((one) => world.get(one, id) !== undefined);
    if (kind !== undefined) countChecks(world, kind, id, checks, now);
  }
}

const textOf = (value: unknown): string => (value === undefined || value === null ? "" : String(value));
