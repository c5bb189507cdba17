import { distance } from "fastest-levenshtein";

/** Names shorter than this are too short to tell a slip from another name. */
const shortest = 3;

/**
 * The name that was probably meant; undefined where none is close, or where the name itself is among those that exist.
 * Names that are told apart on purpose count as different: `v1` and `v2`, `test_a` and `test_b`.
 */
export function meantName(written: string, known: readonly string[]): string | undefined {
  if (known.includes(written)) return undefined;
  return known
    .filter((name) => isMisspelling(written, name))
    .sort((one, other) => distance(written, one) - distance(written, other))[0];
}

function isMisspelling(written: string, name: string): boolean {
  const [left, right] = [wordsOf(written), wordsOf(name)];
  if (left.join("") === right.join("")) return true;
  if (left.length !== right.length) return false;
  const different = left.flatMap((word, index): [string, string][] =>
    word === right[index] ? [] : [[word, right[index] as string]],
  );
  return different.every(([one, other]) => isSlip(one, other));
}

function wordsOf(name: string): string[] {
  return name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
}

function isSlip(word: string, meant: string): boolean {
  const length = Math.min(word.length, meant.length);
  const withoutDigits = (text: string) => text.replaceAll(/\p{N}/gu, "");
  if (length < shortest || withoutDigits(word) === withoutDigits(meant)) return false;
  if (swapsNeighbours(word, meant)) return true;
  // The first letter is rarely wrong; another one makes another word.
  if (word[0] !== meant[0]) return false;
  const cost = distance(word, meant);
  // A short word with one other letter is as likely another word: "ios" and "iot".
  if (cost === 1) return word.length !== meant.length || length >= 5;
  return cost === 2 && length >= 8;
}

function swapsNeighbours(word: string, meant: string): boolean {
  if (word.length !== meant.length) return false;
  const first = [...word].findIndex((letter, index) => letter !== meant[index]);
  const swapped = `${word.slice(0, first)}${word[first + 1]}${word[first]}${word.slice(first + 2)}`;
  return first >= 0 && swapped === meant;
}

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
