import { once } from "node:events";
import { switchAnswers, switches } from "../../emulator/console/rules/switches";
import { labelOf, readAllUsers, SdkWorker } from "../../emulator/evaluation";
import {
  type EmulatorOptions,
  type EvaluateForClients,
  type PageOptions,
  type RunningEmulator,
  type StartOptions,
  startEmulator,
} from "../../emulator/index";
import { messageOf } from "../../provider/schema/errors";
import { isObject, kept } from "../../provider/schema/json";
import { observationsIn } from "../../provider/schema/observations";
import { defineCommand, type Given, helpLines, UsageError } from "./command";
import { requireServerKey } from "./flag-source";
import { readNamedFile } from "./named-files";

/** The switches, each with what it decides. */
const behaviourTopic = switchAnswers
  .map(([name, answers]) => `${name}=${answers.join("|")}\n  ${helpLines(switches[name].does, 2)}\n`)
  .join("\n");

const parameters = {
  "--port N": "Port; 0 takes any free one. Default: 0",
  "--profile custom|statsig": "Names of the key header and of the unit-id field. Default: custom",
  "--data FILE": "SQLite file that keeps everything; several processes may share it. Default: :memory:",
  "--key KEY": "The only key that it takes. Default: any key",
  "--read-only-key KEY": "A key that may read and not write",
  "--person KEY=EMAIL...": "The key of a person, who can decide reviews; may be given several times",
  "--server-key KEY":
    "The only key that the SDK endpoints take, beside server keys that the console makes. Default: any key but those of the Console API. It starts with secret-",
  "--rate-limit on|off": "Apply the write limits of the service: 100 in 10 s, 900 in 15 min. Default: off",
  "--rate-limit-scale N": "Factor for the length of those windows, such as 0.02 for tests. Default: 1",
  "--faults FILE":
    'JSON array of things that go wrong, such as {"method": "POST", "path": "/gates", "after": 2, "times": 1, "reset": "after"}; docs/faults.md lists them all',
  "--seed FILE":
    "JSON object of what is there from the start: {gates?, dynamic_configs?, segments?, events?, ...}, each an array, named like the last part of the path of its list",
  "--behaviour NAME=VALUE...":
    "Behaviour where the service's reference leaves it open; may be given several times: emulate --help behaviour lists all",
  "--observations FILE":
    "Behave as the console of this file does, which feature-console verify --write --out FILE wrote; --behaviour beats it",
  "--ui":
    "Serve a page to look at under /: flags in plain words, who changed what, events, who passes. It is read-only and asks for no key: whoever uses this machine may open it",
  "--allow-host NAME...":
    "Answer under this host name too, as a container or a tunnel calls this machine; may be given several times. Default: localhost and 127.0.0.1 alone, so that no web page reaches it",
} as const;

export const emulate = defineCommand({
  name: "emulate",
  about:
    'Runs a console on this machine. Prints "listening on http://127.0.0.1:PORT" when it is ready and answers under /console/v1 until it is stopped with Ctrl-C. SDKs of servers and clients are answered under /v1 and /v2: standard error shows how to point them at it; docs/sdk.md has more.',
  examples: [
    "feature-console emulate --port 8080 --data console.db --ui",
    "feature-console emulate --rate-limit on --behaviour unknownTags=refuse",
  ],
  parameters,
  topics: {
    behaviour: `Values of --behaviour. The first of each is the default.\n\n${behaviourTopic}`,
  },
  exit: { 0: "it was stopped" },
  async run(given) {
    const evaluation = new SdkWorker();
    const { port, ...settings } = startOptions(given, evaluation);
    const emulator = await start(port, { ...settings, log: (line) => process.stderr.write(`${line}\n`) });
    process.stdout.write(`listening on ${emulator.url}\n`);
    if (settings.ui) process.stderr.write(`\nA page to look at: ${emulator.url}/\n`);
    process.stderr.write(pointing(emulator.url));
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    await Promise.all([emulator.close(), evaluation.close()]);
    return 0;
  },
});

/** Lines that point both server SDKs at the console. The key stays out: people keep printed lines. */
function pointing(url: string): string {
  return `
Point a server SDK at it (KEY: the server key, which begins with secret-):

  statsig-node                new StatsigServer(KEY, { api: "${url}/v1" })
  @statsig/statsig-node-core  new Statsig(KEY, {
                                specsUrl: "${url}/v2/download_config_specs",
                                logEventUrl: "${url}/v1/log_event",
                                idListsUrl: "${url}/v1/get_id_lists", enableIdLists: true })

A client, or a page (CLIENT_KEY begins with client-; statsig-node evaluates, which has to be installed):

  @statsig/js-client          new StatsigClient(CLIENT_KEY, user, { networkConfig: { api: "${url}/v1" } })

`;
}

function startOptions(given: Given<typeof parameters>, evaluation: SdkWorker) {
  const people = readPeople(given.person);
  requireDifferentKeys(given, people);
  return {
    port: readPort(given.port ?? "0"),
    profile: given.profile,
    data: given.data,
    rateLimit: given["rate-limit"] === "on",
    rateLimitScale: readScale(given["rate-limit-scale"] ?? "1"),
    behaviour: {
      ...(given.observations === undefined ? {} : readObservations(given.observations)),
      ...readBehaviour(given.behaviour),
    },
    ui: given.ui ? { evaluate: createPageEvaluation(evaluation) } : false,
    evaluateForClients: createClientEvaluation(evaluation),
    allowHosts: readHosts(given["allow-host"]),
    key: given.key,
    readOnlyKey: given["read-only-key"],
    people: Object.fromEntries(people),
    serverKey: given["server-key"] && requireServerKey("--server-key", given["server-key"]),
    faults: given.faults === undefined ? undefined : readFaults(given.faults),
    seed: given.seed === undefined ? undefined : readSeed(given.seed),
  };
}

type Person = readonly [key: string, email: string];

/** Refuses a key that two options name: each half of the console refuses the keys of the other. */
function requireDifferentKeys(values: Given<typeof parameters>, people: readonly Person[]): void {
  const given = [
    ...(["key", "read-only-key", "server-key"] as const).map((one) => [one, values[one]] as const),
    ...people.map(([key]) => ["person", key] as const),
  ].filter(([, key]) => key !== undefined);
  const same = given.find(([, key], index) => given.slice(0, index).some(([, other]) => other === key));
  if (same === undefined) return;
  const options = [...new Set(given.map(([one]) => `--${one}`))].join(" and ");
  throw new UsageError(`--${same[0]} has the key of another option; ${options} take different keys`);
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError(`--port takes a number from 0 to 65535, not "${text}"`);
  return port;
}

function readHosts(names: readonly string[]): readonly string[] {
  const wrong = names.find((name) => !/^([\w.-]+|\[[\da-f:.]+\])$/i.test(name));
  if (wrong === undefined) return names;
  throw new UsageError(`--allow-host takes the name of a host without its port, not "${wrong}"`);
}

function readScale(text: string): number {
  const scale = Number(text);
  if (text.trim() === "" || !(scale > 0 && scale <= 1000))
    throw new UsageError(`--rate-limit-scale takes a number above 0 and at most 1000, not "${text}"`);
  return scale;
}

/** The key stays out of the message: what is printed may be kept. */
function readPeople(texts: readonly string[]): Person[] {
  return texts.map((text) => {
    const at = text.lastIndexOf("=");
    const [key, email] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
    if (key === "" || !email.includes("@")) throw new UsageError("--person takes KEY=EMAIL");
    return [key, email];
  });
}

/** Names and values are checked where they are used. */
function readBehaviour(texts: readonly string[]): NonNullable<EmulatorOptions["behaviour"]> {
  const pairs = texts.map((text) => {
    const [name, value] = text.split("=", 2);
    if (!name || !value) throw new UsageError(`--behaviour takes NAME=VALUE, not "${text}"`);
    return [name, value];
  });
  return Object.fromEntries(pairs) as NonNullable<EmulatorOptions["behaviour"]>;
}

/** The answers of a console to the questions that switches answer, too. */
export function readObservations(file: string): NonNullable<EmulatorOptions["behaviour"]> {
  const observed = observationsIn(readNamedFile(file));
  if (observed === undefined)
    throw new UsageError(`--observations ${file}: not written by feature-console verify --out`);
  const answers = kept(observed.answers, (question) => Object.hasOwn(switches, question));
  return answers as NonNullable<EmulatorOptions["behaviour"]>;
}

function readJson(option: string, file: string): unknown {
  const text = readNamedFile(file);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UsageError(`--${option} ${file}: no JSON: ${messageOf(error)}`);
  }
}

/** Their members are checked where they are planned. */
function readFaults(file: string): NonNullable<EmulatorOptions["faults"]> {
  const faults = readJson("faults", file);
  if (!Array.isArray(faults)) throw new UsageError(`--faults ${file}: not a JSON array`);
  return faults;
}

function readSeed(file: string): NonNullable<EmulatorOptions["seed"]> {
  const seed = readJson("seed", file);
  if (!isObject(seed)) throw new UsageError(`--seed ${file}: not a JSON object`);
  return seed as NonNullable<EmulatorOptions["seed"]>;
}

/** Everything that can be wrong with the start is wrong with what the options name. */
async function start(port: number, settings: StartOptions): Promise<RunningEmulator> {
  try {
    return await startEmulator({ ...settings, port });
  } catch (error) {
    throw new UsageError(portProblem(port, (error as { code?: unknown }).code) ?? messageOf(error));
  }
}

function portProblem(port: number, code: unknown): string | undefined {
  const advice = "take another one, or 0 for any that is free";
  if (code === "EADDRINUSE") return `--port ${port} is in use: ${advice}`;
  return code === "EACCES" ? `--port ${port}: this user may not listen there: ${advice}` : undefined;
}

/** Evaluates for clients by the service's own SDK. It rejects where that is not installed, and where a flag takes too long. */
export function createClientEvaluation(evaluation: SdkWorker): EvaluateForClients {
  return (document, user, hash) => evaluation.forClient(document, { user, hash });
}

/** Answers the questions of the console's page by the service's own SDK. It rejects where that is not installed, and for what is no user. */
export function createPageEvaluation(evaluation: SdkWorker): NonNullable<PageOptions["evaluate"]> {
  return async (document, { users, ...question }) => {
    const given = await readAllUsers(users, "users");
    const answers = await evaluation.forUsers(document, { ...question, users: given });
    return answers.map(({ user, value, why }, index) => ({ user: labelOf(user, index + 1), value, why }));
  };
}
