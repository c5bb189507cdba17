/** A text that comes in parts, such as a file of which nobody holds the whole. */
export type TextParts = Iterable<string> | AsyncIterable<string>;

/** The text from its first character that is no white space. */
export async function* withoutLeadingSpace(parts: TextParts): AsyncGenerator<string, undefined> {
  let hasBegun = false;
  for await (const part of parts) {
    const text = hasBegun ? part : part.trimStart();
    if (text === "") continue;
    hasBegun = true;
    yield text;
  }
  return undefined;
}

/** The lines of a text, without what ends them. */
export async function* linesOf(parts: TextParts): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const part of parts) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.map((line) => line.replace(/\r$/, ""));
  }
  yield rest;
  return undefined;
}

/** The first part, and then the others. */
export async function* afterFirst(
  first: string,
  others: AsyncIterable<string>,
): AsyncGenerator<string, undefined> {
  yield first;
  yield* others;
  return undefined;
}

/** Everything that comes, as a list. */
export async function all<T>(items: Iterable<T> | AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
