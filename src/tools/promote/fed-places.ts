import { isObject, type JsonObject } from "../../provider/schema/json";
import type { Setting } from "./settings-file";

/** One value as the program sets it and as it is to be. */
interface Sides {
  readonly wanted: unknown;
  readonly meant: unknown;
}

/** A value taken apart by what makes it: settings, or the program. */
export interface Fed {
  /** What the program has to set while the settings stay: the new value, but for what settings feed. */
  readonly rest: unknown;
  /** What the program sets once the settings have changed: its own value, but for what they feed. */
  readonly fed: unknown;
  readonly settings: readonly Setting[];
}

/** Takes a value apart. `settingFor`: the setting that may feed a place of these two values. */
export function fedPlaces({ wanted, meant }: Sides, settingFor: (sides: Sides) => Setting | undefined): Fed {
  if (Array.isArray(wanted) && Array.isArray(meant)) return inLists(wanted, meant, settingFor);
  if (isObject(wanted) && isObject(meant)) return inObjects(wanted, meant, settingFor);
  const setting = settingFor({ wanted, meant });
  if (setting === undefined) return { rest: meant, fed: wanted, settings: [] };
  return { rest: wanted, fed: meant, settings: [setting] };
}

function inObjects(
  wanted: JsonObject,
  meant: JsonObject,
  settingFor: (sides: Sides) => Setting | undefined,
): Fed {
  const [rest, fed] = [{ ...meant }, { ...wanted }];
  const settings: Setting[] = [];
  for (const name of Object.keys(meant).filter((one) => Object.hasOwn(wanted, one))) {
    const inner = fedPlaces({ wanted: wanted[name], meant: meant[name] }, settingFor);
    rest[name] = inner.rest;
    fed[name] = inner.fed;
    settings.push(...inner.settings);
  }
  return { rest, fed, settings };
}

/** Elements stand for each other by name, or by their place in lists of one length. */
function inLists(
  wanted: readonly unknown[],
  meant: readonly unknown[],
  settingFor: (sides: Sides) => Setting | undefined,
): Fed {
  const nameOf = (one: unknown) => (isObject(one) && typeof one.name === "string" ? one.name : undefined);
  const places = meant.map((one, at) => {
    const name = nameOf(one);
    if (name === undefined) return wanted.length === meant.length ? at : -1;
    return wanted.findIndex((other) => nameOf(other) === name);
  });
  const fed = [...wanted];
  const settings: Setting[] = [];
  const rest = meant.map((one, at) => {
    const place = places[at] ?? -1;
    if (place < 0 || places.indexOf(place) !== at) return one;
    const inner = fedPlaces({ wanted: wanted[place], meant: one }, settingFor);
    fed[place] = inner.fed;
    settings.push(...inner.settings);
    return inner.rest;
  });
  return { rest, fed, settings };
}
