import type { ResourceDefinition } from "../../provider/schema/define";
import type { JsonObject } from "../../provider/schema/json";
import { differingPlaces, namesFor, type Place } from "../../provider/values/places";
import { called, isSecret, type Resource } from "../stack/resources";
import { type ChangeableSettings, isText, type Setting } from "./settings-file";
import { type NewValue, placesOf, type Wish } from "./wish";

/** A wish, as far as the program has to change once settings have. */
export interface FedWish extends Wish {
  /** Settings that feed it. */
  readonly settings: readonly Setting[];
}

/** The resources that a program would make with these settings changed; undefined where it would refuse them. */
export type Trial = (settings: readonly Setting[]) => Promise<readonly Resource[] | undefined>;

/** Settings, and the arguments that they may feed. */
export interface Feeding {
  /** True for an argument that the rewriter cannot write. */
  readonly isRefused: (urn: string, name: string) => boolean;
  readonly settings: ChangeableSettings;
  /** All resources of the stack. */
  readonly resources: readonly Resource[];
}

type Proof = ReturnType<typeof proofOf>;

/**
 * Finds settings that feed the refused arguments of wishes. A trial proves that the program makes of the changed settings what
 * is meant, and changes nothing else of this package.
 */
export async function fedWishes(
  wishes: readonly Wish[],
  feeding: Feeding,
  trial: Trial,
): Promise<readonly FedWish[]> {
  const known = new Map<string, Proof | undefined>();
  const proof = async (some: readonly Setting[]): Promise<Proof | undefined> => {
    const key = some.map(({ start }) => start).join();
    const made = known.has(key) ? undefined : await trial(some);
    if (!known.has(key)) known.set(key, made && proofOf(wishes, feeding, some, made));
    return known.get(key);
  };
  const found = [...new Set(wishes.flatMap((one) => candidatesOf(one, feeding)))];
  const clear = found.filter((one) => !found.some((other) => other !== one && other.start === one.start));
  const good = await provedOf(clear, proof);
  const none = wishes.map((wish) => ({ ...wish, settings: [] }));
  const together = good.length === 0 ? undefined : await proof(good);
  return together?.faults.length === 0 ? together.fed : none;
}

/** The settings that feed something, without those that change another place than they should: what no fault blames is tried in halves. */
async function provedOf(
  settings: readonly Setting[],
  proof: (some: readonly Setting[]) => Promise<Proof | undefined>,
): Promise<readonly Setting[]> {
  if (settings.length === 0) return [];
  const { faults, fed = [] } = (await proof(settings)) ?? {};
  if (faults?.length === 0) return settings.filter((one) => fed.some((wish) => wish.settings.includes(one)));
  const others = settings.filter(({ meant }) => !faults?.some(({ live }) => isText(meant, live)));
  if (others.length < settings.length) return provedOf(others, proof);
  if (settings.length === 1) return [];
  const half = Math.ceil(settings.length / 2);
  return [
    ...(await provedOf(settings.slice(0, half), proof)),
    ...(await provedOf(settings.slice(half), proof)),
  ];
}

/** The settings that have the value of a place and can get its new one. Nothing and an empty list mean the same. */
function matchingAt({ program: wanted = [], live: meant = [] }: Place, { matching }: ChangeableSettings) {
  return matching({ wanted, meant });
}

function candidatesOf({ resource, values }: Wish, { isRefused, settings }: Feeding): readonly Setting[] {
  return values
    .filter(({ name }) => isRefused(resource.urn, name) && !isSecret(resource, [name]))
    .flatMap((value) => placesOf(resource, value))
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
  resource: Resource,
  value: NewValue,
  settings: ChangeableSettings,
): readonly Setting[] {
  const unclear = placesOf(resource, value).flatMap((place) => {
    const found = matchingAt(place, settings);
    return candidatesFor(resource, found, settings).length === 0 ? found : [];
  });
  return [...new Set(unclear)];
}

/** The places at which a program with changed settings makes what is not meant, and what is left to do of the wishes. */
function proofOf(
  wishes: readonly Wish[],
  { settings, resources }: Feeding,
  changed: readonly Setting[],
  made: readonly Resource[],
) {
  const shownBy = new Map(made.map(({ urn, wanted }) => [urn, wanted]));
  const wishOf = new Map(wishes.map((one) => [one.resource.urn, one]));
  const faults: Place[] = [];
  const fed: FedWish[] = [];
  for (const { urn, definition, wanted = {} } of resources) {
    const wish = wishOf.get(urn);
    const shown = shownBy.get(urn) ?? {};
    const meant = {
      ...wanted,
      ...Object.fromEntries((wish?.values ?? []).map((one) => [one.name, one.live])),
    };
    const moved = placesBetween(definition, shown, wanted);
    const open = placesBetween(definition, shown, meant);
    const isMeant = (place: Place) => !open.some((one) => isWithin(one, place) || isWithin(place, one));
    faults.push(...moved.filter((place) => !isMeant(place)));
    if (wish === undefined) continue;
    const isIn = (places: readonly Place[], name: string) => places.some(({ path }) => path[0] === name);
    const matching = new Set(moved.filter(isMeant).flatMap((place) => matchingAt(place, settings)));
    fed.push({
      // As the changed settings make it: what they feed is as is meant.
      resource: { ...wish.resource, wanted: shown },
      // An empty list that no setting feeds has no place, and the program has to name it.
      values: wish.values.filter(({ name }) => isIn(open, name) || !isIn(moved, name)),
      settings: changed.filter((one) => matching.has(one)),
    });
  }
  return { faults, fed };
}

/** Places at which a program makes something else than these arguments. */
function placesBetween(definition: ResourceDefinition, shown: JsonObject, args: JsonObject): Place[] {
  const places = Object.keys({ ...args, ...shown }).flatMap((name) =>
    differingPlaces(definition, name, { live: shown[name], program: args[name] }),
  );
  // Other lists may have their elements at other places.
  return places.map((place) => ({ ...place, path: namesFor(shown, place.path) }));
}

function isWithin({ path }: Place, { path: outer }: Place): boolean {
  return outer.every((step, index) => path[index] === step);
}
