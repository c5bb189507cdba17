/** Characters of a line; a word, such as an address, may be longer. */
const lineWidth = 120;

/** A text over several lines, each but the first behind so many blanks. */
export function wrapped(text: string, indent: number): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && indent + longer.length <= lineWidth) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}
