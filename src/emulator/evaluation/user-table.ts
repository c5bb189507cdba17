import { Readable } from "node:stream";
import { parse as parser, CsvError as StreamedCsvError } from "csv-parse";
import { CsvError, parse } from "csv-parse/sync";
import type { JsonObject } from "../../provider/schema/json";
import { afterFirst, linesOf, type TextParts, withoutLeadingSpace } from "./text-parts";
import type { FlagUser } from "./types";
import { meantField, ownFields } from "./user-fields";

/** Delimiters of cells: programs of tables write any of these. */
const delimiters = [",", ";", "\t"];

/**
 * The users of a table whose first line names the columns. One that is no field of the SDK's is a custom field.
 * @throws Error that names the line where it is no table, or none of its columns is a user's.
 */
export async function* usersOfTable(parts: TextParts, file: string): AsyncGenerator<FlagUser> {
  const { head, text } = await withHead(parts);
  const options = { delimiter: delimiterOf(head), bom: true, trim: true, skip_empty_lines: true };
  let columns: readonly string[] | undefined;
  let line = 1;
  // A row that is read in vain ends the stream before its head is asked for.
  const note = (cells: string[], { lines }: { lines: number }): string[] => {
    columns ??= cells;
    line = lines + 1;
    return cells;
  };
  try {
    const places = placesIn(parse(head, options)[0] ?? [], head, file);
    for await (const cells of Readable.from(withOneEnding(text)).pipe(
      parser({ ...options, on_record: note }),
    ))
      if (cells !== columns) yield rowUser(places, cells);
  } catch (error) {
    throw error instanceof CsvError || error instanceof StreamedCsvError
      ? new Error(problemOf(error, { ...options, columns: columns?.length, file, line }))
      : error;
  }
}

/** The text with one kind of line ending: the parser would keep to that of the first line. */
async function* withOneEnding(text: TextParts): AsyncGenerator<string> {
  for await (const line of linesOf(text)) yield `${line}\n`;
}

/** The first line, and the text from there. */
async function withHead(parts: TextParts): Promise<{ head: string; text: AsyncIterable<string> }> {
  const rest = withoutLeadingSpace(parts);
  let begun = "";
  for (let one = await rest.next(); one.value !== undefined; one = await rest.next()) {
    begun += one.value;
    if (begun.includes("\n")) break;
  }
  return { head: begun.split(/\r?\n/, 1)[0] ?? "", text: afterFirst(begun, rest) };
}

function placesIn(columns: readonly string[], head: string, file: string): Place[] {
  const places = columns.map(placeOf);
  if (places.length === 0 || places.some(isOfSdk)) return places;
  throw new Error(
    `${file}: neither JSON nor a table of users: found ${JSON.stringify(head.slice(0, 60))} as its first line, which names none ` +
      `of the columns ${ownFields.join(", ")}, customIDs.NAME`,
  );
}

/** Member of a user for the cells of a column. */
interface Place {
  readonly group: "own" | "custom" | "customIDs";
  readonly name: string;
}

const isOfSdk = ({ group }: Place): boolean => group !== "custom";

function placeOf(column: string): Place {
  const [, group, name] = /^(customIDs|custom)\.(.+)$/i.exec(column) ?? [];
  if (name !== undefined) return { group: group?.toLowerCase() === "custom" ? "custom" : "customIDs", name };
  const own = meantField(column);
  return own === undefined ? { group: "custom", name: column } : { group: "own", name: own };
}

function delimiterOf(head: string): string {
  const cells = (delimiter: string): number => head.split(delimiter).length;
  return delimiters.reduce((best, one) => (cells(one) > cells(best) ? one : best));
}

/** Progress in a table until the failure. `line`: the first line of the failed row. */
interface Reading {
  readonly delimiter: string;
  readonly columns: number | undefined;
  readonly file: string;
  readonly line: number;
}

function problemOf(error: CsvError, { delimiter, columns, file, line }: Reading): string {
  const { code, lines, record, message } = error as CsvError & { lines: number; record?: unknown[] };
  if (code === "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH")
    return (
      `${file}:${lines}: found ${record?.length} cells, and the first line names ${columns} columns; put a cell that holds ` +
      `${JSON.stringify(delimiter)} in quotation marks`
    );
  if (code === "CSV_QUOTE_NOT_CLOSED")
    return `${file}:${line}: a quotation mark opens a cell here, and none closes it`;
  // The rest of the message may be the whole text.
  const [reason = ""] = message.split(", value is ");
  return `${file}:${lines}: neither JSON nor a table of users: ${reason}`;
}

function rowUser(places: readonly Place[], cells: readonly string[]): FlagUser {
  const user: JsonObject = {};
  for (const [index, cell] of cells.entries()) {
    const { group, name } = places[index] ?? {};
    if (cell === "" || group === undefined || name === undefined) continue;
    if (group === "own") user[name] = cell;
    else user[group] = { ...(user[group] as JsonObject | undefined), [name]: cell };
  }
  return user;
}
