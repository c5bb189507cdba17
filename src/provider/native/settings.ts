import {
  besideStack,
  type ConfigReader,
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

/** True where Pulumi's engine has started this process. */
export function isStartedByPulumi(environment: Environment): boolean {
  return environment[configVariable] !== undefined;
}

/**
 * Everything that is wrong with settings, one message each. Settings that a preview does not know yet are not judged, nor whether the
 * stack's configuration encrypts them: Pulumi does not tell a plugin.
 */
export function problemsOf(given: NativeSettings, environment: Environment): string[] {
  if (holdsUnknown(given.values)) return [];
  const names = Object.keys(given.values).flatMap((name) =>
    name === versionMember ? [] : [`${configNamespace}:${name}`],
  );
  const misnamed = isMisnamed(given, environment) ? [misnamedText] : [];
  return [
    ...misnamed,
    ...settingProblems(readerOf(given, environment), unknownSettings(names, ""), environment),
  ];
}

/** Reads settings, and what those of an explicit provider share with the stack's configuration. */
export function readerOf(given: NativeSettings, environment: Environment): ConfigReader {
  return besideStack(nativeReader(given), stackReader(environment), environment);
}

const misnamedText =
  'A provider of a program whose name begins with "default" is taken for the one that Pulumi makes of the stack\'s configuration. Give it another name.';

/** True for a provider of a program that has the name of Pulumi's own: its settings would count as those of the stack. */
function isMisnamed(given: NativeSettings, environment: Environment): boolean {
  if (!isDefaultProvider(given.providerName) || environment[configVariable] === undefined) return false;
  const [own, stack] = [nativeReader(given), stackReader(environment)];
  return Object.keys(settingNames).some((name) => {
    const key = `${configNamespace}:${name}`;
    return own(key) !== undefined && own(key) !== stack(key);
  });
}

function stackReader(environment: Environment): ConfigReader {
  return nativeReader({ values: stackSettings(environment), providerName: "default" });
}

function stackSettings(environment: Environment): JsonObject {
  return JSON.parse(environment[configVariable] || "{}") as JsonObject;
}

/**
 * The settings that hold in this run. A refresh and a destroy hand over what state has of a default provider: the stack's
 * configuration may have changed since, and beats it where it has any setting.
 */
export function presentSettings(given: NativeSettings, environment: Environment): NativeSettings {
  if (!isDefaultProvider(given.providerName)) return given;
  const values = stackSettings(environment);
  return Object.keys(values).length === 0 ? given : { ...given, values };
}

/** Names of the settings that are secrets, however they are given. */
export const secretSettings: ReadonlySet<string> = new Set(
  Object.entries(settingNames).flatMap(([name, setting]) => ("isSecret" in setting ? [name] : [])),
);
