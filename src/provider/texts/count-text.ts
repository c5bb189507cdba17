/** `48,000`. */
export function countText(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** `rules`, `entity properties`; `gate overrides` are several already. */
export function pluralOf(noun: string): string {
  if (noun.endsWith("s")) return noun;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** `1 rule`, `3 rules`. */
export function countOf(count: number, noun: string): string {
  return `${countText(count)} ${count === 1 ? noun : pluralOf(noun)}`;
}

/** `1 rule is`, `3 rules are`. */
export function countIs(count: number, noun: string): string {
  return `${countOf(count, noun)} ${count === 1 ? "is" : "are"}`;
}

/** The number of times that each value is there. */
export function occurrences<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** `a, b, c and 12 more`. */
export function listText(texts: readonly string[], most = 5): string {
  const rest = texts.length - most;
  return rest > 1 ? `${texts.slice(0, most).join(", ")} and ${rest} more` : texts.join(", ");
}

/** Characters of a line; a word, such as an address, may be longer. */
const lineWidth = 120;

/** A text over several lines, each but the first behind so many blanks. */
export function wrapped(text: string, indent: number, width = lineWidth): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && indent + longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}
