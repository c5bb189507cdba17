import { messageOf, unusableSettings } from "../schema/errors";
import { type LimitName, publishedLimits, scaled, type WriteWindow } from "../schema/write-limits";
import { insecureHttpVariable, isInsecure, isLoopback } from "../texts/allowed-hosts";
import { longestMs } from "./limits/windows";
import { type Profile, type ProfileName, profiles } from "./profile";

/** Address of the console, and limits of the requests. */
export interface ClientSettings {
  readonly profile: ProfileName;
  /** Not needed for `embedded`. Never logged, stored or shown. */
  readonly apiKey?: string;
  /** Address without the path prefix. Needed for `custom`; overrides a profile's own. */
  readonly baseUrl?: string;
  /** Send the key over http: to another machine too, where everybody on the way can read it. Default: false. */
  readonly allowInsecureHttp?: boolean;
  /** One attempt, milliseconds. Default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Requests at the same time. Default 8. */
  readonly maxConcurrency?: number;
  /** Writes in any 10 seconds. Default 98, under the service's 100. */
  readonly writesPer10s?: number;
  /** Writes in any 15 minutes. Default 890, under the service's 900. */
  readonly writesPer15min?: number;
  /**
   * Factor of the length of both windows: for tests, and for consoles whose windows differ. Above 0, at most
   * 1000. Default 1.
   */
  readonly writeWindowScale?: number;
  /** Redis in which the processes that write to one project share its limits. May hold a password: never logged or shown. */
  readonly redisUrl?: string;
  /** Use a Redis of another machine without TLS, where everybody on the way can read its password. Default: false. */
  readonly allowInsecureRedis?: boolean;
}

/** The numbers that hold when nothing is set. Limits: console-api, section 6. */
export const defaultLimits = {
  requestTimeoutMs: 30_000,
  maxConcurrency: 8,
  writesPer10s: 98,
  writesPer15min: 890,
} as const;

const limitNames = Object.keys(defaultLimits) as (keyof typeof defaultLimits)[];

/** Time that one call may take beside the longest write window, milliseconds. */
const callBudgetBesideMs = 60_000;

/** Timers take no more. */
const largestLimit = 2 ** 31 - 1;

/** Settings with nothing left open. */
export interface ResolvedSettings {
  readonly profile: Profile;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly limits: Record<keyof typeof defaultLimits, number>;
  readonly writeWindows: Readonly<Record<LimitName, readonly WriteWindow[]>>;
  /**
   * Time that one call may take from its first attempt to its last, milliseconds: one long write window and a little more.
   * Its wait before the first does not count.
   */
  readonly callBudgetMs: number;
  readonly redisUrl?: string;
}

/**
 * Checks settings and fills in the defaults.
 * @throws ConsoleError "settings" that names what is missing and where to say it.
 */
export function resolveSettings(settings: ClientSettings): ResolvedSettings {
  const profile = profileOf(settings);
  const apiKey = keyOf(settings, profile);
  const limits = limitsOf(settings);
  const scale = scaleOf(settings);
  const redisUrl = redisUrlOf(settings, profile);
  return {
    profile,
    apiKey,
    baseUrl: addressOf(settings, profile),
    limits,
    // The embedded console is this process: nobody limits it.
    writeWindows: isEmbedded(profile) ? { project: [], ids: [] } : windowsOf(limits, scale),
    callBudgetMs: callBudgetBesideMs + longestMs(publishedLimits.project) * scale,
    ...(redisUrl === undefined ? {} : { redisUrl }),
  };
}

/** Everything that `resolveSettings` would refuse, as messages; what depends on the profile only where that is known. */
export function findProblems(settings: Partial<ClientSettings>): string[] {
  const found: string[] = [];
  const attempt = <T>(check: () => T): T | undefined => {
    try {
      return check();
    } catch (error) {
      found.push(messageOf(error));
      return undefined;
    }
  };
  const profile = attempt(() => profileOf(settings));
  if (profile !== undefined) {
    attempt(() => keyOf(settings, profile));
    attempt(() => addressOf(settings, profile));
    attempt(() => redisUrlOf(settings, profile));
  }
  for (const name of limitNames) attempt(() => limitOf(settings, name));
  attempt(() => scaleOf(settings));
  return found;
}

function profileOf({ profile: name }: Partial<ClientSettings>): Profile {
  if (name !== undefined && Object.hasOwn(profiles, name)) return profiles[name];
  const found = name === undefined ? "No profile is set" : `The profile "${name}" is unknown`;
  const [first, ...others] = Object.keys(profiles);
  throw unusableSettings(
    `${found}: set it with "pulumi config set feature-console:profile ${first}" (or ${others.join(", ")}), or by FEATURE_CONSOLE_PROFILE.`,
  );
}

function isEmbedded(profile: Profile): boolean {
  return profile.name === "embedded";
}

function keyOf(settings: Partial<ClientSettings>, profile: Profile): string {
  const apiKey = settings.apiKey ?? (isEmbedded(profile) ? "embedded" : "");
  if (apiKey.trim() === "")
    throw unusableSettings(
      `The profile "${profile.name}" needs a key: set it with "pulumi config set --secret feature-console:apiKey", or by FEATURE_CONSOLE_API_KEY.`,
    );
  if (/[^\x21-\x7e]/.test(apiKey))
    throw unusableSettings(
      "The key holds a space, a line break or another character that cannot be sent: set it again without it.",
    );
  const other = Object.entries(profile.otherKeys).find(([beginning]) => apiKey.startsWith(beginning));
  if (other !== undefined)
    throw unusableSettings(
      `The key is a ${other[1]} key, and the profile "${profile.name}" takes console keys alone: set one with "pulumi config set --secret feature-console:apiKey", or by FEATURE_CONSOLE_API_KEY.`,
    );
  return apiKey;
}

/** The limits on writes of ids are as far below the published ones as those of the project. */
function windowsOf(limits: ResolvedSettings["limits"], scale: number): ResolvedSettings["writeWindows"] {
  const mosts = [limits.writesPer10s, limits.writesPer15min];
  const project = publishedLimits.project.map(({ windowMs }, index) => ({
    windowMs,
    most: mosts[index] as number,
  }));
  const ids = publishedLimits.ids.map(({ most, windowMs }, index) => {
    const { most: published } = publishedLimits.project[index] as WriteWindow;
    return { windowMs, most: Math.max(1, Math.floor((most * (mosts[index] as number)) / published)) };
  });
  return { project: scaled(project, scale), ids: scaled(ids, scale) };
}

function scaleOf({ writeWindowScale = 1 }: Partial<ClientSettings>): number {
  if (typeof writeWindowScale === "number" && writeWindowScale > 0 && writeWindowScale <= 1000)
    return writeWindowScale;
  throw unusableSettings(
    `feature-console:writeWindowScale must be a number above 0 and at most 1000, but is ${String(writeWindowScale)}.`,
  );
}

/** Never says what was set: it may hold a password. */
function redisUrlOf(
  { redisUrl, allowInsecureRedis }: Partial<ClientSettings>,
  profile: Profile,
): string | undefined {
  if (redisUrl === undefined || isEmbedded(profile)) return undefined;
  const { protocol, hostname = "", searchParams } = URL.canParse(redisUrl) ? new URL(redisUrl) : {};
  if (protocol !== "redis:" && protocol !== "rediss:")
    throw unusableSettings(
      "feature-console:redisUrl is not usable: it must be like rediss://redis.example.com:6379, or redis: on this machine.",
    );
  // By this parameter, and for "REDISS:", the client of Redis would leave TLS out.
  const isEncrypted = /^rediss:\/\//.test(redisUrl) && searchParams?.has("tls") !== true;
  if (isEncrypted || isLoopback(hostname) || allowInsecureRedis === true) return redisUrl;
  throw unusableSettings(
    `feature-console:redisUrl leads to ${hostname} without TLS: its password would cross the network in clear. Use rediss:, or set feature-console:allowInsecureRedis (FEATURE_CONSOLE_ALLOW_INSECURE_REDIS) to true where the network is yours.`,
  );
}

function addressOf(settings: Partial<ClientSettings>, profile: Profile): string {
  const baseUrl = consoleAddress(settings);
  if (baseUrl === undefined || baseUrl === "")
    throw unusableSettings(
      `The profile "${profile.name}" needs an address: set it with "pulumi config set feature-console:baseUrl https://ADDRESS", or by FEATURE_CONSOLE_BASE_URL.`,
    );
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (
    url === undefined ||
    !["http:", "https:"].includes(url.protocol) ||
    `${url.username}${url.password}${url.search}${url.hash}` !== ""
  )
    throw unusableSettings(
      "feature-console:baseUrl is not usable: it must be like https://console.example.com, without user, password, query or fragment.",
    );
  if (isInsecure(url) && !isEmbedded(profile) && settings.allowInsecureHttp !== true)
    throw unusableSettings(
      `feature-console:baseUrl is ${url.origin}: the key would cross the network in clear. Use https:, or set feature-console:allowInsecureHttp (${insecureHttpVariable}) to true where the network is yours.`,
    );
  return baseUrl;
}

type NamedAddress = { readonly profile?: string | undefined; readonly baseUrl?: string | undefined };

/** The address that settings name, by themselves or by their profile, without the path prefix; unchecked. */
export function consoleAddress({ profile = "", baseUrl }: NamedAddress): string | undefined {
  const named: Readonly<Record<string, Profile>> = profiles;
  const address = baseUrl ?? (Object.hasOwn(named, profile) ? named[profile]?.baseUrl : undefined);
  return address
    ?.trim()
    .replace(/\/+$/, "")
    .replace(/\/+console\/v1$/, "");
}

function limitsOf(settings: ClientSettings): ResolvedSettings["limits"] {
  const limits = limitNames.map((name) => [name, limitOf(settings, name)]);
  return Object.fromEntries(limits) as ResolvedSettings["limits"];
}

function limitOf(settings: Partial<ClientSettings>, name: keyof typeof defaultLimits): number {
  const value = settings[name] ?? defaultLimits[name];
  if (Number.isInteger(value) && value >= 1 && value <= largestLimit) return value;
  throw unusableSettings(
    `feature-console:${name} must be a whole number above 0 and at most ${largestLimit}, but is ${String(value)}.`,
  );
}
