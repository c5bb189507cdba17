import type { ClientSettings } from "../client/settings";
import { ConsoleError } from "../core/errors";

/** Namespace of the settings in a stack's configuration. */
export const configNamespace = "feature-console";

/** Setting that only an explicit provider has: there, what the program says beats the environment. */
export const explicitMark = "explicit";

/** Every setting, its environment variable, and whether it is a number or a secret. */
export const settingNames = {
  profile: { environment: "FEATURE_CONSOLE_PROFILE" },
  apiKey: { environment: "FEATURE_CONSOLE_API_KEY", isSecret: true },
  baseUrl: { environment: "FEATURE_CONSOLE_BASE_URL" },
  embeddedPath: { environment: "FEATURE_CONSOLE_EMBEDDED_PATH" },
  requestTimeoutMs: { environment: "FEATURE_CONSOLE_REQUEST_TIMEOUT_MS", isNumber: true },
  maxConcurrency: { environment: "FEATURE_CONSOLE_MAX_CONCURRENCY", isNumber: true },
  writesPer10s: { environment: "FEATURE_CONSOLE_WRITES_PER_10S", isNumber: true },
  writesPer15min: { environment: "FEATURE_CONSOLE_WRITES_PER_15MIN", isNumber: true },
  writeWindowScale: { environment: "FEATURE_CONSOLE_WRITE_WINDOW_SCALE", isNumber: true },
  redisUrl: { environment: "FEATURE_CONSOLE_REDIS_URL", isSecret: true },
} as const satisfies Record<string, { environment: string; isNumber?: true; isSecret?: true }>;

/** The settings of a provider: those of the client, and where the embedded console keeps its data. */
export type ProviderSettings = Partial<ClientSettings> & { readonly embeddedPath?: string };

/** Reads one value of the configuration. */
export type ConfigReader = (key: string) => string | undefined;

/**
 * Collects the settings; the first hit wins: explicit provider, environment, stack configuration. The environment beats
 * the configuration because destroy and refresh use the one stored in state: a rotated key must work.
 * @throws ConsoleError "settings" for a number that is none.
 */
export function collectSettings(
  config: ConfigReader,
  environment: Readonly<Record<string, string | undefined>>,
): ProviderSettings {
  const explicit = config(`${configNamespace}:${explicitMark}`) === "true";
  const found: Record<string, string | number> = {};
  for (const [name, setting] of Object.entries(settingNames)) {
    const said = nonEmpty(config(`${configNamespace}:${name}`));
    const around = nonEmpty(environment[setting.environment]);
    const value = explicit ? (said ?? around) : (around ?? said);
    if (value !== undefined) found[name] = "isNumber" in setting ? asNumber(name, value) : value;
  }
  return found as ProviderSettings;
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value;
}

function asNumber(name: string, value: string): number {
  const number = Number(value);
  if (Number.isFinite(number)) return number;
  throw new ConsoleError(`${configNamespace}:${name} must be a number, but is "${value}".`, {
    category: "settings",
  });
}
