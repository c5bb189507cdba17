import type { ParseArgsConfig } from "node:util";
import { switchAnswers, switches } from "../../emulator/console/rules/switches";
import { SdkWorker } from "../../emulator/evaluation";
import {
  type EmulatorOptions,
  type RunningEmulator,
  type StartOptions,
  startEmulator,
} from "../../emulator/index";
import { messageOf } from "../../provider/schema/errors";
import { isObject } from "../../provider/schema/json";
import { observationsIn } from "../../provider/schema/observations";
import { createClientEvaluation } from "./client-evaluation";
import { type Command, notEmpty, oneOf, parseArguments, UsageError } from "./command";
import { readNamedFile } from "./named-files";
import { createPageEvaluation } from "./page-evaluation";
import { requireServerKey } from "./server-key";

const options = {
  port: { type: "string", default: "0" },
  profile: { type: "string", default: "custom" },
  data: { type: "string", default: ":memory:" },
  key: { type: "string" },
  "read-only-key": { type: "string" },
  person: { type: "string", multiple: true, default: [] },
  "server-key": { type: "string" },
  "rate-limit": { type: "string", default: "off" },
  "rate-limit-scale": { type: "string", default: "1" },
  faults: { type: "string" },
  seed: { type: "string" },
  behaviour: { type: "string", multiple: true, default: [] },
  observations: { type: "string" },
  ui: { type: "boolean", default: false },
  "allow-host": { type: "string", multiple: true, default: [] },
} as const satisfies ParseArgsConfig["options"];

const choices = switchAnswers.map(
  ([name, answers]) => `                          ${name}=${answers.join("|")}\n`,
);

const help = `Usage: feature-console emulate [options]

Runs a console on this machine. Prints "listening on http://127.0.0.1:PORT" when it is ready and answers under
/console/v1 until it is stopped with Ctrl-C. SDKs of servers and clients are answered under /v1 and /v2:
how to point them at it is told on standard error; docs/sdk.md says more.

  --port N              Port; 0 takes any free one. Default: 0
  --profile NAME        statsig or custom: names of the key header and of the unit-id field. Default: custom
  --data FILE           SQLite file that keeps everything; several processes may share it. Default: :memory:
  --key KEY             The only key that it takes. Default: any key
  --read-only-key KEY   A key that may read and not write
  --person KEY=EMAIL    The key of a person, who can decide reviews; may be given several times
  --server-key KEY      The only key that the SDK endpoints take, beside server keys that the console makes.
                        Default: any key but those of the Console API. It starts with secret-
  --rate-limit on|off   Apply the write limits of the service: 100 in 10 s, 900 in 15 min. Default: off
  --rate-limit-scale N  What the length of those windows is multiplied by, such as 0.02 for tests. Default: 1
  --faults FILE         JSON array of things that go wrong, such as
                        {"method": "POST", "path": "/gates", "after": 2, "times": 1, "reset": "after"};
                        docs/faults.md tells them all
  --seed FILE           JSON object of what is there from the start:
                        {gates?, dynamic_configs?, segments?, events?, ...}, each an array, named like
                        the last part of the path of its list
  --behaviour NAME=VALUE
                        What to do where the service's reference leaves it open; may be given several
                        times. The first value of each is the default; docs/assumptions.md explains them:
${choices.join("")}\
  --observations FILE   Behave as the console of this file does, which feature-console verify --write --out FILE wrote;
                        --behaviour beats it
  --ui                  Serve a page to look at under /: flags in plain words, who changed what, events, who passes. It is
                        read-only and asks for no key: whoever uses this machine may open it
  --allow-host NAME     Answer under this host name too, as a container or a tunnel calls this machine; may be given
                        several times. Default: localhost and 127.0.0.1 alone, so that no web page reaches it
  --help                This text
`;

/** Runs a console that listens until it is told to stop. */
export const emulate: Command = {
  summary: "Run a console on this machine.",
  help,
  async run(args) {
    const evaluation = new SdkWorker();
    const { port, ...settings } = readOptions(args, evaluation);
    const emulator = await start(port, { ...settings, log: (line) => process.stderr.write(`${line}\n`) });
    process.stdout.write(`listening on ${emulator.url}\n`);
    if (settings.ui) process.stderr.write(`\nA page to look at: ${emulator.url}/\n`);
    process.stderr.write(pointing(emulator.url));
    await stopSignal();
    await Promise.all([emulator.close(), evaluation.close()]);
    return 0;
  },
};

/** How to point both server SDKs at it. The key stays out: what is printed may be kept. */
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

function readOptions(args: readonly string[], evaluation: SdkWorker): StartOptions & { port: number } {
  const { values } = parse(args);
  requireDifferentKeys(values);
  return {
    port: readPort(values.port),
    profile: oneOf("profile", values.profile, ["custom", "statsig"]),
    data: notEmpty("data", values.data),
    rateLimit: oneOf("rate-limit", values["rate-limit"], ["on", "off"]) === "on",
    rateLimitScale: readScale(values["rate-limit-scale"]),
    behaviour: {
      ...(values.observations === undefined ? {} : readObservations(values.observations)),
      ...readBehaviour(values.behaviour),
    },
    ui: values.ui ? { evaluate: createPageEvaluation(evaluation) } : false,
    evaluateForClients: createClientEvaluation(evaluation),
    allowHosts: readHosts(values["allow-host"]),
    ...(values.key === undefined ? {} : { key: notEmpty("key", values.key) }),
    ...(values["read-only-key"] === undefined
      ? {}
      : { readOnlyKey: notEmpty("read-only-key", values["read-only-key"]) }),
    ...(values.person.length === 0 ? {} : { people: Object.fromEntries(readPeople(values.person)) }),
    ...(values["server-key"] === undefined
      ? {}
      : { serverKey: requireServerKey("--server-key", values["server-key"]) }),
    ...(values.faults === undefined ? {} : { faults: readFaults(values.faults) }),
    ...(values.seed === undefined ? {} : { seed: readSeed(values.seed) }),
  };
}

function parse(args: readonly string[]) {
  return parseArguments({ args: [...args], options, allowPositionals: false });
}

/** What opens one half of the console is refused at the other: which would one key for both open? */
function requireDifferentKeys(values: ReturnType<typeof parse>["values"]): void {
  const given: (readonly [option: string, key: string])[] = [
    ...(["key", "read-only-key", "server-key"] as const).flatMap((one) => {
      const key = values[one];
      return key === undefined ? [] : [[one, key] as const];
    }),
    ...readPeople(values.person).map(([key]) => ["person", key] as const),
  ];
  const same = given.find(([, key], index) => given.slice(0, index).some(([, other]) => other === key));
  if (same !== undefined)
    throw new UsageError(
      `--${same[0]} has the key of another option; ${[...new Set(given.map(([one]) => `--${one}`))].join(" and ")} take different keys`,
    );
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
function readPeople(texts: readonly string[]): (readonly [key: string, email: string])[] {
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
  return Object.fromEntries(
    Object.entries(observed.answers).filter(([question]) => Object.hasOwn(switches, question)),
  ) as NonNullable<EmulatorOptions["behaviour"]>;
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

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
