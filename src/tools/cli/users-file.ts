import { readFileSync } from "node:fs";
import { type FlagUser, readUsers } from "../../emulator/evaluation";
import { messageOf } from "../../provider/schema/errors";
import { fieldOf } from "../users/tally";
import { UsageError } from "./command";
import { readNamedFileInParts } from "./named-files";

/** The users of a file; "-": of standard input. @throws UsageError with the line where something is no user. */
export function usersIn(file: string): AsyncGenerator<FlagUser> {
  return file === "-"
    ? usersOf([readFileSync(process.stdin.fd, "utf8")], "standard input")
    : usersOf(readNamedFileInParts(file), file);
}

async function* usersOf(parts: Parameters<typeof readUsers>[0], file: string): AsyncGenerator<FlagUser> {
  try {
    yield* readUsers(parts, file);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** Most values of a column by which users are told apart: more would name the users themselves. */
const mostValues = 100;

/** Members that stand for one person. */
const identifying = /^(userID|email|ip|customIDs\..+)$/;

/**
 * Users whom shares can tell apart; a first reading refuses a file before anything is asked.
 * @param columns what they are told apart by
 * @throws UsageError where none of them has an id, or none has one of the columns.
 */
export async function usersFile(file: string, columns: readonly string[]) {
  const [name, again] = file === "-" ? ["standard input", readOnce()] : [file, () => usersIn(file)];
  for (const column of columns.filter((one) => identifying.test(one)))
    throw new UsageError(
      `--by ${column}: it names each user, and a report names none; --show-ids FILE writes who moves`,
    );
  const values = new Map(columns.map((column) => [column, new Set<string>()]));
  let [of, identified] = [0, 0];
  const ids = new Set<string>();
  for await (const user of again()) {
    of += 1;
    if (user.userID !== undefined || user.customIDs !== undefined) {
      identified += 1;
      ids.add(JSON.stringify([user.userID, user.customIDs]));
    }
    for (const [column, found] of values) {
      const value = fieldOf(user, column);
      if (value !== undefined && found.size <= mostValues) found.add(value);
    }
  }
  if (identified === 0)
    throw new UsageError(`${name}: no user has an id: name a column or member userID, or customIDs.NAME`);
  for (const [column, { size }] of values) {
    if (size === 0) throw new UsageError(`--by ${column}: no user of ${name} has it`);
    if (size > mostValues)
      throw new UsageError(
        `--by ${column}: users of ${name} have more than ${mostValues} values of it; name a column with fewer`,
      );
  }
  return {
    of,
    /** Number of users that repeat the ids of an earlier one. */
    repeated: identified - ids.size,
    /** A reading of the file each time, of which nobody holds the whole. */
    users: again,
  };
}

/** Standard input comes once: its text is kept, and its users are not. */
function readOnce(): () => AsyncGenerator<FlagUser> {
  const text = readFileSync(process.stdin.fd, "utf8");
  return () => usersOf([text], "standard input");
}
