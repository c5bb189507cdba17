import { messageOf } from "../../provider/schema/errors";
import type { SpecDocument } from "./specs";
import type { FlagUser, SdkClient } from "./types";

const sdkPackage = "statsig-node";

/** The key is never sent: the SDK requires this beginning. */
const unusedKey = "secret-not-used";

/** Settings by which the SDK asks for nothing later, and reports nothing of itself. */
const alone = {
  ...{ disableRulesetsSync: true, disableIdListsSync: true, disableDiagnostics: true },
  disableAllLogging: true,
};

/** Nothing is logged of what is only looked at. */
export const quiet = { disableExposureLogging: true };

/** A user with the id that the SDK requires. */
export const whole = (user: FlagUser): FlagUser & { userID: string } => ({ userID: "", ...user });

/**
 * Starts the SDK on a document: it asks nobody, logs nothing and keeps no process alive.
 * @param environment the tier that it says; left out: none
 * @throws Error where the SDK is not installed.
 */
export async function startOn(document: SpecDocument, environment?: string): Promise<SdkClient> {
  const { StatsigServer } = loadSdk();
  const client = new StatsigServer(unusedKey, {
    ...{ ...alone, localMode: true, bootstrapValues: JSON.stringify(document) },
    // Without this it tells its maker of exceptions, in its local mode too.
    networkOverrideFunc: () => Promise.reject(new Error("asks nobody")),
    initStrategyForIDLists: "none",
    ...tier(environment),
  });
  await client.initializeAsync();
  return client;
}

/** The address of what server SDKs ask, and the server key that opens it. */
export interface SdkServer {
  /** Such as `http://127.0.0.1:4455/v1`; left out: the service's own. */
  readonly api?: string;
  readonly key: string;
}

/** Time limit of one answer. */
const answerLimitMs = 20_000;

/**
 * Fetches the document of a server once, by the SDK; no events are logged there.
 * @throws Error where the SDK is not installed, or nothing comes from the server.
 */
export async function documentFrom({ api, key }: SdkServer, environment?: string): Promise<SpecDocument> {
  // Its types say `Statsig.initialize`; built, the module itself is that client.
  const client = loadSdk() as unknown as typeof import("statsig-node")["Statsig"];
  let text: string | undefined;
  let failure = "nothing was answered";
  // The one global client alone takes a logger. Any other prints what fails, with the first letters of the key.
  await client.initialize(key, {
    ...(api === undefined ? {} : { api }),
    ...alone,
    logger: { logLevel: "none", warn() {}, error() {} },
    async networkOverrideFunc(url, request) {
      try {
        // A redirect would take the server key to an address that nobody named.
        const once = { ...request, redirect: "manual", signal: AbortSignal.timeout(answerLimitMs) } as const;
        const answer = await fetch(url, once);
        failure = answer.ok ? "what it answers are no flags" : `the answer was ${answer.status}`;
        if (answer.status === 401) failure = "it refuses this server key (401)";
        if (answer.headers.has("location"))
          failure = `it redirects (${answer.status}), which is not followed`;
        return answer;
      } catch (error) {
        failure = "it cannot be reached";
        throw error;
      }
    },
    rulesUpdatedCallback(rules) {
      text = rules;
    },
    ...tier(environment),
  });
  if (text === undefined)
    throw new Error(
      `no flags came from ${api ?? "the service"}: ${failure}; check the address and the server key`,
    );
  // It says of which key it is, and the client that evaluates it has none.
  return Object.assign(JSON.parse(text) as SpecDocument, { hashed_sdk_key_used: undefined });
}

const tier = (environment: string | undefined) =>
  environment === undefined ? {} : { environment: { tier: environment } };

/** From beside this package, or from the folder where it is used: a package runner keeps this one apart. */
function loadSdk(): typeof import("statsig-node") {
  try {
    const file = require.resolve(sdkPackage, { paths: [__dirname, process.cwd()] });
    return require(file) as typeof import("statsig-node");
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== "MODULE_NOT_FOUND" || !messageOf(error).includes(`'${sdkPackage}'`)) throw error;
    throw new Error(
      `flags are evaluated by the service's own SDK, and it is not installed: npm install --save-dev ${sdkPackage}`,
    );
  }
}
