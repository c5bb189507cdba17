import {
  type ConfigReader,
  configNamespace,
  type Environment,
  explicitMark,
  settingNames,
  unknownSettings,
} from "../pulumi/provider-settings";
import { settingProblems } from "../pulumi/setting-problems";
import type { JsonObject } from "../schema/json";
import { holdsUnknown } from "../schema/unknown";

/** Settings as Pulumi passes them to a plugin: those of an explicit provider, or the stack's configuration in this plugin's namespace. */
export interface GivenSettings {
  readonly values: JsonObject;
  /** The name of the provider. Pulumi calls the one that it makes by itself `default` or `default_VERSION`. */
  readonly providerName: string;
}

/** Reads settings by their full names, as the dynamic provider gets them. */
export function readerOf({ values, providerName }: GivenSettings): ConfigReader {
  return (key) => {
    const [namespace, name = ""] = key.split(":");
    if (namespace !== configNamespace) return undefined;
    if (name === explicitMark) return isDefault(providerName) ? undefined : "true";
    const value = values[name];
    return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  };
}

/** Everything that is wrong with settings, one message each. Settings that a preview does not know yet are not judged. */
export function problemsOf(given: GivenSettings, environment: Environment): string[] {
  if (holdsUnknown(given.values)) return [];
  const names = Object.keys(given.values).map((name) => `${configNamespace}:${name}`);
  return settingProblems(readerOf(given), unknownSettings(names, ""), environment);
}

/** Names of the settings that are secrets, however they are given. */
export const secretSettings: ReadonlySet<string> = new Set(
  Object.entries(settingNames).flatMap(([name, setting]) => ("isSecret" in setting ? [name] : [])),
);

function isDefault(name: string): boolean {
  return /^default(_|$)/.test(name);
}
