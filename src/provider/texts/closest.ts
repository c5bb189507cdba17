import { distance } from "fastest-levenshtein";

/** As far as a name that was meant may be from the one that was written, in letters. */
const usual = (name: string): number => Math.max(2, name.length / 3);

/** The known name that was probably meant: the nearest, whatever its case and separators; undefined when none is near. */
export function closest(
  name: string,
  known: readonly string[],
  farthest: (name: string) => number = usual,
): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[_-]/g, "");
  const [best] = known
    .map((candidate) => ({ candidate, cost: distance(plain(name), plain(candidate)) }))
    .sort((a, b) => a.cost - b.cost);
  return best !== undefined && best.cost <= farthest(name) ? best.candidate : undefined;
}

/** End of a message about an unknown name: `; did you mean "checkout"?`. Empty where no known name is near. */
export function guess(
  name: string,
  known: readonly string[],
  text: (meant: string) => string = (meant) => `"${meant}"`,
): string {
  const meant = closest(name, known);
  return meant === undefined ? "" : `; did you mean ${text(meant)}?`;
}
