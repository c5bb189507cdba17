import { parse } from "csv-parse/sync";
import { messageOf } from "../core/errors";
import { isObject, type JsonObject } from "../core/json";
import type { FlagUser } from "./types";

/** What a user has by itself; any other column of a table is one of its `custom` fields. */
const ownFields: readonly string[] = [
  ...["userID", "email", "ip", "userAgent", "country", "locale", "appVersion"],
];

/** One user of JSON. @throws Error where it is none; `place` says where it comes from. */
export function readUser(text: string, place: string): FlagUser {
  return userOf(jsonOf(text, place), place);
}

/**
 * The users of a file: a JSON array, JSON by lines, or a table (CSV) whose first line names the columns, such as
 * `userID,email,customIDs.companyID,plan`; an empty cell is no value.
 * @throws Error that names the line where something is no user.
 */
export function readUsers(text: string, file: string): FlagUser[] {
  const trimmed = text.trim();
  if (trimmed.startsWith("[")) {
    const users = jsonOf(trimmed, file);
    return (users as unknown[]).map((user, index) => userOf(user, `${file}: user ${index + 1}`));
  }
  if (trimmed.startsWith("{"))
    return trimmed.split(/\r?\n/).flatMap((line, index) => {
      const place = `${file}:${index + 1}`;
      return line.trim() === "" ? [] : [readUser(line, place)];
    });
  return tableOf(trimmed, file).map(rowUser);
}

function tableOf(text: string, file: string): Record<string, string>[] {
  try {
    return parse(text, { columns: true, bom: true, trim: true, skip_empty_lines: true });
  } catch (error) {
    throw new Error(`${file}: neither JSON nor a table of users: ${messageOf(error)}`);
  }
}

function rowUser(row: Readonly<Record<string, string>>): FlagUser {
  const user: JsonObject = {};
  const inside: Record<"custom" | "customIDs", JsonObject> = { custom: {}, customIDs: {} };
  for (const [column, cell] of Object.entries(row)) {
    if (cell === "") continue;
    const [, group, name = column] = /^(customIDs|custom)\.(.+)$/.exec(column) ?? [];
    if (group === "customIDs") inside.customIDs[name] = cell;
    else if (group === undefined && ownFields.includes(column)) user[column] = cell;
    else inside.custom[name] = cell;
  }
  const groups = Object.entries(inside).filter(([, values]) => Object.keys(values).length > 0);
  return { ...user, ...Object.fromEntries(groups) };
}

function jsonOf(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${place}: no JSON: ${messageOf(error)}`);
  }
}

function userOf(user: unknown, place: string): FlagUser {
  if (!isObject(user))
    throw new Error(`${place}: a user is an object such as {"userID":"42","email":"ann@example.com"}`);
  return user;
}

/** What a person would call a user. */
export function labelOf(user: FlagUser, number: number): string {
  const ids = Object.values(user.customIDs ?? {});
  return String(user.userID || user.email || ids[0] || `user ${number}`);
}
