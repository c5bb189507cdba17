import { Readable } from "node:stream";
import { parse as parser, CsvError as StreamedCsvError } from "csv-parse";
import { CsvError, parse } from "csv-parse/sync";
import { messageOf } from "../../provider/schema/errors";
import { isObject, type JsonObject, objectFrom } from "../../provider/schema/json";
import { closest } from "../../provider/texts/misspelling";
import type { FlagUser } from "./types";

/** Fields of a user, each a text. */
const ownFields: readonly string[] = [
  ...["userID", "email", "ip", "userAgent", "country", "locale", "appVersion"],
];

/** The field that a name means, whatever its case and separators; undefined where it is none of the SDK's. */
const meantField = (name: string, fields = ownFields): string | undefined => closest(name, fields, () => 0);

/** Members of a user that hold names of its own. */
const groups: readonly string[] = ["customIDs", "custom", "privateAttributes", "statsigEnvironment"];

/** Example of a user, for messages. */
const example = `a user is an object such as '{"userID":"42","email":"ann@example.com"}'`;

/** One user of JSON. @throws Error where it is none; `place` says where it comes from. */
export function readUser(text: string, place: string): FlagUser {
  return userOf(jsonOf(text, place), place);
}

/**
 * The users of a file, one at least: a JSON array, JSON by lines, or a table (CSV) whose first line names the columns, such as
 * `userID,email,customIDs.companyID,plan`; an empty cell is no value. The text comes in parts, and only an array is held whole.
 * @throws Error that names the line where something is no user.
 */
export async function* readUsers(parts: TextParts, file: string): AsyncGenerator<FlagUser> {
  const lines = linesOf(parts);
  let first = "";
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    first = next.value.trimStart();
    if (first !== "") break;
  }
  const users = first.startsWith("[")
    ? usersOfArray(first, lines, file)
    : first.startsWith("{")
      ? usersOfLines(first, lines, file)
      : usersOfTable(first, lines, file);
  let isEmpty = true;
  for await (const user of users) {
    isEmpty = false;
    yield user;
  }
  if (!isEmpty) return;
  throw new Error(
    `${file}: no user is in it: give JSON such as {"userID":"42"}, or a table (CSV) whose first line names columns such as ` +
      "userID,email,plan, with a line for each user below",
  );
}

/** The same as a list, for a text that is known whole. */
export function readAllUsers(text: string, file: string): Promise<FlagUser[]> {
  return Array.fromAsync(readUsers([text], file));
}

/** The lines of a text after its first one that is not empty. */
type Lines = AsyncGenerator<string, undefined>;

/** The first line with all others. */
const wholeText = async (first: string, lines: Lines): Promise<string> =>
  [first, ...(await Array.fromAsync(lines))].join("\n").trim();

async function* usersOfArray(first: string, lines: Lines, file: string): AsyncGenerator<FlagUser> {
  const users = jsonOf(await wholeText(first, lines), file) as unknown[];
  yield* users.map((user, index) => userOf(user, `${file}: user ${index + 1}`));
}

async function* usersOfLines(first: string, lines: Lines, file: string): AsyncGenerator<FlagUser> {
  // One user may be written over several lines.
  if (objectFrom(first) === undefined) {
    yield readUser(await wholeText(first, lines), file);
    return;
  }
  yield readUser(first, `${file}:1`);
  let number = 1;
  for await (const line of lines) {
    number += 1;
    if (line.trim() !== "") yield readUser(line, `${file}:${number}`);
  }
}

function jsonOf(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${place}: no JSON: ${messageOf(error)}; ${example}`);
  }
}

function userOf(user: unknown, place: string): FlagUser {
  if (!isObject(user)) throw new Error(`${place}: found ${JSON.stringify(user)}; ${example}`);
  for (const [name, value] of Object.entries(user)) {
    const meant = meantField(name, [...ownFields, ...groups]);
    // The SDK takes any name, and looks at none that is written so.
    if (meant !== undefined && meant !== name) throw new Error(`${place}: ${name}: did you mean "${meant}"?`);
    if (ownFields.includes(name) && typeof value === "object" && value !== null)
      throw new Error(`${place}: ${name}: found ${JSON.stringify(value)}; a text is needed`);
    if (groups.includes(name) && !isObject(value))
      throw new Error(`${place}: ${name}: found ${JSON.stringify(value)}; an object is needed`);
  }
  return user;
}

/** Short name of a user. */
export function labelOf(user: FlagUser, number: number): string {
  const ids = Object.values(user.customIDs ?? {});
  return String(user.userID || user.email || ids[0] || `user ${number}`);
}

/** Delimiters of cells: programs of tables write any of these. */
const delimiters = [",", ";", "\t"];

/**
 * The users of a table whose first line names the columns. One that is no field of the SDK's is a custom field.
 * @throws Error that names the line where it is no table, or none of its columns is a user's.
 */
async function* usersOfTable(head: string, lines: Lines, file: string): AsyncGenerator<FlagUser> {
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
    for await (const cells of Readable.from(withOneEnding(head, lines)).pipe(
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
async function* withOneEnding(first: string, lines: Lines): AsyncGenerator<string> {
  yield `${first}\n`;
  for await (const line of lines) yield `${line}\n`;
}

function placesIn(columns: readonly string[], head: string, file: string): Place[] {
  const places = columns.map(placeOf);
  if (places.length === 0 || places.some(isOfSdk)) return places;
  throw new Error(
    `${file}: neither JSON nor a table of users: found ${JSON.stringify(head.slice(0, 60))} as its first line, which names none ` +
      `of the columns ${ownFields.join(", ")}, customIDs.NAME`,
  );
}

/** Member of a user for the cells of a column, or a member of that. */
type Place = readonly [member: string, inner?: string];

const isOfSdk = ([member]: Place): boolean => member !== "custom";

function placeOf(column: string): Place {
  const [, group, name] = /^(customIDs|custom)\.(.+)$/i.exec(column) ?? [];
  if (name !== undefined) return [group?.toLowerCase() === "custom" ? "custom" : "customIDs", name];
  const own = meantField(column);
  return own === undefined ? ["custom", column] : [own];
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
    const [member, inner] = places[index] ?? [];
    if (cell === "" || member === undefined) continue;
    user[member] =
      inner === undefined ? cell : { ...(user[member] as JsonObject | undefined), [inner]: cell };
  }
  return user;
}

/** A text that comes in parts, such as a file of which nobody holds the whole. */
type TextParts = Iterable<string> | AsyncIterable<string>;

/** The lines of a text, without what ends them. A line may be as long as the text. */
async function* linesOf(parts: TextParts): Lines {
  let rest: string[] = [];
  const line = (): string => rest.join("").replace(/\r$/, "");
  for await (const part of parts) {
    const [end = "", ...begun] = part.split("\n");
    rest.push(end);
    for (const one of begun) {
      yield line();
      rest = [one];
    }
  }
  yield line();
  return undefined;
}
