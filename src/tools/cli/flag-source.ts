import type { ParseArgsConfig } from "node:util";
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
import { insecureHttpVariable, isInsecure } from "../../provider/texts/loopback";
import { projectFolder } from "../stack/project";
import { notEmpty, report, UsageError } from "./command";
import { requireServerKey } from "./server-key";

/** The options by which somebody names the flags that are evaluated. */
export const sourceOptions = {
  environment: { type: "string" },
  data: { type: "string" },
  url: { type: "string" },
  "server-key": { type: "string" },
} as const satisfies ParseArgsConfig["options"];

/** What `--url` takes for the service itself. */
export const service = "service";

/** Where flags come from, and the environment of the SDK that evaluates them. */
export interface FlagSource {
  readonly url?: string | undefined;
  readonly serverKey?: string | undefined;
  readonly data?: string | undefined;
  readonly environment?: string | undefined;
}

/** The source that options name. @throws UsageError */
export function flagSource(
  values: Readonly<Partial<Record<keyof typeof sourceOptions, string | undefined>>>,
): FlagSource {
  if (values.url !== undefined && values.data !== undefined)
    throw new UsageError("--url and --data cannot go together");
  for (const option of ["data", "environment", "url"] as const)
    if (values[option] !== undefined) notEmpty(option, values[option]);
  const serverKey = values.url === undefined ? undefined : serverKeyGiven(values["server-key"]);
  const { url, data, environment } = values;
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

async function documentAsked(
  { url, serverKey, data, environment }: FlagSource,
  name: string | undefined,
): Promise<SpecDocument> {
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
