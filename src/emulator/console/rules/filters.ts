import { catalog } from "../../../provider/definitions/index";
import { auditOf } from "../../../provider/schema/audit";
import type { JsonObject } from "../../../provider/schema/json";
import type { Call, ItemFilter } from "../behaviour";

/** Query parameters that are switches of an answer and no filters. */
const isSwitch = (parameter: string): boolean => parameter.startsWith("include");

/** Decides which items of a list a request asks for; undefined: all of them. */
export type Filter = (item: JsonObject) => boolean;

/**
 * The filter that a list's query says. A parameter filters by the member of its name; given several times, one of its
 * values has to fit (assumption: nothing is published), and so it is with members that are arrays.
 */
export function readFilter({ behaviour, route, query, world }: Call): Filter | undefined {
  const wanted = (route.query ?? []).flatMap((parameter) => {
    const values = query.get(parameter);
    const member = behaviour.filters?.[parameter] === undefined ? parameter : behaviour.filters[parameter];
    return values === undefined || isSwitch(parameter) || member === null ? [] : [{ member, values }];
  });
  if (wanted.length === 0) return undefined;
  return (item) =>
    wanted.every(({ member, values }) =>
      typeof member === "function"
        ? values.some((value) => member(item, value, world))
        : holdsOne(item[member], values),
    );
}

/** The items that a request asks for. */
export function filtered(call: Call, items: readonly JsonObject[]): readonly JsonObject[] {
  const fits = readFilter(call);
  return fits === undefined ? items : items.filter(fits);
}

/** A query says the id of a target app, while objects show names; a name fits too (assumption). */
export const byTargetApp: ItemFilter = (item, value, world) => {
  const name = world.get(catalog.targetApp.name, value)?.name;
  return holdsOne(item.targetApps, typeof name === "string" ? [value, name] : [value]);
};

/** The end of a range, milliseconds since 1970. A day without a time of day is meant whole (assumption). */
export const endOf = (time: string): number =>
  Date.parse(/^\d{4}-\d\d-\d\d$/.test(time) ? `${time}T23:59:59.999Z` : time);

const createdAt = (item: JsonObject): number => auditOf(catalog.experiment, item).created ?? Number.NaN;

/** Filters of every list of experiments that are not the equality of a member. */
export const experimentFilters: Readonly<Record<string, ItemFilter>> = {
  targetAppID: byTargetApp,
  createdStartDate: (item, day) => !(createdAt(item) < Date.parse(day)),
  createdEndDate: (item, day) => !(createdAt(item) > endOf(day)),
  stale: (item, value) => String(item.isStale === true) === value,
};

function holdsOne(member: unknown, values: readonly string[]): boolean {
  const held = Array.isArray(member) ? member : [member ?? ""];
  return held.some((one) => values.includes(String(one)));
}
