import {
  configNamespace,
  type Environment,
  isDefaultProvider,
  type NativeSettings,
  nativeReader,
  settingNames,
  unknownSettings,
} from "../pulumi/provider-settings";
import { settingProblems } from "../pulumi/setting-problems";
import type { JsonObject } from "../schema/json";
import { holdsUnknown } from "../schema/unknown";

/** The engine adds the version of the plugin that a program asks for, as the packages for other languages do. */
const versionMember = "version";

/** By this variable Pulumi gives a plugin the stack's configuration, as JSON, each setting by its short name. */
const configVariable = "PULUMI_CONFIG";

/**
 * Everything that is wrong with settings, one message each. Settings that a preview does not know yet are not judged, nor whether the
 * stack's configuration encrypts them: Pulumi does not tell a plugin.
 */
export function problemsOf(given: NativeSettings, environment: Environment): string[] {
  if (holdsUnknown(given.values)) return [];
  const names = Object.keys(given.values).flatMap((name) =>
    name === versionMember ? [] : [`${configNamespace}:${name}`],
  );
  return settingProblems(nativeReader(given), unknownSettings(names, ""), environment);
}

/**
 * The settings that hold in this run. A refresh and a destroy hand over what state has of a default provider: the stack's
 * configuration may have changed since, and beats it where it has any setting.
 */
export function presentSettings(given: NativeSettings, environment: Environment): NativeSettings {
  if (!isDefaultProvider(given.providerName)) return given;
  const values = JSON.parse(environment[configVariable] ?? "{}") as JsonObject;
  return Object.keys(values).length === 0 ? given : { ...given, values };
}

/** Names of the settings that are secrets, however they are given. */
export const secretSettings: ReadonlySet<string> = new Set(
  Object.entries(settingNames).flatMap(([name, setting]) => ("isSecret" in setting ? [name] : [])),
);
