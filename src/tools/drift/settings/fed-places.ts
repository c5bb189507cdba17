import { isObject, type JsonObject } from "../../../provider/schema/json";
import type { Setting, Sides } from "./settings-file";

/** A value taken apart by what makes it: settings, or the program. */
export interface Fed {
  /** What the program has to set while the settings stay: the new value, but for what settings feed. */
  readonly rest: unknown;
  /** What the program sets once the settings have changed: its own value, but for what they feed. */
  readonly fed: unknown;
  readonly settings: readonly Setting[];
}

/** The settings that may feed a place of these two values. */
type SettingsFor = (sides: Sides) => readonly Setting[];

/** Takes a value apart. */
export function fedPlaces({ wanted, meant }: Sides, settingsFor: SettingsFor): Fed {
  if (Array.isArray(wanted) && Array.isArray(meant)) return inLists(wanted, meant, settingsFor);
  if (isObject(wanted) && isObject(meant)) return inObjects(wanted, meant, settingsFor);
  const settings = settingsFor({ wanted, meant });
  if (settings.length === 0) return { rest: meant, fed: wanted, settings };
  return { rest: wanted, fed: meant, settings };
}

function inObjects(wanted: JsonObject, meant: JsonObject, settingsFor: SettingsFor): Fed {
  const [rest, fed] = [{ ...meant }, { ...wanted }];
  const settings: Setting[] = [];
  for (const name of Object.keys(meant).filter((one) => Object.hasOwn(wanted, one))) {
    const inner = fedPlaces({ wanted: wanted[name], meant: meant[name] }, settingsFor);
    rest[name] = inner.rest;
    fed[name] = inner.fed;
    settings.push(...inner.settings);
  }
  return { rest, fed, settings };
}

/** Elements stand for each other by name, or by their place in lists of one length. */
function inLists(wanted: readonly unknown[], meant: readonly unknown[], settingsFor: SettingsFor): Fed {
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
    const inner = fedPlaces({ wanted: wanted[place], meant: one }, settingsFor);
    fed[place] = inner.fed;
    settings.push(...inner.settings);
    return inner.rest;
  });
  return { rest, fed, settings };
}
