/** A markdown table with aligned columns; empty when there are no rows. Columns that are empty in every row are left out. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const used = headings.map((_, column) => rows.some((row) => row[column] !== ""));
  const cells = [headings, ...rows].map((row) => row.filter((_, column) => used[column]).map(escaped));
  const widths = (cells[0] ?? []).map((_, column) =>
    alignedWidth(cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, at) => (row[at] ?? "").padEnd(width)).join(" | ")} |\n`;
  const [head = [], ...body] = cells;
  return [head, widths.map((width) => "-".repeat(width)), ...body].map(line).join("");
}

/** A single very long cell would stretch every row of its column. */
function alignedWidth(lengths: readonly number[]): number {
  const longest = 100;
  return Math.max(3, ...lengths.filter((length) => length <= longest));
}

/** A heading, and a body below it; nothing when the body is empty. */
export function section(heading: string, ...body: readonly string[]): string {
  const texts = body.filter((text) => text !== "");
  return texts.length === 0 ? "" : `\n${heading}\n\n${texts.join("\n")}`;
}

/** A bullet list. */
export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}\n`).join("");
}

/** Words as an enumeration: "a, b and c". */
function enumeration(words: readonly string[], last: "and" | "or" = "and"): string {
  const end = words.at(-1) ?? "";
  return words.length < 2 ? end : `${words.slice(0, -1).join(", ")} ${last} ${end}`;
}

/** Names in code type, as an enumeration. */
export function names(all: readonly string[], last?: "and" | "or"): string {
  return enumeration(
    all.map((name) => `\`${name}\``),
    last,
  );
}

function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** A page that people write, with a generated text in the place for it: between `<!-- part -->` and `<!-- end of part -->`. */
export function withPart(page: string, { file, part }: { file: string; part: string }, text: string): string {
  const begin = `<!-- ${part} -->\n`;
  const end = `<!-- end of ${part} -->`;
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${file} lacks the lines ${begin.trim()} and ${end}`);
  return `${before}${begin}\n${text}\n${end}${after}`;
}
