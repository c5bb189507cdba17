import { countOf, countText, pluralOf } from "../texts/count-text";

/** Count of the objects of one kind, in state and in the console. */
export interface KindCount {
  /** As in a sentence: "dynamic config". */
  readonly title: string;
  readonly stored: number;
  /** Objects that are known to be there, or not: the rest was not asked for. */
  readonly found: number;
  readonly missing: number;
  /** The list of the kind is missing too, with the status 404. */
  readonly hasNoList: boolean;
}

/** Why a refresh may have met another console, or a smaller one, than the state is of. */
export interface Loss {
  /**
   * `permission`: the console answers 404 to everything about a kind, its list included, and shows other kinds. `most`: most objects of
   * some kinds are missing. `all`: no object of the state is there.
   */
  readonly why: "permission" | "most" | "all";
  readonly kinds: readonly KindCount[];
}

/** So many objects are not deleted one by one: of fewer, all may leave the state at once. */
const fewest = 5;

/** True where the rest of a kind need not be asked for: either most of it is missing, or that much of it is there. */
export function isDecided({ stored, found, missing }: KindCount): boolean {
  if (stored < fewest) return found > 0 || found + missing === stored;
  return missing * 2 > stored || found * 2 >= stored;
}

/** The loss that a refresh must not take for deleted objects; undefined where there is none. */
export function lossIn(counts: readonly KindCount[]): Loss | undefined {
  const total = counts.reduce((sum, { stored }) => sum + stored, 0);
  const others = counts.filter(({ found }) => found > 0);
  const nothing = counts.filter(({ found, missing }) => found === 0 && missing > 0);
  if (others.length > 0) {
    const refused = nothing.filter(({ hasNoList }) => hasNoList);
    if (refused.length > 0) return { why: "permission", kinds: refused };
  } else if (total >= fewest && nothing.length === counts.length && nothing.length > 0)
    return { why: "all", kinds: nothing };
  const most = counts.filter(({ stored, missing }) => stored >= fewest && missing * 2 > stored);
  return most.length === 0 ? undefined : { why: "most", kinds: most };
}

/** Why a refresh stops, and what to type. `left`: how many objects had left the state before; `stored` may be what was read so far. */
export function lossText({ why, kinds }: Loss, goOn: string, left: number): string {
  const found = kinds.map(({ missing, found: there, stored, title }) => {
    const least = missing + there < stored && missing * 2 > stored ? "at least " : "";
    return `${least}${countText(missing)} of ${countOf(stored, title)}`;
  });
  const titles = [...new Set(kinds.map(({ title }) => pluralOf(title)))].join(", ");
  const state =
    left === 0
      ? "The refresh stops before any object leaves the state."
      : `The refresh stops. ${countOf(left, "object")} had left the state before, because pulumi could not export it.`;
  return `The console does not show ${found.join(", ")} in the state. ${state} ${reasonText(why, titles)} ${goOn}`;
}

function reasonText(why: Loss["why"], titles: string): string {
  if (why === "permission")
    return `It answers 404 to every request about ${titles} and shows other kinds: the key has probably lost its permission to read ${titles}.`;
  return (
    "Check the address (feature-console:profile, baseUrl), the key and its project, and its permissions; " +
    "otherwise a person deleted them."
  );
}
