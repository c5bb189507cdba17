import type { JsonObject } from "../../../provider/schema/json";
import { called, type Resource } from "../../stack/resources";
import { type Comparison, type Difference, type NewValue, placesOf } from "../three-ways";
import { type Fed, fedPlaces } from "./fed-places";
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

/** The most trials by halves, where nothing shows which setting is at fault. */
const mostHalvings = 30;

/**
 * Finds settings that feed the refused arguments of comparisons. A trial proves that the program makes of the changed settings what
 * is meant, and changes nothing else of this package.
 */
export async function fedComparisons(
  comparisons: readonly Comparison[],
  { refused, settings, resources }: Feeding,
  trial: Trial,
): Promise<readonly FedComparison[]> {
  const excluded = new Set<string>();
  const fedWithout = (left: ReadonlySet<string>) =>
    comparisons.map((one) =>
      fedComparison(one, refused, (sides) => {
        const found = settings
          .matching(sides)
          .filter((setting) => !isExcluded(left, one.resource.urn, setting));
        return candidatesFor(one.resource, found, settings.together);
      }),
    );
  const tried = async (fed: readonly FedComparison[]) => {
    const made = await trial(changedSettings(fed));
    return made && { made, faults: faultsIn(resources, fed, made) };
  };
  for (let turn = 0; turn < mostTrials; turn += 1) {
    const fed = fedWithout(excluded);
    const changed = changedSettings(fed);
    if (changed.length === 0) return fed;
    const torn = changed.filter((one) => changed.some((other) => other !== one && other.start === one.start));
    if (torn.length > 0) {
      for (const one of torn) excluded.add(exclusion(everywhere, one));
      continue;
    }
    const result = await tried(fed);
    if (result?.faults.length === 0) return madeAsMeant(fed, result.made);
    const known = excluded.size;
    for (const fault of result?.faults ?? [])
      for (const key of blamed(fault, fed, changed)) excluded.add(key);
    if (excluded.size === known) break;
  }
  const none = comparisons.map((one) => fedComparison(one, refused, () => []));
  return (await halved(excluded, fedWithout, tried)) ?? none;
}

/** Leaves out, half by half, the settings that no trial proves. Undefined where it proves none. */
async function halved(
  excluded: ReadonlySet<string>,
  fedWithout: (left: ReadonlySet<string>) => readonly FedComparison[],
  tried: (fed: readonly FedComparison[]) => Promise<TrialResult | undefined>,
): Promise<readonly FedComparison[] | undefined> {
  const all = changedSettings(fedWithout(excluded));
  let trials = 0;
  let proved: readonly FedComparison[] | undefined;
  const isProved = async (some: readonly Setting[]): Promise<boolean> => {
    trials += 1;
    if (trials > mostHalvings) return false;
    const others = all.filter((one) => !some.includes(one));
    const fed = fedWithout(new Set([...excluded, ...others.map((one) => exclusion(everywhere, one))]));
    const result = await tried(fed);
    proved = result?.faults.length === 0 ? madeAsMeant(fed, result.made) : undefined;
    return proved !== undefined;
  };
  const provedAmong = async (some: readonly Setting[]): Promise<readonly Setting[]> => {
    if (some.length === 0 || (await isProved(some))) return some;
    if (some.length === 1) return [];
    const middle = Math.ceil(some.length / 2);
    const first = await provedAmong(some.slice(0, middle));
    const second = await provedAmong(some.slice(middle));
    const both = [...first, ...second];
    if (first.length === 0 || second.length === 0) return both;
    return both.length < some.length && (await isProved(both)) ? both : first;
  };
  const found = await provedAmong(all);
  // The last proof may have been that of another half.
  return found.length > 0 && (await isProved(found)) ? proved : undefined;
}

interface TrialResult {
  readonly made: readonly Resource[];
  readonly faults: readonly Fault[];
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
      placesOf(resource.definition, name, { wanted: args[name], live: shown[name] }).length === 0;
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

/** What feeds what. */
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

function isExcluded(excluded: ReadonlySet<string>, urn: string, setting: Setting): boolean {
  return [urn, everywhere].some((place) => excluded.has(exclusion(place, setting)));
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
        const places = placesOf(resource.definition, name, { wanted, live: fed.rest });
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
interface Fault extends Pick<Difference, "wanted" | "live"> {
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
        placesOf(definition, name, { wanted: one[name], live: shown[name] });
      const isMeant = Object.hasOwn(meant, name) && differing(meant).length === 0;
      return isMeant ? [] : differing(expected);
    });
    return places.map(({ wanted: one, live }) => ({ urn, wanted: one, live }));
  });
}

/** The settings that a fault speaks against: there, where it was meant to feed the place, and everywhere, where it was not. */
function blamed(
  { urn, wanted, live }: Fault,
  fed: readonly FedComparison[],
  changed: readonly Setting[],
): string[] {
  const own = fed.find((one) => one.comparison.resource.urn === urn)?.settings ?? [];
  const missed = own.filter(({ meant }) => isText(meant, wanted));
  if (missed.length > 0) return missed.map((one) => exclusion(urn, one));
  return changed.filter(({ meant }) => isText(meant, live)).map((one) => exclusion(everywhere, one));
}
