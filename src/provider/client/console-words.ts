import { isObject } from "../schema/json";
import { escaped } from "../texts/secret-texts";

/** Longest text of the console that decisions look at, characters. */
const longestText = 5000;

/** Values in quotes. */
const quoted = /"[^"]*"|`[^`]*`|“[^”]*”|‘[^’]*’|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu;

/** Names: paths and addresses, and words that a hyphen, an underscore or a dot joins. */
const nameLike = /^[(:,]*(?:[a-z]+:\/)?\/.|[\p{L}\p{N}][-_.]+[\p{L}\p{N}]/iu;

/** Words by which decisions are made: a value of them alone is found in sentences that do not repeat it, so it stays. */
const deciding = /^\W*(?:(?:already|found|forbidden|in|no|not|resource|reviews?|route|use)(?:\W+|$))+$/i;

/**
 * A console's own words: its text without the parts that it repeats. A decision that looked at the whole of it would be made by the
 * name of an object. `sent`: what the request held, of which each text counts.
 */
export function ownWords(text: string, ...sent: readonly unknown[]): string {
  const start = text.slice(0, longestText);
  const folded = start.toLowerCase();
  const repeated = new Set<string>();
  for (const one of textsIn(sent)) {
    const echo = one.trim();
    for (const form of [echo, encodeURIComponent(echo.replaceAll(/\p{Surrogate}/gu, ""))])
      if (form !== "" && folded.includes(form.toLowerCase()) && !deciding.test(form)) repeated.add(form);
  }
  const longestFirst = [...repeated].sort((one, other) => other.length - one.length);
  const echoes = longestFirst.map(
    (one) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(one)}(?![\\p{L}\\p{N}])`, "giu"),
  );
  const words = [...echoes, quoted]
    .reduce((left, pattern) => left.replace(pattern, " "), start)
    .split(/\s+/)
    .filter((word) => word !== "");
  // One word alone is no name in a sentence: `review_required`.
  return (words.length === 1 ? words : words.filter((word) => !nameLike.test(word))).join(" ");
}

/** Every text and number in a value. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string" || typeof value === "number") yield String(value);
  else if (Array.isArray(value)) for (const one of value) yield* textsIn(one);
  else if (isObject(value)) yield* textsIn(Object.values(value));
}
