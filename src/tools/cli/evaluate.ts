import { all, countsOf, type Evaluation, readUser, SdkWorker, tableText } from "../../emulator/evaluation";
import { messageOf } from "../../provider/schema/errors";
import { jsonText, visibleLines } from "../../provider/texts/issue-text";
import { defineCommand, UsageError } from "./command";
import { documentFor, flagSource, sourceOptions } from "./flag-source";
import { usersIn } from "./users-file";

export const evaluate = defineCommand({
  name: "evaluate",
  about:
    "Evaluates a flag for a user, and shows the deciding rule and its reason. The service's own SDK evaluates it: npm install --save-dev statsig-node. The flags come from the project's embedded console, unless an option names another place. No event is logged.",
  parameters: {
    NAME: "The flag",
    "--kind gate|config|experiment|layer": "Its kind. Default: gate",
    "--user JSON": `The user, such as '{"userID":"42","email":"ann@example.com","country":"NZ"}'`,
    "--users FILE":
      "Many users: a JSON array, JSON by lines, or CSV such as userID,email,customIDs.companyID,plan. A column that the SDK does not know is a custom field. Prints a table with counts",
    ...sourceOptions,
    "--json": "Print JSON",
  },
  exit: { 0: "it was evaluated, whatever the answer" },
  async run({ NAME: name, kind = "gate", user, users: file, json, ...given }) {
    const source = flagSource(given);
    const users = await usersGiven(user, file);
    const document = await documentFor(source, name);
    const { environment } = source;
    const question = { kind, name, users, ...(environment === undefined ? {} : { environment }) };
    const all = await new SdkWorker().forUsers(JSON.stringify(document), question);
    const isMany = file !== undefined;
    const found = isMany ? { users: all, counts: countsOf(all) } : all[0];
    const shown = isMany ? tableText(all) : all.map(text).join("");
    process.stdout.write(visibleLines(json ? jsonText(found) : shown));
    return 0;
  },
});

function text({ value, why }: Evaluation): string {
  return typeof value === "boolean" ? `${why}\n` : `${JSON.stringify(value)}\n${why}\n`;
}

async function usersGiven(user: string | undefined, file: string | undefined) {
  if ((user === undefined) === (file === undefined))
    throw new UsageError("give --user JSON, or --users FILE");
  if (file !== undefined) return all(usersIn(file));
  try {
    return [readUser(user ?? "", "--user")];
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
