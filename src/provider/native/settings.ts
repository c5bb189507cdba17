import {
  configNamespace,
  type Environment,
  type NativeSettings,
  nativeReader,
  settingNames,
  unknownSettings,
} from "../pulumi/provider-settings";
import { settingProblems } from "../pulumi/setting-problems";
import { holdsUnknown } from "../schema/unknown";

/** The engine adds the version of the plugin that a program asks for, as the packages for other languages do. */
const versionMember = "version";

/** Everything that is wrong with settings, one message each. Settings that a preview does not know yet are not judged. */
export function problemsOf(given: NativeSettings, environment: Environment): string[] {
  if (holdsUnknown(given.values)) return [];
  const names = Object.keys(given.values).flatMap((name) =>
    name === versionMember ? [] : [`${configNamespace}:${name}`],
  );
  return settingProblems(nativeReader(given), unknownSettings(names, ""), environment);
}

/** Names of the settings that are secrets, however they are given. */
export const secretSettings: ReadonlySet<string> = new Set(
  Object.entries(settingNames).flatMap(([name, setting]) => ("isSecret" in setting ? [name] : [])),
);
