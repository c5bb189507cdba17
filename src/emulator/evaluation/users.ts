import { messageOf } from "../../provider/schema/errors";
import { isObject } from "../../provider/schema/json";
import { afterFirst, all, linesOf, type TextParts, withoutLeadingSpace } from "./text-parts";
import type { FlagUser } from "./types";
import { meantField, ownFields } from "./user-fields";
import { usersOfTable } from "./user-table";

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
  const text = withoutLeadingSpace(parts);
  const { value: first = "" } = await text.next();
  const whole = afterFirst(first, text);
  const users = first.startsWith("[")
    ? usersOfArray(whole, file)
    : first.startsWith("{")
      ? usersOfLines(whole, file)
      : usersOfTable(whole, file);
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
export async function readAllUsers(text: string, file: string): Promise<FlagUser[]> {
  return all(readUsers([text], file));
}

async function* usersOfArray(parts: TextParts, file: string): AsyncGenerator<FlagUser> {
  const users = jsonOf((await all(parts)).join("").trim(), file) as unknown[];
  yield* users.map((user, index) => userOf(user, `${file}: user ${index + 1}`));
}

async function* usersOfLines(parts: TextParts, file: string): AsyncGenerator<FlagUser> {
  const lines = linesOf(parts);
  const { value: first = "" } = await lines.next();
  // One user may be written over several lines.
  if (!isJson(first)) {
    yield readUser((await all(afterFirst(first, lines))).join("\n").trim(), file);
    return;
  }
  let number = 0;
  for await (const line of afterFirst(first, lines)) {
    number += 1;
    if (line.trim() !== "") yield readUser(line, `${file}:${number}`);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
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
