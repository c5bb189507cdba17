import { Statsig, StatsigUser } from "@statsig/statsig-node-core";
import { StatsigServer } from "statsig-node";
import type { JsonObject } from "../../../src/provider/schema/json";

/** A user as both SDKs take one. */
export interface User {
  readonly userID?: string;
  readonly email?: string;
  readonly ip?: string;
  readonly userAgent?: string;
  readonly country?: string;
  readonly locale?: string;
  readonly appVersion?: string;
  readonly customIDs?: Record<string, string>;
  readonly custom?: Record<string, string | number | boolean | string[]>;
  readonly statsigEnvironment?: { readonly tier: string };
}

/** What an SDK answers for an experiment. */
export interface Assignment {
  readonly value: JsonObject;
  readonly group: string | null;
  readonly rule: string;
}

/** What both server SDKs can do, in the same words. */
export interface ServerSdk {
  readonly family: "node" | "core";
  gate(name: string, user: User): boolean;
  /** Without an exposure, for great numbers of users. */
  quietGate(name: string, user: User): boolean;
  gateRule(name: string, user: User): string;
  /** Without an exposure. */
  config(name: string, user: User): Assignment;
  /** Without an exposure too. */
  experiment(name: string, user: User): Assignment;
  /** The values of some parameters of a layer, without an exposure; null where there is none of that name. */
  layer(name: string, user: User, parameters: readonly string[]): JsonObject;
  log(event: string, user: User, value: string | number, metadata: Record<string, string>): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Any key that begins like a server key. */
export const serverKey = "secret-for-tests";

export interface SdkOptions {
  readonly key?: string;
  readonly environment?: string;
  readonly idLists?: boolean;
  /** Milliseconds between two polls, at least 5,000 for `node` and 1,000 for `core`. */
  readonly pollMs?: number;
}

/** Both families, pointed at a console. */
export async function startBoth(url: string, options: SdkOptions = {}): Promise<readonly ServerSdk[]> {
  return Promise.all([startNodeSdk(url, options), startCoreSdk(url, options)]);
}

/** `statsig-node`, pointed at a console. */
async function startNodeSdk(url: string, options: SdkOptions = {}): Promise<ServerSdk> {
  const { key = serverKey, environment, pollMs = 60_000 } = options;
  const sdk = new StatsigServer(key, {
    api: `${url}/v1`,
    ...{ rulesetsSyncIntervalMs: pollMs, idListsSyncIntervalMs: 60_000, disableDiagnostics: true },
    ...(environment === undefined ? {} : { environment: { tier: environment } }),
    logger: { logLevel: "none", warn() {}, error() {} },
  });
  await sdk.initializeAsync();
  return nodeSdk(sdk);
}

/** What the classic SDK answers, in the words of both. */
export function nodeSdk(sdk: StatsigServer): ServerSdk {
  const assignment = (one: ReturnType<StatsigServer["getConfigSync"]>): Assignment => ({
    ...{ value: one.value, group: one.getGroupName(), rule: one.getRuleID() },
  });
  const userOf = (user: User) => ({ userID: "", ...user });
  return {
    family: "node",
    gate: (name, user) => sdk.checkGateSync(userOf(user), name),
    quietGate: (name, user) => sdk.checkGateWithExposureLoggingDisabledSync(userOf(user), name),
    gateRule: (name, user) => sdk.getFeatureGateSync(userOf(user), name).ruleID,
    config: (name, user) => assignment(sdk.getConfigWithExposureLoggingDisabledSync(userOf(user), name)),
    experiment: (name, user) =>
      assignment(sdk.getExperimentWithExposureLoggingDisabledSync(userOf(user), name)),
    layer(name, user, parameters) {
      const layer = sdk.getLayerWithExposureLoggingDisabledSync(userOf(user), name);
      return Object.fromEntries(parameters.map((one) => [one, layer.getValue(one, null)]));
    },
    log: (event, user, value, metadata) => sdk.logEvent(userOf(user), event, value, metadata),
    flush: () => sdk.flush(),
    stop: () => sdk.shutdownAsync(),
  };
}

/** `@statsig/statsig-node-core`, pointed at a console. */
export async function startCoreSdk(url: string, options: SdkOptions = {}): Promise<ServerSdk> {
  const { key = serverKey, environment, idLists = false, pollMs = 60_000 } = options;
  const sdk = new Statsig(key, {
    specsUrl: `${url}/v2/download_config_specs`,
    ...{ logEventUrl: `${url}/v1/log_event`, idListsUrl: `${url}/v1/get_id_lists` },
    ...{ enableIdLists: idLists, specsSyncIntervalMs: pollMs, waitForCountryLookupInit: true },
    ...{ waitForUserAgentInit: true, outputLogLevel: "none" },
    ...(environment === undefined ? {} : { environment }),
  });
  await sdk.initialize();
  return coreSdk(sdk);
}

/** What the SDK with the shared core answers, in the words of both. */
function coreSdk(sdk: Statsig): ServerSdk {
  // A user is handed over to the core once: that takes longer than an answer.
  const handedOver = new WeakMap<User, StatsigUser>();
  const userOf = (user: User): StatsigUser => {
    const known = handedOver.get(user) ?? new StatsigUser({ userID: "", ...user });
    handedOver.set(user, known);
    return known;
  };
  const quiet = { disableExposureLogging: true };
  return {
    family: "core",
    gate: (name, user) => sdk.checkGate(userOf(user), name),
    quietGate: (name, user) => sdk.checkGate(userOf(user), name, quiet),
    gateRule: (name, user) => sdk.getFeatureGate(userOf(user), name).ruleID,
    config(name, user) {
      const one = sdk.getDynamicConfig(userOf(user), name, quiet);
      return { value: one.value as JsonObject, group: null, rule: one.ruleID };
    },
    experiment(name, user) {
      const one = sdk.getExperiment(userOf(user), name, quiet);
      return { value: one.value as JsonObject, group: one.groupName, rule: one.ruleID };
    },
    layer(name, user, parameters) {
      const layer = sdk.getLayer(userOf(user), name, quiet);
      return Object.fromEntries(parameters.map((one) => [one, layer.get(one, null)]));
    },
    log: (event, user, value, metadata) => sdk.logEvent(userOf(user), event, value, metadata),
    flush: async () => {
      await sdk.flushEvents();
    },
    stop: async () => {
      await sdk.shutdown();
    },
  };
}
