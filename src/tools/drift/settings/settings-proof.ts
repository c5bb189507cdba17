import { isObject, type JsonObject } from "../../../provider/schema/json";
import { differingPlaces } from "../../../provider/values/places";
import type { Values } from "../../../provider/values/walk";
import { called, type Resource } from "../../stack/resources";
import type { Comparison, NewValue } from "../comparison";
import { type ChangeableSettings, isText, type Setting, type Sides } from "./settings-file";

/** A comparison, as far as the program has to change once the settings have. */
export interface FedComparison {
  readonly comparison: Comparison;
  /** The arguments that the unchanged program sets with the changed settings. */
  readonly expected: JsonObject;
  /** The arguments that change, as they are to be in the end. */
  readonly meant: JsonObject;
  readonly settings: readonly Setting[];
}

/** The resources that a program would make with these settings changed; undefined where it would refuse them. */
export type Trial = (settings: readonly Setting[]) => Promise<readonly Resource[] | undefined>;

/** Arguments that the rewriter cannot write, by URN. */
export type RefusedNames = ReadonlyMap<string, ReadonlySet<string>>;

/** The most trials in which a setting that feeds another place than it seemed to is left out of the next one. */
const mostTrials = 3;

/** The most settings that are tried alone. */
const mostAlone = 10;

/**
 * Finds settings that feed the refused arguments of comparisons. A trial proves that the program makes of the changed settings what
 * is meant, and changes nothing else of this package.
 */
export async function fedComparisons(
  comparisons: readonly Comparison[],
  { refused, settings, resources }: Feeding,
  trial: Trial,
): Promise<readonly FedComparison[]> {
  const fedBy = (isLeft: (urn: string, setting: Setting) => boolean) =>
    comparisons.map((one) =>
      fedComparison(one, refused, (sides) => {
        const found = settings.matching(sides).filter((setting) => isLeft(one.resource.urn, setting));
        return candidatesFor(one.resource, found, settings.together);
      }),
    );
  const excluded = new Set<string>();
  const isLeft = (urn: string, setting: Setting) =>
    ![urn, everywhere].some((place) => excluded.has(exclusion(place, setting)));
  for (let turn = 0; turn < mostTrials; turn += 1) {
    const fed = fedBy(isLeft);
    const changed = changedSettings(fed);
    if (changed.length === 0) return fed;
    const torn = changed.filter((one) => changed.some((other) => other !== one && other.start === one.start));
    const made = torn.length > 0 ? undefined : await trial(changed);
    const faults = made === undefined ? [] : faultsIn(resources, fed, made);
    if (made !== undefined && faults.length === 0) return madeAsMeant(fed, made);
    const blame = [
      ...torn.map((one) => exclusion(everywhere, one)),
      ...faults.flatMap((one) => blamed(one, fed, changed)),
    ];
    if (blame.length === 0) break;
    for (const key of blame) excluded.add(key);
  }
  // Nothing shows which setting is at fault: each is tried alone, and those that are proved once more together.
  const proved = async (some: readonly Setting[]) => {
    const fed = fedBy((_, setting) => some.includes(setting));
    const made = some.length === 0 ? undefined : await trial(some);
    return made !== undefined && faultsIn(resources, fed, made).length === 0
      ? madeAsMeant(fed, made)
      : undefined;
  };
  const good: Setting[] = [];
  for (const one of changedSettings(fedBy(isLeft)).slice(0, mostAlone))
    if ((await proved([one])) !== undefined) good.push(one);
  return (await proved(good)) ?? fedBy(() => false);
}

const changedSettings = (fed: readonly FedComparison[]): readonly Setting[] => [
  ...new Set(fed.flatMap((one) => one.settings)),
];

/** Without the values that the program makes of the changed settings as they are meant, also where it computes them. */
function madeAsMeant(fed: readonly FedComparison[], made: readonly Resource[]): readonly FedComparison[] {
  const byUrn = new Map(made.map((one) => [one.urn, one.wanted]));
  return fed.map((one) => {
    const { resource, values, differences } = one.comparison;
    const shown = byUrn.get(resource.urn) ?? {};
    const isAt = (args: JsonObject = {}, name: string) =>
      differingPlaces(resource.definition, name, { live: shown[name], program: args[name] }).length === 0;
    // The rewriter still writes an argument that the settings do not change: an empty list and none are equal here.
    const isMade = (name: string) =>
      Object.hasOwn(one.meant, name) && isAt(one.meant, name) && !isAt(resource.wanted, name);
    return {
      ...one,
      comparison: {
        ...one.comparison,
        values: values.filter(({ name }) => !isMade(name)),
        differences: differences.filter(({ name }) => !isMade(name)),
      },
    };
  });
}

/** Settings, and the arguments that they may feed. */
export interface Feeding {
  readonly refused: RefusedNames;
  readonly settings: ChangeableSettings;
  /** All resources of the stack. */
  readonly resources: readonly Resource[];
}

const everywhere = "";

function exclusion(urn: string, { path }: Setting): string {
  return `${urn}\n${path.join("\n")}`;
}

function fedComparison(
  comparison: Comparison,
  refused: RefusedNames,
  settingsFor: (sides: Sides) => readonly Setting[],
): FedComparison {
  const { resource, differences } = comparison;
  const names = refused.get(resource.urn) ?? new Set();
  const isFed = (name: string) =>
    names.has(name) && !differences.some((one) => one.name === name && one.secret);
  const parts = comparison.values.map((value) => {
    const sides = { wanted: value.wanted, meant: value.live };
    const fed: Fed = isFed(value.name)
      ? fedPlaces(sides, settingsFor)
      : { rest: value.live, fed: value.wanted, settings: [] };
    return { value, fed };
  });
  const left = new Map(
    parts
      .filter(({ fed }) => fed.settings.length > 0)
      .map(({ value: { name, wanted }, fed }) => {
        const places = differingPlaces(resource.definition, name, { live: fed.rest, program: wanted });
        return [name, new Set(places.map(({ path }) => path.join("\n")))] as const;
      }),
  );
  const values = parts.flatMap(({ value, fed }) =>
    left.get(value.name)?.size === 0 ? [] : [{ ...value, live: fed.rest }],
  );
  const told = parts.filter(({ fed }) => fed.settings.length > 0);
  return {
    comparison: {
      ...{ ...comparison, values },
      differences: differences.filter(({ name, path }) => left.get(name)?.has(path.join("\n")) !== false),
    },
    expected: {
      ...resource.wanted,
      ...Object.fromEntries(told.map(({ value, fed }) => [value.name, fed.fed])),
    },
    meant: Object.fromEntries(comparison.values.map(({ name, live }) => [name, live])),
    settings: parts.flatMap(({ fed }) => fed.settings),
  };
}

/** Of several settings the one with the object's name; else all of them or none, which a trial then proves or refuses. */
function candidatesFor(resource: Resource, found: readonly Setting[], together: boolean): readonly Setting[] {
  const names = [resource.name, resource.id, called(resource)];
  const named = found.filter(({ path }) => names.includes(path.at(-1)?.replace(/^.*:/, "")));
  if (named.length === 1) return named;
  return together || found.length === 1 ? found : [];
}

/** Settings with the value that an argument is to lose, where nothing shows which of them the program reads. */
export function unclearSettings(
  { resource }: Comparison,
  { wanted, live }: NewValue,
  { matching, together }: ChangeableSettings,
): readonly Setting[] {
  const unclear = new Set<Setting>();
  fedPlaces({ wanted, meant: live }, (sides) => {
    const found = matching(sides);
    if (candidatesFor(resource, found, together).length === 0) for (const one of found) unclear.add(one);
    return [];
  });
  return [...unclear];
}

/** A place at which a trial shows something else than expected. */
interface Fault extends Pick<Values, "program" | "live"> {
  readonly urn: string;
}

function faultsIn(
  resources: readonly Resource[],
  fed: readonly FedComparison[],
  made: readonly Resource[],
): Fault[] {
  const byUrn = new Map(made.map((one) => [one.urn, one.wanted]));
  const byComparison = new Map(fed.map((one) => [one.comparison.resource.urn, one]));
  return resources.flatMap(({ urn, definition, wanted }): Fault[] => {
    const { expected = wanted ?? {}, meant = {} } = byComparison.get(urn) ?? {};
    const shown = byUrn.get(urn) ?? {};
    const names = new Set([...Object.keys(expected), ...Object.keys(shown)]);
    const places = [...names].flatMap((name) => {
      const differing = (one: JsonObject) =>
        differingPlaces(definition, name, { live: shown[name], program: one[name] });
      const isMeant = Object.hasOwn(meant, name) && differing(meant).length === 0;
      return isMeant ? [] : differing(expected);
    });
    return places.map(({ program, live }) => ({ urn, program, live }));
  });
}

/** The settings that a fault speaks against: there, where it was meant to feed the place, and everywhere, where it was not. */
function blamed(
  { urn, program, live }: Fault,
  fed: readonly FedComparison[],
  changed: readonly Setting[],
): string[] {
  const own = fed.find((one) => one.comparison.resource.urn === urn)?.settings ?? [];
  const missed = own.filter(({ meant }) => isText(meant, program));
  if (missed.length > 0) return missed.map((one) => exclusion(urn, one));
  return changed.filter(({ meant }) => isText(meant, live)).map((one) => exclusion(everywhere, one));
}

/** A value taken apart by what makes it: settings, or the program. */
interface Fed {
  /** Value for the program while the settings stay: the new one, but for places that settings feed. */
  readonly rest: unknown;
  /** Value of the program once the settings have changed: its own, but for places that they feed. */
  readonly fed: unknown;
  readonly settings: readonly Setting[];
}

/** The settings that may feed a place of these two values. */
type SettingsFor = (sides: Sides) => readonly Setting[];

/** Takes a value apart: a setting may hold a whole list. */
function fedPlaces({ wanted, meant }: Sides, settingsFor: SettingsFor): Fed {
  const settings = settingsFor({ wanted, meant });
  if (settings.length > 0) return { rest: wanted, fed: meant, settings };
  if (Array.isArray(wanted) && Array.isArray(meant)) return inLists(wanted, meant, settingsFor);
  if (isObject(wanted) && isObject(meant)) return inObjects(wanted, meant, settingsFor);
  return { rest: meant, fed: wanted, settings };
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
