import { ConsoleError } from "../core/errors";
import { type Profile, type ProfileName, profiles } from "./profile";

/** Where the console is and how much may be asked of it. */
export interface ClientSettings {
  readonly profile: ProfileName;
  /** Not needed for `embedded`. Never logged, stored or shown. */
  readonly apiKey?: string;
  /** Address without the path prefix. Needed for `custom`; overrides a profile's own. */
  readonly baseUrl?: string;
  /** One attempt, milliseconds. Default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Requests at the same time. Default 8. */
  readonly maxConcurrency?: number;
  /** Writes in any 10 seconds. Default 90, under the service's 100. */
  readonly writesPer10s?: number;
  /** Writes in any 15 minutes. Default 850, under the service's 900. */
  readonly writesPer15min?: number;
}

/** The numbers that hold when nothing is said. Limits: console-api, section 6. */
export const defaultLimits = {
  requestTimeoutMs: 30_000,
  maxConcurrency: 8,
  writesPer10s: 90,
  writesPer15min: 850,
} as const;

/** Time that one call may take with all its attempts, milliseconds: one long write window and a little more. */
export const callBudgetMs = 960_000;

/** Timers take no more. */
const largestLimit = 2 ** 31 - 1;

/** Settings with nothing left open. */
export interface ResolvedSettings {
  readonly profile: Profile;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly limits: Record<keyof typeof defaultLimits, number>;
}

/**
 * Checks settings and fills in the defaults.
 * @throws ConsoleError "settings" that names what is missing and where to say it.
 */
export function resolveSettings(settings: ClientSettings): ResolvedSettings {
  const profile = Object.hasOwn(profiles, settings.profile ?? "") ? profiles[settings.profile] : undefined;
  if (profile === undefined) {
    const found =
      settings.profile === undefined ? "No profile is set" : `The profile "${settings.profile}" is unknown`;
    throw refused(
      `${found}: set feature-console:profile or FEATURE_CONSOLE_PROFILE to ${Object.keys(profiles).join(", ")}.`,
    );
  }
  const embedded = profile.name === "embedded";
  const apiKey = settings.apiKey ?? (embedded ? "embedded" : "");
  if (apiKey.trim() === "") {
    throw refused(
      `The profile "${profile.name}" needs a key: set the secret feature-console:apiKey or FEATURE_CONSOLE_API_KEY.`,
    );
  }
  if (/[^\x21-\x7e]/.test(apiKey)) {
    throw refused(
      "The key holds a space, a line break or another character that cannot be sent: set it again without it.",
    );
  }
  return {
    profile,
    apiKey,
    baseUrl: addressOf(settings.baseUrl ?? profile.baseUrl, profile.name),
    limits: limitsOf(settings),
  };
}

function addressOf(baseUrl: string | undefined, profile: ProfileName): string {
  if (baseUrl === undefined || baseUrl.trim() === "") {
    throw refused(
      `The profile "${profile}" needs an address: set feature-console:baseUrl or FEATURE_CONSOLE_BASE_URL.`,
    );
  }
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (
    url === undefined ||
    !["http:", "https:"].includes(url.protocol) ||
    `${url.username}${url.password}${url.search}${url.hash}` !== ""
  ) {
    throw refused(
      "feature-console:baseUrl is not usable: it must be like https://console.example.com, without user, password, query or fragment.",
    );
  }
  return baseUrl
    .trim()
    .replace(/\/+$/, "")
    .replace(/\/+console\/v1$/, "");
}

function limitsOf(settings: ClientSettings): ResolvedSettings["limits"] {
  const limits: Record<string, number> = {};
  for (const [name, standard] of Object.entries(defaultLimits)) {
    const value = settings[name as keyof typeof defaultLimits] ?? standard;
    if (!Number.isInteger(value) || value < 1 || value > largestLimit) {
      throw refused(
        `feature-console:${name} must be a whole number above 0 and at most ${largestLimit}, but is ${String(value)}.`,
      );
    }
    limits[name] = value;
  }
  return limits as ResolvedSettings["limits"];
}

function refused(message: string): ConsoleError {
  return new ConsoleError(message, { category: "settings" });
}
