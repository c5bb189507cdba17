import type { JsonObject } from "../../../provider/schema/json";
import { called, type Resource } from "../../stack/resources";
import { type Comparison, type Difference, placesOf } from "../three-ways";
import { type Fed, fedPlaces } from "./fed-places";
import { type ChangeableSettings, isText, type Setting, type Sides } from "./settings-file";

/** A comparison, as far as the program has to change once the settings have. */
export interface FedComparison {
  readonly comparison: Comparison;
  /** The arguments that the unchanged program sets with the changed settings. */
  readonly expected: JsonObject;
  readonly settings: readonly Setting[];
}

/** The resources that a program would make with these settings changed; undefined where it would refuse them. */
export type Trial = (settings: readonly Setting[]) => Promise<readonly Resource[] | undefined>;

/** Arguments that the rewriter cannot write, by URN. */
export type RefusedNames = ReadonlyMap<string, ReadonlySet<string>>;

/** The most trials: a setting that feeds another place than it seemed to is left out of the next one. */
const mostTrials = 3;

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
  for (let turn = 0; turn < mostTrials; turn += 1) {
    const fed = comparisons.map((one) =>
      fedComparison(one, refused, (sides) => {
        const found = settings
          .matching(sides)
          .filter((setting) => !isExcluded(excluded, one.resource.urn, setting));
        return candidatesFor(one.resource, found, settings.together);
      }),
    );
    const changed = [...new Set(fed.flatMap((one) => one.settings))];
    if (changed.length === 0) return fed;
    const torn = changed.filter((one) => changed.some((other) => other !== one && other.start === one.start));
    if (torn.length > 0) {
      for (const one of torn) excluded.add(exclusion(everywhere, one));
      continue;
    }
    const made = await trial(changed);
    const faults = made === undefined ? undefined : faultsIn(resources, fed, made);
    if (faults?.length === 0) return fed;
    const known = excluded.size;
    for (const fault of faults ?? []) for (const key of blamed(fault, fed, changed)) excluded.add(key);
    if (excluded.size === known) break;
  }
  return comparisons.map((one) => fedComparison(one, refused, () => []));
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
  const expected = new Map(fed.map((one) => [one.comparison.resource.urn, one.expected]));
  return resources.flatMap(({ urn, definition, wanted }): Fault[] => {
    const [meant = {}, shown = {}] = [expected.get(urn) ?? wanted, byUrn.get(urn)];
    const names = new Set([...Object.keys(meant), ...Object.keys(shown)]);
    const places = [...names].flatMap((name) =>
      placesOf(definition, name, { wanted: meant[name], live: shown[name] }),
    );
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
