import { type JsonObject, kept } from "../../../provider/schema/json";
import type { World } from "../../store/store";
import type { Call } from "../behaviour";

const minuteMs = 60_000;
const minutes = 60;
const hourMs = minutes * minuteMs;
const hoursOfDay = 24;

/** Checks are counted by the minute for an hour, and by the hour for a week. */
const spans = [
  { name: "checks", unitMs: minuteMs, most: minutes },
  { name: "exposures", unitMs: hourMs, most: 7 * hoursOfDay },
] as const;
type Span = (typeof spans)[number];
const [ofHour, ofWeek] = spans;

/** Counts checks of an object that an application made now. */
export function countChecks(world: World, kind: string, id: string, checks: number, now: number): void {
  for (const span of spans) {
    const unit = String(Math.floor(now / span.unitMs));
    const collection = `${kind} ${span.name}`;
    const counted = recent(span, world.get(collection, id), now);
    world.put(collection, id, { ...counted, [unit]: Number(counted[unit] ?? 0) + checks });
  }
}

/** The checks of the last hour; left alone for an object that nobody ever checked, because a seed may tell them. */
export function checkedInHour({ world, behaviour, ports }: Call, item: JsonObject): JsonObject {
  const counted = world.get(`${behaviour.definition.name} ${ofHour.name}`, String(item.id));
  return counted === undefined ? {} : { checksPerHour: sum(recent(ofHour, counted, ports.clock())) };
}

/** The exposures of an object in the past day and in the past seven days, to the hour. */
export function exposuresOf({ world, ports }: Call, kind: string, id: string): JsonObject {
  const counted = world.get(`${kind} ${ofWeek.name}`, id);
  const now = ports.clock();
  const pastDay = sum(recent({ ...ofWeek, most: hoursOfDay }, counted, now));
  return { id, pastDay, past7Days: sum(recent(ofWeek, counted, now)) };
}

function sum(counted: JsonObject): number {
  return Object.values(counted).reduce<number>((total, one) => total + Number(one), 0);
}

/** The counts of the last units of time. */
function recent(
  { unitMs, most }: Pick<Span, "unitMs"> & { readonly most: number },
  counted: JsonObject | undefined,
  now: number,
): JsonObject {
  const oldest = Math.floor(now / unitMs) - most;
  return kept(counted ?? {}, (unit) => Number(unit) > oldest);
}
