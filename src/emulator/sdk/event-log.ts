import { catalog, readables } from "../../provider/definitions/index";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { countChecks } from "../console/rules/checks";
import type { World } from "../store/store";

/** What SDKs tell of themselves and of checks begins so; no application may log such a name. */
const ownPrefix = "statsig::";

/** Exposures by their event -> the kind that was checked, and the member that names it. */
const exposures: Readonly<Record<string, readonly [kind: string, member: string]>> = {
  "statsig::gate_exposure": [catalog.gate.name, "gate"],
  "statsig::config_exposure": [catalog.dynamicConfig.name, "config"],
};

/** The most events that are kept: the console on the desk is no warehouse. */
const mostEvents = 10_000;
const logbook = "event log";

/** Takes what an SDK logs: events of the application become events of the console, exposures count as checks. */
export function takeEvents(
  world: World,
  body: unknown,
  now: number,
  onNewEvent: (world: World, id: string) => void,
): void {
  const events = isObject(body) && Array.isArray(body.events) ? body.events.filter(isObject) : [];
  const sdk = isObject(body) && isObject(body.statsigMetadata) ? textOf(body.statsigMetadata.sdkType) : "";
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
    const [kind, member] = exposures[textOf(eventName)] ?? [];
    if (kind === undefined || member === undefined || !isObject(metadata)) continue;
    const key = JSON.stringify([kind, textOf(metadata[member])]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [key, checks] of counts) {
    const [kind, id] = JSON.parse(key) as [string, string];
    if (world.get(kind, id) !== undefined) countChecks(world, kind, id, checks, now);
  }
}

const textOf = (value: unknown): string => (value === undefined || value === null ? "" : String(value));
