import {
  documentFrom,
  embeddedDocument,
  embeddedFile,
  environmentsOf,
  kinds,
  type SpecDocument,
  segmentsInFiles,
  specsOfKind,
} from "../../emulator/evaluation";
import { insecureHttpVariable, isInsecure } from "../../provider/texts/allowed-hosts";
import { projectFolder } from "../stack/project";
import { type Given, report, UsageError } from "./command";

/** The value of `--url` for the service itself. */
const service = "service";

/** The options by which somebody names the flags that are evaluated. */
export const sourceOptions = {
  "--environment NAME": "The environment of the SDK, such as production. Default: none",
  "--data FILE": "Another embedded console than the project's, by its file",
  "--url ADDRESS": `A console of \`feature-console emulate\`, such as http://127.0.0.1:4455; or "${service}" for the flags that are live in the service. Both need the server key`,
  "--server-key KEY":
    "The server key. Better: FEATURE_CONSOLE_SERVER_KEY in the environment, which no list of processes shows",
} as const;

/** Source of the flags, and the environment of the SDK that evaluates them. */
type FlagSource = ReturnType<typeof flagSource>;

/** The source that options name. @throws UsageError */
export function flagSource(given: Given<typeof sourceOptions>) {
  const { url, data, environment } = given;
  if (url !== undefined && data !== undefined) throw new UsageError("--url and --data cannot go together");
  const serverKey = url === undefined ? undefined : serverKeyGiven(given["server-key"]);
  return { url, data, environment, serverKey };
}

const keyVariable = "FEATURE_CONSOLE_SERVER_KEY";

function serverKeyGiven(key: string | undefined): string {
  if (key !== undefined) return requireServerKey("--server-key", key);
  const { [keyVariable]: said = "" } = process.env;
  if (said !== "") return requireServerKey(keyVariable, said);
  throw new UsageError(`--url needs the server key: ${keyVariable} in the environment, or --server-key`);
}

/** The flags of a source, with what is to be known of them told. `name`: the one flag that is asked for. */
export async function documentFor(source: FlagSource, name?: string): Promise<SpecDocument> {
  const document = await documentAsked(source, name);
  const { environment } = source;
  const named = environmentsOf(document);
  const isNamed = named.some((one) => one.toLowerCase() === environment?.toLowerCase());
  if (environment !== undefined && named.length > 0 && !isNamed)
    report(`no rule is for the environment "${environment}"; rules name ${named.join(", ")}`);
  for (const segment of segmentsInFiles(document))
    report(`segment ${segment}: its ids are in a file, which is not read here: no user counts as in it`);
  return document;
}

async function documentAsked({ url, serverKey, data, environment }: FlagSource, name: string | undefined) {
  if (url === undefined || serverKey === undefined) {
    const { document, findings } = embeddedDocument(
      data ?? embeddedFile(process.env, projectFolder(process.cwd())),
    );
    const isServed = kinds.some((kind) => specsOfKind(document, kind).some((spec) => spec.name === name));
    const about = isServed || name === undefined ? undefined : findings.find((one) => isAbout(one, name));
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
  const address = new URL(url);
  if (isInsecure(address) && process.env[insecureHttpVariable] !== "true")
    throw new UsageError(
      `--url is ${address.origin}: the server key would cross the network in clear. Use https:, or set ${insecureHttpVariable}=true where the network is yours`,
    );
  return address.origin;
}

/** Sorts of other keys, by their beginning. */
const others: Readonly<Record<string, string>> = {
  "console-": "a key of the Console API",
  "client-": "a key of client SDKs",
};

/**
 * A key that server SDKs take: one of them refuses any other before it asks. `source`: where it was given, such as `--server-key`.
 * @throws UsageError that does not show it.
 */
export function requireServerKey(source: string, key: string): string {
  if (key.startsWith("secret-")) return key;
  const found = Object.keys(others).find((prefix) => key.startsWith(prefix));
  const what = found === undefined ? "" : `; this one is ${others[found]}, as it begins with ${found}`;
  throw new UsageError(`${source} takes a key that begins with secret-${what}`);
}
