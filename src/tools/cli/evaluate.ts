import type { ParseArgsConfig } from "node:util";
import {
  all,
  countsOf,
  type Evaluation,
  kinds,
  readUser,
  SdkWorker,
  tableText,
} from "../../emulator/evaluation";
import { messageOf } from "../../provider/schema/errors";
import { visibleLines } from "../../provider/texts/issue-text";
import { type Command, oneOf, parseArguments, UsageError } from "./command";
import { documentFor, flagSource, service, sourceOptions } from "./flag-source";
import { usersIn } from "./users-file";

const options = {
  kind: { type: "string", default: "gate" },
  user: { type: "string" },
  users: { type: "string" },
  ...sourceOptions,
  json: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

const help = `Usage: feature-console evaluate NAME --user JSON [options]
       feature-console evaluate NAME --users FILE [options]

Evaluates a flag for a user, and shows the deciding rule and its reason. The service's own SDK evaluates it: npm install --save-dev
statsig-node. The flags come from the project's embedded console, unless an option names another place. No event is logged.

  --kind KIND           ${kinds.join(", ")}. Default: gate
  --user JSON           The user, such as '{"userID":"42","email":"ann@example.com","country":"NZ"}'
  --users FILE          Many users: a JSON array, JSON by lines, or CSV such as userID,email,customIDs.companyID,plan.
                        A column that the SDK does not know is a custom field. Prints a table with counts
  --environment NAME    The environment of the SDK, such as production. Default: none
  --data FILE           Another embedded console, by its file
  --url ADDRESS         A console of \`feature-console emulate\`, such as http://127.0.0.1:4455; or "${service}" for the flags
                        that are live in the service. Both need the server key
  --server-key KEY      The server key. Better: FEATURE_CONSOLE_SERVER_KEY in the environment, which no list of processes shows
  --json                Print JSON
  --help                This text

Exit status: 0 it was evaluated, whatever the answer; 1 it failed; 2 wrong usage.
`;

/** Tells what users get of a flag. */
export const evaluate: Command = {
  summary: "Evaluate a flag for a user, and show the deciding rule and its reason.",
  help,
  async run(args) {
    const given = await readOptions(args);
    const { kind, name, users, source } = given;
    const document = await documentFor(source, name);
    const { environment } = source;
    const question = { kind, name, users, ...(environment === undefined ? {} : { environment }) };
    const all = await new SdkWorker().forUsers(JSON.stringify(document), question);
    process.stdout.write(
      visibleLines(
        given.json ? jsonText(all, given.isMany) : given.isMany ? tableText(all) : all.map(text).join(""),
      ),
    );
    return 0;
  },
};

function text({ value, why }: Evaluation): string {
  return typeof value === "boolean" ? `${why}\n` : `${JSON.stringify(value)}\n${why}\n`;
}

function jsonText(all: readonly Evaluation[], isMany: boolean): string {
  return `${JSON.stringify(isMany ? { users: all, counts: countsOf(all) } : all[0], null, 2)}\n`;
}

async function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments({ args: [...args], options, allowPositionals: true });
  const [name, ...more] = positionals;
  if (name === undefined)
    throw new UsageError(
      'give the name of a flag, such as: feature-console evaluate checkout_v2 --user \'{"userID":"42"}\'',
    );
  if (more.length > 0) throw new UsageError(`give the name of one flag, not of ${positionals.join(", ")}`);
  const kind = oneOf("kind", values.kind, kinds);
  return { name, kind, json: values.json, source: flagSource(values), ...(await usersGiven(values)) };
}

async function usersGiven({ user, users: file }: { user?: string | undefined; users?: string | undefined }) {
  if ((user === undefined) === (file === undefined))
    throw new UsageError("give --user JSON, or --users FILE");
  if (file !== undefined) return { users: await all(usersIn(file)), isMany: true };
  try {
    return { users: [readUser(user ?? "", "--user")], isMany: false };
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
