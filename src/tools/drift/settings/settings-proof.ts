import { namesFor } from "../../../provider/decisions/changes";
import { replacedAt } from "../../../provider/schema/path";
import { differingPlaces, type Place } from "../../../provider/values/places";
import { called, type Resource } from "../../stack/resources";
import type { Comparison, NewValue } from "../comparison";
import { type ChangeableSettings, isText, type Setting } from "./settings-file";

/** A comparison, as far as the program has to change once the settings have. */
export interface FedComparison {
  readonly comparison: Comparison;
  /** Settings that feed it. */
  readonly settings: readonly Setting[];
}

/** The resources that a program would make with these settings changed; undefined where it would refuse them. */
export type Trial = (settings: readonly Setting[]) => Promise<readonly Resource[] | undefined>;

/** Arguments that the rewriter cannot write, by URN. */
export type RefusedNames = ReadonlyMap<string, ReadonlySet<string>>;

/** Settings, and the arguments that they may feed. */
export interface Feeding {
  readonly refused: RefusedNames;
  readonly settings: ChangeableSettings;
  /** All resources of the stack. */
  readonly resources: readonly Resource[];
}

/** The most trials in which a setting that changes another place than it should is left out of the next one. */
const mostTrials = 3;

/** The most settings that are tried alone. */
const mostAlone = 10;

/**
 * Finds settings that feed the refused arguments of comparisons. A trial proves that the program makes of the changed settings what
 * is meant, and changes nothing else of this package.
 */
export async function fedComparisons(
  comparisons: readonly Comparison[],
  feeding: Feeding,
  trial: Trial,
): Promise<readonly FedComparison[]> {
  const none = comparisons.map((comparison) => ({ comparison, settings: [] }));
  const proof = async (some: readonly Setting[]) => {
    const made = some.length === 0 ? [] : await trial(some);
    return made === undefined ? { faults: undefined, fed: none } : proofOf(comparisons, feeding, some, made);
  };
  const found = comparisons.flatMap((one) => candidatesOf(one, feeding));
  let left = [...new Set(found)].filter(
    (one, _, all) => !all.some((other) => other !== one && other.start === one.start),
  );
  for (let turn = 0; turn < mostTrials && left.length > 0; turn += 1) {
    const { faults, fed } = await proof(left);
    const feeds = new Set(fed.flatMap(({ settings }) => settings));
    if (faults?.length === 0 && feeds.size === left.length) return fed;
    const isBlamed = ({ meant }: Setting) => faults?.some(({ live }) => isText(meant, live));
    const others = left.filter((one) => !isBlamed(one) && (faults?.length !== 0 || feeds.has(one)));
    if (others.length === left.length) break;
    left = others;
  }
  // Nothing shows which setting is at fault: each is tried alone, and those that are proved once more together.
  const good: Setting[] = [];
  for (const one of left.slice(0, mostAlone)) {
    const { faults, fed } = await proof([one]);
    if (faults?.length === 0 && fed.some(({ settings }) => settings.length > 0)) good.push(one);
  }
  const { faults, fed } = await proof(good);
  return good.length > 0 && faults?.length === 0 ? fed : none;
}

/** Places of an argument at which the program is to set another value. */
function placesOf({ resource }: Comparison, { name, wanted, live }: NewValue): Place[] {
  return differingPlaces(resource.definition, name, { live, program: wanted });
}

/** The settings that have the value of a place and can get its new one. Nothing and an empty list mean the same. */
function matchingAt({ program: wanted = [], live: meant = [] }: Place, { matching }: ChangeableSettings) {
  return matching({ wanted, meant });
}

function candidatesOf(comparison: Comparison, { refused, settings }: Feeding): readonly Setting[] {
  const { resource, differences, values } = comparison;
  const isSecret = (name: string) => differences.some((one) => one.name === name && one.secret);
  const fed = values.filter(({ name }) => refused.get(resource.urn)?.has(name) && !isSecret(name));
  return fed
    .flatMap((value) => placesOf(comparison, value))
    .flatMap((place) => candidatesFor(resource, matchingAt(place, settings), settings));
}

/** Of several settings the one with the object's name; else all of them or none, which a trial then proves or refuses. */
function candidatesFor(
  resource: Resource,
  found: readonly Setting[],
  { together }: ChangeableSettings,
): readonly Setting[] {
  const names = [resource.name, resource.id, called(resource)];
  const named = found.filter(({ path }) => names.includes(path.at(-1)?.replace(/^.*:/, "")));
  if (named.length === 1) return named;
  return together || found.length === 1 ? found : [];
}

/** Settings with the value that an argument is to lose, where nothing shows which of them the program reads. */
export function unclearSettings(
  comparison: Comparison,
  value: NewValue,
  settings: ChangeableSettings,
): readonly Setting[] {
  const unclear = placesOf(comparison, value).flatMap((place) => {
    const found = matchingAt(place, settings);
    return candidatesFor(comparison.resource, found, settings).length === 0 ? found : [];
  });
  return [...new Set(unclear)];
}

/** The comparisons without what the program makes of changed settings, and the places at which it makes what is not meant. */
function proofOf(
  comparisons: readonly Comparison[],
  { settings, resources }: Feeding,
  changed: readonly Setting[],
  made: readonly Resource[],
): { readonly faults: readonly Place[]; readonly fed: readonly FedComparison[] } {
  const byUrn = new Map(made.map((one) => [one.urn, one.wanted]));
  const compared = new Map(comparisons.map((one) => [one.resource.urn, one]));
  const faults: Place[] = [];
  const fed = new Map<string, FedComparison>();
  for (const resource of resources) {
    const { urn, definition, wanted = {} } = resource;
    const comparison = compared.get(urn);
    const shown = byUrn.get(urn) ?? {};
    const parts = [...new Set([...Object.keys(wanted), ...Object.keys(shown)])].map((name) => {
      const value = comparison?.values.find((one) => one.name === name);
      // Other lists may have their elements at other places.
      const differing = (program: unknown) =>
        differingPlaces(definition, name, { live: shown[name], program }).map((place) => ({
          ...place,
          path: namesFor(shown, place.path),
        }));
      const places = differing(wanted[name]);
      const open = value === undefined ? places : differing(value.live);
      const isMeant = (place: Place) => !open.some((one) => isWithin(one, place) || isWithin(place, one));
      faults.push(...places.filter((place) => !isMeant(place)));
      return { name, places: places.filter(isMeant), isWhole: places.length > 0 && open.length === 0 };
    });
    if (comparison === undefined) continue;
    const feeds = (setting: Setting) =>
      parts.some(({ places }) => places.some((place) => matchingAt(place, settings).includes(setting)));
    fed.set(urn, { comparison: without(comparison, parts), settings: changed.filter(feeds) });
  }
  return {
    faults,
    fed: comparisons.map((one) => fed.get(one.resource.urn) ?? { comparison: one, settings: [] }),
  };
}

function isWithin({ path }: Pick<Place, "path">, { path: outer }: Pick<Place, "path">): boolean {
  return outer.every((step, index) => path[index] === step);
}

/** An argument, and its places that the program makes of changed settings. */
interface Made {
  readonly name: string;
  readonly places: readonly Place[];
  /** It is as meant. */
  readonly isWhole: boolean;
}

/** A comparison without what is made already: at those places the program stays as it is. */
function without(comparison: Comparison, parts: readonly Made[]): Comparison {
  const partOf = (name: string) => parts.find((one) => one.name === name);
  const isMade = (place: Place & { readonly name: string }) => {
    const { isWhole, places = [] } = partOf(place.name) ?? {};
    const path = namesFor(comparison.resource.wanted, place.path);
    return isWhole === true || places.some((one) => isWithin({ path }, one));
  };
  const values = comparison.values.flatMap((value): NewValue[] => {
    const { isWhole, places = [] } = partOf(value.name) ?? {};
    if (isWhole === true) return [];
    const live = places.reduce(
      (all, { path, program }) => replacedAt(all, path.slice(1), () => program),
      value.live,
    );
    return [{ ...value, live }];
  });
  return { ...comparison, values, differences: comparison.differences.filter((one) => !isMade(one)) };
}
