import type { ClientSettings } from "../client/settings";
import type { EmbeddedConsole } from "../client/transport";
import type { Permissions } from "../engine";
import { bug, unusableSettings } from "../schema/errors";
import type { JsonObject } from "../schema/json";
import { type ReviewMode, reviewModes } from "../schema/reviews";
import { allowedHostsVariable, insecureHttpVariable } from "../texts/allowed-hosts";
import type { KeyAndAddress } from "./key-destination";

/** Namespace of the settings in a stack's configuration. */
export const configNamespace = "feature-console";

/** Setting that only an explicit provider has: there, what the program says beats the environment. */
export const explicitMark = "explicit";

/** Answer of an explicit provider's configuration beside its settings: what it shares with the stack's (`sharedWithStack`). */
export const fromStackMark = "fromStack";

/**
 * Every setting, its environment variable, and whether it is a number, true or false, or a secret. The configuration, the environment,
 * explicit providers and the warning of an unknown name follow from it. To add one: a member of `ClientSettings` with its
 * check and default (`resolveSettings` and `findProblems` in provider/client/settings.ts), a line here, a row of docs/settings.md.
 */
export const settingNames = {
  profile: { environment: "FEATURE_CONSOLE_PROFILE" },
  apiKey: { environment: "FEATURE_CONSOLE_API_KEY", isSecret: true },
  baseUrl: { environment: "FEATURE_CONSOLE_BASE_URL" },
  allowInsecureHttp: { environment: insecureHttpVariable, isSwitch: true },
  embeddedPath: { environment: "FEATURE_CONSOLE_EMBEDDED_PATH" },
  requestTimeoutMs: { environment: "FEATURE_CONSOLE_REQUEST_TIMEOUT_MS", isNumber: true },
  maxConcurrency: { environment: "FEATURE_CONSOLE_MAX_CONCURRENCY", isNumber: true },
  writesPer10s: { environment: "FEATURE_CONSOLE_WRITES_PER_10S", isNumber: true },
  writesPer15min: { environment: "FEATURE_CONSOLE_WRITES_PER_15MIN", isNumber: true },
  writeWindowScale: { environment: "FEATURE_CONSOLE_WRITE_WINDOW_SCALE", isNumber: true },
  protectConcurrentEdits: { environment: "FEATURE_CONSOLE_PROTECT_CONCURRENT_EDITS", isSwitch: true },
  overwriteConsoleEdits: { environment: "FEATURE_CONSOLE_OVERWRITE_CONSOLE_EDITS", isSwitch: true },
  reviews: { environment: "FEATURE_CONSOLE_REVIEWS", choices: reviewModes },
  reviewMessage: { environment: "FEATURE_CONSOLE_REVIEW_MESSAGE" },
  observations: { environment: "FEATURE_CONSOLE_OBSERVATIONS" },
  redisUrl: { environment: "FEATURE_CONSOLE_REDIS_URL", isSecret: true },
  allowInsecureRedis: { environment: "FEATURE_CONSOLE_ALLOW_INSECURE_REDIS", isSwitch: true },
} as const satisfies Record<
  string,
  { environment: string; isNumber?: true; isSwitch?: true; isSecret?: true; choices?: readonly string[] }
>;

/** Environment variables that say `1` for one run: what it may do that it would refuse otherwise. */
export const switchNames = {
  readProgram: "FEATURE_CONSOLE_READ_PROGRAM",
  takeOver: "FEATURE_CONSOLE_TAKE_OVER",
  move: "FEATURE_CONSOLE_MOVE",
  acceptGone: "FEATURE_CONSOLE_ACCEPT_GONE",
} as const;

/**
 * The settings of a provider: those of the client, where the embedded console keeps its data, what the console answered to
 * `verify`, and what holds for every resource.
 */
export type ProviderSettings = Partial<ClientSettings> & {
  readonly embeddedPath?: string;
  readonly protectConcurrentEdits?: boolean;
  readonly overwriteConsoleEdits?: boolean;
  readonly reviews?: ReviewMode;
  readonly reviewMessage?: string;
  readonly observations?: string;
};

/** Access to the embedded console. Every entry of the package gives it, because the provider knows no console. */
export const embedded: { open: (file: string) => EmbeddedConsole } = {
  open() {
    throw bug("No entry of the package brings the embedded console.");
  },
};

/** Variables of the environment, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads one value of the configuration. */
export type ConfigReader = (key: string) => string | undefined;

/** Members of a provider of a program beside its settings, by full names. */
export const providerMarks: readonly string[] = [explicitMark, fromStackMark].map(
  (name) => `${configNamespace}:${name}`,
);

/** A reader of a stack's configuration: there, the marks of a program's provider would put its address before the environment's. */
export function withoutMarks(read: ConfigReader): ConfigReader {
  return (key) => (providerMarks.includes(key) ? undefined : read(key));
}

/**
 * Collects the settings; the first hit wins: explicit provider, environment, stack configuration. The environment beats
 * the configuration because destroy and refresh use the one stored in state: a rotated key must work.
 * @throws ConsoleError "settings" for a number that is none.
 */
export function collectSettings(config: ConfigReader, environment: Environment): ProviderSettings {
  const { settings, problems } = readSettings(config, environment);
  const [first] = problems;
  if (first === undefined) return settings;
  throw unusableSettings(first);
}

/** Settings as Pulumi keeps them of a provider of the native plugin: by their short names. */
export interface NativeSettings {
  readonly values: JsonObject;
  /** The name of the provider. Pulumi calls the one that it makes by itself `default` or `default_VERSION`. */
  readonly providerName: string;
}

/** Reads such settings by their full names. */
export function nativeReader({ values, providerName }: NativeSettings): ConfigReader {
  return (key) => {
    const [namespace, name = ""] = key.split(":");
    if (namespace !== configNamespace) return undefined;
    if (name === explicitMark) return isDefaultProvider(providerName) ? undefined : "true";
    // A program's own word does not count.
    if (name === fromStackMark) return undefined;
    const value = values[name];
    return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  };
}

/** Pulumi type of the native plugin's providers. */
export const nativeProviderType = `pulumi:providers:${configNamespace}`;

/** Pulumi type of the providers of dynamic resources, of every package. */
const dynamicProviderType = "pulumi:providers:pulumi-nodejs";

/**
 * Reader of the settings of a provider that a program made for this package, from its inputs or outputs in state; undefined for
 * Pulumi's own and for another package's. A mark tells it, not the name: a program may call a dynamic one `default`.
 */
export function explicitReader(type: string, name: string, values: JsonObject): ConfigReader | undefined {
  const readers: Readonly<Record<string, ConfigReader>> = {
    [nativeProviderType]: nativeReader({ values, providerName: name }),
    [dynamicProviderType]: (key) => textIn(values[key]),
  };
  const read = readers[type];
  return read !== undefined && isExplicit(read) ? read : undefined;
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** True for the name of a provider that Pulumi makes of the stack's configuration. */
export function isDefaultProvider(name: string): boolean {
  return /^default(_|$)/.test(name);
}

/** Source of a setting: in what configures the provider, or in the environment. */
export type SettingSource = "configuration" | "environment";

/** Settings as they were found. */
export interface ReadSettings {
  readonly settings: ProviderSettings;
  readonly sources: Readonly<Partial<Record<keyof ProviderSettings, SettingSource>>>;
  /** One message each about what cannot be read. */
  readonly problems: readonly string[];
}

/** The settings that can be read, and what is wrong with the others. */
export function readSettings(config: ConfigReader, environment: Environment): ReadSettings {
  const explicit = isExplicit(config);
  const settings: Record<string, string | number | boolean> = {};
  const sources: Record<string, SettingSource> = {};
  const problems: string[] = [];
  for (const [name, setting] of Object.entries(settingNames)) {
    const configured = nonEmpty(config(`${configNamespace}:${name}`));
    const around = nonEmpty(environment[setting.environment]);
    const value = explicit ? (configured ?? around) : (around ?? configured);
    if (value === undefined) continue;
    const isConfigured = explicit ? configured !== undefined : around === undefined;
    sources[name] = isConfigured ? "configuration" : "environment";
    const place = isConfigured ? `${configNamespace}:${name}` : setting.environment;
    const number = Number(value);
    if ("isSwitch" in setting) {
      if (value === "true" || value === "false") settings[name] = value === "true";
      else problems.push(`${place} must be true or false, but is "${value}".`);
    } else if ("choices" in setting) {
      if ((setting.choices as readonly string[]).includes(value)) settings[name] = value;
      else problems.push(`${place} must be ${setting.choices.join(", ")}, but is "${value}".`);
    } else if (!("isNumber" in setting)) settings[name] = value;
    else if (Number.isFinite(number)) settings[name] = number;
    else problems.push(`${place} must be a number, but is "${value}".`);
  }
  const problem = keyDestinations().keyProblem({
    settings,
    environment: keyAndAddressIn(environment),
    isExplicit: explicit,
    fromStack: explicit ? config(`${configNamespace}:${fromStackMark}`) : undefined,
    onlyHosts: environment[allowedHostsVariable],
  });
  return { settings, sources, problems: problem === undefined ? problems : [...problems, problem] };
}

/** A reader of an explicit provider's settings that also answers what they share with the stack's configuration. */
export function besideStack(
  config: ConfigReader,
  stack: ConfigReader,
  environment: Environment,
): ConfigReader {
  return (key) =>
    key === `${configNamespace}:${fromStackMark}`
      ? sharedWithStack(keyAndAddressOf(config), stack, environment)
      : config(key);
}

/** Parts that an explicit provider of these settings shares with the stack's configuration; undefined: nothing that matters. */
export function sharedWithStack(
  own: KeyAndAddress,
  stack: ConfigReader,
  environment: Environment,
): string | undefined {
  return keyDestinations().sharedWithStack(own, keyAndAddressOf(stack), keyAndAddressIn(environment));
}

/** Loaded when needed: a program without explicit providers needs no addresses. */
function keyDestinations() {
  return require("./key-destination") as typeof import("./key-destination");
}

function keyAndAddressOf(config: ConfigReader): KeyAndAddress {
  return keyAndAddress((name) => config(`${configNamespace}:${name}`));
}

function keyAndAddressIn(environment: Environment): KeyAndAddress {
  return keyAndAddress((name) => environment[settingNames[name].environment]);
}

function keyAndAddress(read: (name: keyof KeyAndAddress) => string | undefined): KeyAndAddress {
  const [profile, baseUrl, apiKey] = (["profile", "baseUrl", "apiKey"] as const).map(read).map(nonEmpty);
  return { profile, baseUrl, apiKey };
}

/** True for the configuration of an explicit provider. */
export function isExplicit(config: ConfigReader): boolean {
  return config(`${configNamespace}:${explicitMark}`) === "true";
}

/**
 * The names of a stack's configuration that look like settings and are none. A provider can read what it asks for and not
 * see which names there are; a program can. In a project that is called like the namespace, other names are its own.
 */
export function unknownSettings(names: readonly string[], project: string): string[] {
  if (project === configNamespace) return [];
  return names.filter((name) => name.startsWith(`${configNamespace}:`) && !isSetting(name));
}

/** Settings that are secrets and stand in the stack's configuration in the clear. */
export function openSettings(config: ConfigReader, isEncrypted: (name: string) => boolean): string[] {
  return Object.entries(settingNames).flatMap(([setting, facts]) => {
    const name = `${configNamespace}:${setting}`;
    const value = nonEmpty(config(name));
    if (!("isSecret" in facts) || value === undefined || isEncrypted(name)) return [];
    // An address is a secret for its password alone.
    const isHarmless = URL.canParse(value) && new URL(value).password === "";
    return isHarmless ? [] : [name];
  });
}

/** True for the full name of a setting, such as `feature-console:apiKey`. */
export function isSetting(name: string): boolean {
  const [namespace, setting = ""] = name.split(":");
  return namespace === configNamespace && Object.hasOwn(settingNames, setting);
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value;
}

/** Permissions of the environment: a variable that is `1` or `true`. */
export function permissionsOf(environment: Environment): Permissions {
  const says = (name: string) => ["1", "true"].includes(environment[name]?.trim().toLowerCase() ?? "");
  return {
    takeOver: says(switchNames.takeOver),
    leaveInOtherConsole: says(switchNames.move),
    acceptGone: says(switchNames.acceptGone),
  };
}
