import { type ClientSettings, findProblems } from "../client/settings";
import { allowedHostsVariable } from "../texts/allowed-hosts";
import { closest } from "../texts/misspelling";
import {
  type ConfigReader,
  configNamespace,
  type Environment,
  isExplicit,
  isSetting,
  readSettings,
  settingNames,
  switchNames,
} from "./provider-settings";

const environmentPrefix = "FEATURE_CONSOLE_";

const knownVariables: readonly string[] = [
  ...Object.values(settingNames).map(({ environment }) => environment),
  ...Object.values(switchNames),
  allowedHostsVariable,
];

/**
 * Everything that is wrong with the settings of a run, one message each; asks nobody. `wrong`: names of the stack's
 * configuration that are no settings, see `unknownSettings`, and those whose values stand there in the clear, see `openSettings`.
 */
export function settingProblems(
  config: ConfigReader,
  wrong: readonly string[],
  environment: Environment,
): string[] {
  const { settings, problems } = readSettings(config, environment);
  const found = [...problems, ...findProblems(settings)];
  const misspelt = misspeltVariables(environment);
  // An explicit provider does not read the stack's configuration.
  if (isExplicit(config)) return [...misspelt, ...found, ...(found.length > 0 ? [explicitAdvice] : [])];
  const unfit = wrong.map((name) => (isSetting(name) ? openProblem(name) : unknownProblem(name)));
  return [...unfit, ...misspelt, ...found];
}

/** Advice about a key that the console refuses: which one was used. `isStored`: the settings are those of the last update. */
export function keyAdvice(config: ConfigReader, environment: Environment, isStored: boolean): string {
  const { environment: variable } = settingNames.apiKey;
  const isOwn = isExplicit(config);
  const name = isOwn ? "apiKey of the provider" : `${configNamespace}:apiKey`;
  const active = "an active console key of this project";
  if (readSettings(config, environment).sources.apiKey === "environment")
    return `Check the key in ${variable}: it must be ${active}.`;
  if (!isStored) return `Check the key, ${name}: it must be ${active}.`;
  const another = isOwn
    ? 'run "pulumi up" with another one first, or add --run-program'
    : `set ${variable} to ${active}`;
  return `Check the key: without the program, a command uses the ${name} of the last update, which state holds. To use another, ${another}.`;
}

/** The first problem of settings that state holds; undefined where there is none. A refresh or a destroy reads no others. */
export function storedProblem(settings: Partial<ClientSettings>): string | undefined {
  const [problem] = findProblems(settings);
  return problem === undefined ? undefined : `${problem} ${storedAdvice}`;
}

const storedAdvice =
  'Without the program, a command uses the settings of the last update, which state holds: only the environment changes them here, and "pulumi config set" counts from the next update.';

/** Warning of connections whose certificates nothing checks. Node takes no other value of the variable for this. */
export function unverifiedTlsText(profile: string | undefined, environment: Environment): string | undefined {
  if (profile === "embedded" || environment.NODE_TLS_REJECT_UNAUTHORIZED !== "0") return undefined;
  return "NODE_TLS_REJECT_UNAUTHORIZED is 0: nothing checks the console's certificate, so another machine can pose as the console and read the key. Unset that variable. Where a CA of your own signed the certificate, export NODE_EXTRA_CA_CERTS=/path/to/ca.pem.";
}

const explicitAdvice =
  "These settings are those of an explicit provider: it takes them as its arguments or from the environment, and does not read the stack's configuration.";

function openProblem(name: string): string {
  return (
    `${name} is stored in plain text in the stack's configuration: set it again with "pulumi config set --secret ${name}". ` +
    "Where others could read it, it is no secret any more: replace it in the console too."
  );
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
    // Beside the right one it is a variable of another program.
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
