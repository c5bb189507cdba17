import type { ParseArgsConfig } from "node:util";
import {
  countsOf,
  documentFrom,
  type Evaluation,
  EvaluationApart,
  embeddedDocument,
  embeddedFile,
  environmentsOf,
  kinds,
  readUser,
  readUsers,
  type SpecDocument,
  segmentsInFiles,
  specsOfKind,
  tableText,
} from "../../emulator/evaluation";
import { messageOf } from "../../provider/schema/errors";
import { projectFolder } from "../stack/project";
import { type Command, notEmpty, oneOf, parseArguments, report, UsageError } from "./command";
import { readNamedFile } from "./named-files";
import { requireServerKey } from "./server-key";

const options = {
  kind: { type: "string", default: "gate" },
  user: { type: "string" },
  users: { type: "string" },
  environment: { type: "string" },
  data: { type: "string" },
  url: { type: "string" },
  "server-key": { type: "string" },
  json: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

/** What `--url` takes for the service itself. */
const service = "service";

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
    const given = readOptions(args);
    const document = await documentFor(given);
    const { kind, name, users, environment } = given;
    const question = { kind, name, users, ...(environment === undefined ? {} : { environment }) };
    const all = await new EvaluationApart().forUsers(JSON.stringify(document), question);
    process.stdout.write(
      given.json ? jsonText(all, given.isMany) : given.isMany ? tableText(all) : all.map(text).join(""),
    );
    return 0;
  },
};

type Given = ReturnType<typeof readOptions>;

/** The flags that are asked for, with what is to be known of them told. */
async function documentFor(given: Given): Promise<SpecDocument> {
  const document = await documentAsked(given);
  const { environment } = given;
  const named = environmentsOf(document);
  const isNamed = named.some((one) => one.toLowerCase() === environment?.toLowerCase());
  if (environment !== undefined && named.length > 0 && !isNamed)
    report(`no rule is for the environment "${environment}"; rules name ${named.join(", ")}`);
  for (const segment of segmentsInFiles(document))
    report(`segment ${segment}: its ids are in a file, which is not read here: no user counts as in it`);
  return document;
}

async function documentAsked({ name, url, serverKey, data, environment }: Given): Promise<SpecDocument> {
  if (url === undefined || serverKey === undefined) {
    const { document, findings } = embeddedDocument(
      data ?? embeddedFile(process.env, projectFolder(process.cwd())),
    );
    const isServed = kinds.some((kind) => specsOfKind(document, kind).some((spec) => spec.name === name));
    const about = isServed ? undefined : findings.find((one) => isAbout(one, name));
    if (about !== undefined) throw new Error(about);
    for (const finding of findings) report(`SDKs: ${finding}`);
    report(ownSalts);
    return document;
  }
  if (url === service) {
    report("these are the flags that are live in the service; they are only read, and no event is logged");
    return documentFrom({ key: serverKey }, environment);
  }
  report(ownSalts);
  return documentFrom({ api: `${addressOf(url)}/v1`, key: serverKey }, environment);
}

/** A finding begins with the kind and the id of its object. */
const isAbout = (finding: string, name: string): boolean =>
  finding.split(": ", 1)[0]?.split(" ").slice(1).join(" ") === name;

const ownSalts =
  "which users are in a share is different in the real project: its salts are not known here (docs/sdk.md)";

function addressOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new UsageError(`--url takes an address such as http://127.0.0.1:4455, or ${service}, not "${url}"`);
  return new URL(url).origin;
}

function text({ value, why }: Evaluation): string {
  return typeof value === "boolean" ? `${why}\n` : `${JSON.stringify(value)}\n${why}\n`;
}

function jsonText(all: readonly Evaluation[], isMany: boolean): string {
  return `${JSON.stringify(isMany ? { users: all, counts: countsOf(all) } : all[0], null, 2)}\n`;
}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments({ args: [...args], options, allowPositionals: true });
  const [name, ...more] = positionals;
  if (name === undefined)
    throw new UsageError(
      'give the name of a flag, such as: feature-console evaluate checkout_v2 --user \'{"userID":"42"}\'',
    );
  if (more.length > 0) throw new UsageError(`give the name of one flag, not of ${positionals.join(", ")}`);
  const kind = oneOf("kind", values.kind, kinds);
  if (values.url !== undefined && values.data !== undefined)
    throw new UsageError("--url and --data cannot go together");
  for (const option of ["data", "environment", "url"] as const)
    if (values[option] !== undefined) notEmpty(option, values[option]);
  const serverKey = values.url === undefined ? undefined : serverKeyGiven(values["server-key"]);
  const { url, data, environment, json } = values;
  return { name, kind, url, data, environment, json, serverKey, ...usersGiven(values) };
}

const keyVariable = "FEATURE_CONSOLE_SERVER_KEY";

function serverKeyGiven(key: string | undefined): string {
  if (key !== undefined) return requireServerKey("--server-key", key);
  const { [keyVariable]: said = "" } = process.env;
  if (said !== "") return requireServerKey(keyVariable, said);
  throw new UsageError(`--url needs the server key: ${keyVariable} in the environment, or --server-key`);
}

function usersGiven({ user, users: file }: { user?: string | undefined; users?: string | undefined }) {
  if ((user === undefined) === (file === undefined))
    throw new UsageError("give --user JSON, or --users FILE");
  try {
    return file === undefined
      ? { users: [readUser(user ?? "", "--user")], isMany: false }
      : { users: readUsers(readNamedFile(file), file), isMany: true };
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
