import { accessSync, constants, existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { RedisConnection } from "../../provider/client/limits/redis";
import {
  openSettings,
  type ProviderSettings,
  type SettingSource,
  settingNames,
  unknownSettings,
  withoutMarks,
} from "../../provider/pulumi/provider-settings";
import { journalFolder } from "../../provider/pulumi/runs/journal";
import { partName, privateMode } from "../../provider/pulumi/runs/whole-file";
import { reasonOf } from "../../provider/pulumi/runs/writable";
import { settingProblems } from "../../provider/pulumi/setting-problems";
import { publishedLimits } from "../../provider/schema/write-limits";
import { isInsecure } from "../../provider/texts/allowed-hosts";
import { projectName } from "../stack/project";
import { type Check, type Finding, failed, ok, warning } from "./check";
import type { DoctorContext } from "./context";

const sourceNames: Readonly<Record<SettingSource, string>> = {
  configuration: "stack",
  environment: "environment",
};

/** Checks of the settings that lead to the console, and of the files beside the program. */
export const settingsChecks: readonly Check<DoctorContext>[] = [
  { name: "settings", limitMs: 30_000, run: findSettings },
  { name: "writes", needs: ["settings"], run: findLimits },
  { name: "redis", needs: ["settings"], run: findRedis },
  { name: "journal", run: findJournal },
];

async function findSettings(context: DoctorContext): Promise<Finding> {
  const { values, encrypted, problem } = await context.config();
  const read = withoutMarks((name) => values[name]);
  const wrong = [
    ...unknownSettings(Object.keys(values), projectName(context.ports.folder)),
    ...openSettings(read, (name) => encrypted.has(name)),
  ];
  const [first, ...others] = settingProblems(read, wrong, context.ports.environment);
  const without = problem === undefined ? "" : ` (the stack's configuration could not be read: see "stack")`;
  if (first !== undefined) {
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    const [what = first, advice = "docs/settings.md names them all"] = splitAdvice(first);
    return failed(`${what}${more}${without}`, advice);
  }
  const { settings, sources } = await context.settings();
  const said = Object.entries(sourceNames).flatMap(([source, title]) => {
    const names = namesOf(settings).filter((name) => sources[name] === source);
    const shown = names.map((name) => `${name} ${"isSecret" in settingNames[name] ? "set" : settings[name]}`);
    return shown.length === 0 ? [] : [`${title}: ${shown.join(", ")}`];
  });
  const text = `${said.join("; ")}${without}; an explicit fc.Provider is not seen here`;
  const address = new URL((await context.resolved()).baseUrl);
  if (settings.profile === "embedded" || !isInsecure(address)) return ok(text);
  return warning(
    `the key crosses the network to ${address.hostname} in clear; ${text}`,
    "use https:, and remove feature-console:allowInsecureHttp or FEATURE_CONSOLE_ALLOW_INSECURE_HTTP",
  );
}

const namesOf = (settings: ProviderSettings) => Object.keys(settings) as (keyof ProviderSettings)[];

/** "What is wrong: what to do.", "What is wrong; did you mean?", "What is wrong. The settings are ..." */
function splitAdvice(message: string): [what: string, advice?: string] {
  const [, what, advice] =
    /^(.*?)(?::|;|\.) ((?:set|Use|did you mean|The settings are|Correct the|Give the|Name) .*)$/s.exec(
      message,
    ) ?? [];
  return what === undefined || advice === undefined ? [message] : [what, advice];
}

async function findLimits(context: DoctorContext): Promise<Finding> {
  const { writeWindows } = await context.resolved();
  const said = writeWindows.project.map(({ most, windowMs }) => `${most} in ${windowMs / 1000} s`);
  if (said.length === 0) return ok("not limited: the console is in this process");
  const perSecond = (windows: readonly { most: number; windowMs: number }[]) =>
    Math.min(...windows.map(({ most, windowMs }) => most / windowMs));
  const text = `at most ${said.join(", ")}; the console does not return how many are left`;
  if (perSecond(writeWindows.project) <= perSecond(publishedLimits.project)) return ok(text);
  return warning(
    `${text}; the service is known to take less`,
    "pulumi config rm feature-console:writesPer15min (writesPer10s, writeWindowScale), or unset the environment's",
  );
}

async function findRedis(context: DoctorContext): Promise<Finding> {
  const { redisUrl } = (await context.settings()).settings;
  if (redisUrl === undefined) return ok("not set: write limits are shared with no other machine");
  let problem = "it cannot be used";
  const report = (line: string) => {
    problem = /\(([^)]*)\)/.exec(line)?.[1] ?? problem;
  };
  const connection = new RedisConnection({ redisUrl, report, now: context.ports.now });
  const answer = await connection.use((redis) => redis.ping());
  if (answer === "PONG") return ok("answers");
  return failed(
    `feature-console:redisUrl cannot be used: ${problem}`,
    "start it, correct the address with pulumi config set --secret feature-console:redisUrl, or remove the setting",
  );
}

/** Text that a probe of the journal writes: more than a disk keeps room for beside the files. */
const probeText = "x".repeat(64 * 1024);

/** A right to write says nothing of a full disk: a file is written, synced and removed again. */
async function findJournal({ ports: { folder } }: DoctorContext): Promise<Finding> {
  const obstacle = journalObstacle(folder);
  if (obstacle === undefined) return ok(`${journalFolder} can be written`);
  return failed(
    `${obstacle}: after a kill, what a run created has to be taken over by hand`,
    `make it a folder that can be written, with room on its disk: ${path.join(folder, journalFolder)}`,
  );
}

/** Why nothing can be noted in the folder of the journal, or in the one in which it would be made; undefined where all can. */
function journalObstacle(folder: string): string | undefined {
  const wanted = path.join(folder, journalFolder);
  let place = wanted;
  while (!existsSync(place)) place = path.dirname(place);
  const notWritten = (one: string, why: string) =>
    `${path.relative(folder, one) || one} cannot be written (${why})`;
  if (!statSync(place).isDirectory()) return notWritten(place, "it is a file");
  const probe = path.join(place, partName(0));
  let tried = place;
  try {
    writeFileSync(probe, probeText, { flush: true, mode: privateMode });
    // A run of another user, or one with more rights, may have made the files that are there.
    for (const name of place === wanted ? readdirSync(place) : []) {
      tried = path.join(place, name);
      accessSync(tried, constants.R_OK | constants.W_OK);
    }
    return undefined;
  } catch (error) {
    return notWritten(tried, reasonOf(error));
  } finally {
    rmSync(probe, { force: true });
  }
}
