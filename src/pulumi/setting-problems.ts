import { findProblems } from "../client/settings";
import { closest } from "../core/closest";
import {
  type ConfigReader,
  configNamespace,
  type Environment,
  isExplicit,
  readSettings,
  settingNames,
  switchNames,
} from "./provider-settings";

const environmentPrefix = "FEATURE_CONSOLE_";

const knownVariables: readonly string[] = [
  ...Object.values(settingNames).map(({ environment }) => environment),
  ...Object.values(switchNames),
];

/**
 * Everything that is wrong with the settings of a run, one message each; asks nobody. `unknown`: names of the stack's
 * configuration that are no settings, see `unknownSettings`.
 */
export function settingProblems(
  config: ConfigReader,
  unknown: readonly string[],
  environment: Environment,
): string[] {
  const { settings, problems } = readSettings(config, environment);
  return [
    // An explicit provider does not read the stack's configuration.
    ...(isExplicit(config) ? [] : unknown.map(unknownProblem)),
    ...misspeltVariables(environment),
    ...problems,
    ...findProblems(settings),
  ];
}

function unknownProblem(name: string): string {
  const settings = Object.keys(settingNames);
  const meant = closest(name.slice(configNamespace.length + 1), settings);
  if (meant === undefined) return `${name} is no setting. The settings are ${settings.join(", ")}.`;
  return `${name} is no setting; did you mean ${configNamespace}:${meant}?`;
}

function misspeltVariables(environment: Environment): string[] {
  return Object.keys(environment).flatMap((name) => {
    const meant = meantVariable(name);
    // Beside the right one it is a variable of somebody else.
    if (meant === undefined || environment[meant] !== undefined) return [];
    return [`The environment variable ${name} is no setting; did you mean ${meant}?`];
  });
}

function meantVariable(name: string): string | undefined {
  if (!name.startsWith(environmentPrefix) || knownVariables.includes(name)) return undefined;
  // `FEATURE_CONSOLE_API_KEY_EU` is a program's own, for an explicit provider.
  if (knownVariables.some((known) => name.startsWith(`${known}_`))) return undefined;
  const endings = knownVariables.map((known) => known.slice(environmentPrefix.length));
  const meant = closest(name.slice(environmentPrefix.length), endings, slips);
  return meant === undefined ? undefined : environmentPrefix + meant;
}

/** Other programs have variables too: what is refused must be hardly anything but a slip. */
function slips(ending: string): number {
  return ending.length < 5 ? 0 : Math.min(2, Math.floor(ending.length / 3));
}
