import { type CsvError, parse } from "csv-parse/sync";
import type { JsonObject } from "../../provider/schema/json";
import type { FlagUser } from "./types";
import { meantField, ownFields } from "./user-fields";

/** What stands between cells: programs of tables write any of these. */
const delimiters = [",", ";", "\t"];

/**
 * The users of a table whose first line names the columns. One that is no field of the SDK's is a custom field.
 * @throws Error that names the line where it is no table, or none of its columns is a user's.
 */
export function usersOfTable(text: string, file: string): FlagUser[] {
  const [head = "", ...rows] = text.split(/\r?\n/);
  const delimiter = delimiterOf(head);
  const places = parsed(head, delimiter, file)[0]?.map(placeOf) ?? [];
  if (rows.some((row) => row.trim() !== "") && !places.some(isOfSdk))
    throw new Error(
      `${file}: neither JSON nor a table of users: found ${JSON.stringify(head.slice(0, 60))} as its first line, which names none ` +
        `of the columns ${ownFields.join(", ")}, customIDs.NAME`,
    );
  return parsed(text, delimiter, file)
    .slice(1)
    .map((cells) => rowUser(places, cells));
}

/** Where the cells of a column go. */
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

function parsed(text: string, delimiter: string, file: string): string[][] {
  let columns: number | undefined;
  const options = { delimiter, bom: true, trim: true, skip_empty_lines: true };
  try {
    return parse(text, {
      ...options,
      on_record: (cells: string[]) => {
        columns ??= cells.length;
        return cells;
      },
    });
  } catch (error) {
    const { code, lines, record, message } = error as CsvError & { lines: number; record?: unknown[] };
    if (code === "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH")
      throw new Error(
        `${file}:${lines}: found ${record?.length} cells, and the first line names ${columns} columns; put a cell that holds ` +
          `${JSON.stringify(delimiter)} in quotation marks`,
      );
    // The rest of the message may be the whole text.
    const [reason = ""] = message.split(", value is ");
    throw new Error(`${file}:${lines}: neither JSON nor a table of users: ${reason}`);
  }
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
