import type { JsonObject } from "../../../provider/schema/json";
import type { World } from "../../store/store";
import type { Ports } from "../behaviour";

const minuteMs = 60_000;
const minutes = 60;

const collectionOf = (kind: string): string => `${kind} checks`;

/** Counts checks of an object that an application made now. */
export function countChecks(world: World, kind: string, id: string, checks: number, now: number): void {
  const minute = String(Math.floor(now / minuteMs));
  const counted = recent(world.get(collectionOf(kind), id), now);
  world.put(collectionOf(kind), id, { ...counted, [minute]: Number(counted[minute] ?? 0) + checks });
}

/** The checks of the last hour; left alone for an object that nobody ever checked, because a seed may tell them. */
export function checkedInHour(kind: string) {
  return (world: World, item: JsonObject, { clock }: Ports): { checksPerHour?: number } => {
    const counted = world.get(collectionOf(kind), String(item.id));
    if (counted === undefined) return {};
    const checks = Object.values(recent(counted, clock())).map(Number);
    return { checksPerHour: checks.reduce((sum, one) => sum + one, 0) };
  };
}

/** Forgets the checks of an object that is gone. */
export function forgetChecks(kind: string): (world: World, id: string) => void {
  return (world, id) => world.remove(collectionOf(kind), id);
}

function recent(counted: JsonObject | undefined, now: number): JsonObject {
  const oldest = Math.floor(now / minuteMs) - minutes;
  return Object.fromEntries(Object.entries(counted ?? {}).filter(([minute]) => Number(minute) > oldest));
}
