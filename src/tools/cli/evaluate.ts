import { countsOf, type Evaluation, labelOf, readUser, SdkWorker } from "../../emulator/evaluation";
import { messageOf } from "../../provider/schema/errors";
import type { Report } from "../render/report";
import { defineCommand, formatOptions, printReport, UsageError } from "./command";
import { documentFor, flagSource, sourceOptions } from "./flag-source";
import { usersIn } from "./users-file";

export const evaluate = defineCommand({
  name: "evaluate",
  about:
    "Evaluates a flag for a user, and shows the deciding rule and its reason. The service's own SDK evaluates it: npm install --save-dev statsig-node. The flags come from the project's embedded console, unless an option names another place. No event is logged.",
  examples: [
    'feature-console evaluate checkout_v2 --user \'{"userID":"42"}\'',
    "feature-console evaluate checkout_v2 --users users.csv --environment production",
  ],
  parameters: {
    NAME: "The flag",
    "--kind gate|config|experiment|layer": "Its kind. Default: gate",
    "--user JSON": `The user, such as '{"userID":"42","country":"NZ"}'`,
    "--users FILE":
      "Many users: a JSON array, JSON by lines, or CSV such as userID,email,customIDs.companyID,plan. A column that the SDK does not know is a custom field. Prints a table with counts",
    ...sourceOptions,
    ...formatOptions,
  },
  exit: { 0: "it was evaluated, whatever the answer" },
  async run({ NAME: name, kind = "gate", user, users: file, ...given }) {
    const source = flagSource(given);
    const users = await usersGiven(user, file);
    const document = await documentFor(source, name);
    const { environment } = source;
    const question = { kind, name, users, ...(environment === undefined ? {} : { environment }) };
    const all = await new SdkWorker().forUsers(JSON.stringify(document), question);
    printReport(file === undefined ? answerReport(all) : usersReport(all), given);
    return 0;
  },
});

function answerReport([answer]: readonly Evaluation[]): Report {
  const { value, why = "" } = answer ?? {};
  return { parts: [typeof value === "boolean" ? why : [JSON.stringify(value), why]], json: answer };
}

/** A row for each user, and below the number of users with each answer. */
function usersReport(users: readonly Evaluation[]): Report {
  const counts = countsOf(users);
  const cells = ({ value, rule }: Pick<Evaluation, "value" | "rule">) => [
    typeof value === "boolean" ? (value ? "pass" : "fail") : JSON.stringify(value),
    rule ?? "-",
  ];
  const labelled = users.map((one, index) => [labelOf(one.user, index + 1), ...cells(one)]);
  const counted = counts.map((one) => [String(one.users), ...cells(one)]);
  return {
    parts: [
      { header: ["user", "answer", "rule"], rows: labelled },
      { header: ["users", "answer", "rule"], rows: counted },
    ],
    json: { users, counts },
  };
}

async function usersGiven(user: string | undefined, file: string | undefined) {
  if ((user === undefined) === (file === undefined))
    throw new UsageError("give --user JSON, or --users FILE");
  if (file !== undefined) return Array.fromAsync(usersIn(file));
  try {
    return [readUser(user ?? "", "--user")];
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
