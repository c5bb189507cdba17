import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { Statsig, StatsigUser } from "@statsig/statsig-node-core";
import { StatsigServer } from "statsig-node";
import type { RunningEmulator } from "../../src/emulator";
import { drawnByNames, evaluate, type FlagUser, type SpecDocument } from "../../src/emulator/evaluation";
import { Flags, probingOf } from "../../src/emulator/evaluation/flags";
import { type Kind, kinds, specsOfKind } from "../../src/emulator/evaluation/specs";
import type { User } from "../emulator/sdk/server-sdks";
import { exampleContent } from "../support/examples";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { caseCount } from "../support/sample";
import { openShelf, type Shelf } from "./shelf";

jest.setTimeout(300_000);

const programs: Readonly<Record<string, string>> = {
  "whole-project.ts": exampleContent("whole-project").program,
  "experiments.ts": exampleContent("experiments").program,
  "decisions.ts": readFileSync(path.join(__dirname, "programs", "decisions.ts"), "utf8").replace(
    "../../../src",
    "pulumi-feature-console",
  ),
};
const serverKey = ["secret", "e2e", String(process.pid)].join("-");
const phone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 16_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.5 Mobile/15E148 Safari/604.1";

/** Of these so many are asked that a share that is far off tells; one a little off is found where both draw by names. */
const drawn: readonly FlagUser[] = [
  {},
  { country: "NZ" },
  { email: "ann@example.com" },
  { statsigEnvironment: { tier: "staging" } },
  { customIDs: { companyID: "acme" } },
];
/** Users who differ in what is looked at; those without an id stand for as many as one likes. */
const kindsOfUsers: readonly FlagUser[] = [
  ...drawn,
  { email: "bo@other.test" },
  { country: "NZ", email: "ann@example.com", appVersion: "2.4.1" },
  { country: "DE", locale: "de-DE" },
  { appVersion: "1.9" },
  { appVersion: "2.4.1" },
  { appVersion: "10.0" },
  { custom: { plan: "team" } },
  { userAgent: phone },
  { statsigEnvironment: { tier: "production" } },
];
const people: readonly FlagUser[] = [
  ...kindsOfUsers.map((user, number) => ({ userID: `someone-${number}`, ...user })),
  ...["search-1", "cart-2", "qa_1", "many-7", "many-1199", "always", "never"].map((userID) => ({ userID })),
  { userID: "always", statsigEnvironment: { tier: "staging" } },
  { userID: "qa_2", statsigEnvironment: { tier: "staging" } },
  ...Array.from({ length: caseCount(60, 300) }, (_, number) => ({ userID: `drawn-${number}` })),
];

let shelf: Shelf;
let emulator: RunningEmulator;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  shelf = await openShelf(programs, { serverKey, log: () => {} });
  emulator = shelf.emulator;
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await shelf?.close();
});

test("flagsOf answers as pulumi up and the SDK over HTTP do, who is in a share beside", async () => {
  const [inTest, live] = [await flagsOfProgram(), await served()];
  const questions = questionsOf(live.document);
  expect(questions.length).toBeGreaterThan(45);
  const differing = questions.flatMap((question) =>
    drawn.flatMap((user) =>
      differencesOf(
        (one) => answerTo(question, inTest, one),
        (one) => answerTo(question, live.flags, one),
        { user, ids: caseCount(60, 250) },
      ),
    ),
  );
  expect(differing).toEqual([]);
});

test.each([undefined, "staging"])(
  "with draws by names in both, everybody gets the same, in the environment %s",
  async (environment) => {
    const [inTest, live] = [await flagsOfProgram(environment), await served({ environment, redraw: true })];
    const answers = (flags: Flags) =>
      questionsOf(live.document).flatMap((question) =>
        people.map((user) => [question, user, answerTo(question, flags, user)]),
      );
    expect(answers(inTest)).toEqual(answers(live.flags));
  },
);

test("the parameters of stores are what flagsOf answers for what they refer to", async () => {
  const flags = await flagsOfProgram();
  const sdk = new Statsig(serverKey, {
    ...{ specsUrl: `${emulator.url}/v2/download_config_specs`, logEventUrl: `${emulator.url}/v1/log_event` },
    ...{ idListsUrl: `${emulator.url}/v1/get_id_lists`, enableIdLists: true, disableAllLogging: true },
    ...{ waitForCountryLookupInit: true, waitForUserAgentInit: true, outputLogLevel: "none" },
  });
  await sdk.initialize();
  closing.push(() => sdk.shutdown());
  const differing = (await stores()).flatMap(({ store, parameters }) =>
    parameters.flatMap((parameter) =>
      kindsOfUsers.flatMap((user) =>
        differencesOf(
          (one) => JSON.stringify(referred(parameter, flags, one)),
          (one) => {
            const values = sdk.getParameterStore(new StatsigUser({ userID: "", ...(one as User) }), store);
            return JSON.stringify(values.getValue(parameter.name, null));
          },
          { user, ids: caseCount(60, 200) },
        ),
      ),
    ),
  );
  expect(differing).toEqual([]);
});

test("nothing is left to do and nothing drifted; after a destroy nothing is left in use", () =>
  shelf.expectNothingLeft());

/** Runs the program of the folder in a registry of its own: a module runs once. */
async function flagsOfProgram(environment?: string): Promise<Flags> {
  jest.resetModules();
  const testing = require.resolve("pulumi-feature-console/testing", { paths: [shelf.project.folder] });
  const { flagsOf } = require(testing) as typeof import("../../src/tools/testing");
  const options = environment === undefined ? {} : { environment };
  const program = () => import(path.join(shelf.project.folder, "index.ts"));
  // What the emulator serves to SDKs is out as after the last stage of a release pipeline.
  return flagsOf(program, { ...options, pipelines: "finished" });
}

/** Flags that the SDK has over HTTP, and their document. */
interface Served {
  readonly flags: Flags;
  readonly document: SpecDocument;
}

/** Flags of what the console serves. `redraw`: on the way to the SDK, draws are made to hang on names. */
async function served({
  environment,
  redraw = false,
}: {
  environment?: string | undefined;
  redraw?: boolean;
} = {}): Promise<Served> {
  let document: SpecDocument | undefined;
  const client = await sdkOn(environment, (asked) => {
    document = redraw ? drawnByNames(asked) : asked;
    return document;
  });
  if (document === undefined) throw new Error("The SDK did not ask for its document.");
  const probing = probingOf(document);
  const prober = await sdkOn(environment, () => probing.document);
  return { flags: new Flags({ document, client, prober, probing }), document };
}

/** Starts the SDK over HTTP, lists of ids and all, on what is made of the document on the way. */
async function sdkOn(
  environment: string | undefined,
  made: (document: SpecDocument) => SpecDocument,
): Promise<StatsigServer> {
  const client = new StatsigServer(serverKey, {
    ...{ api: `${emulator.url}/v1`, disableRulesetsSync: true, disableDiagnostics: true },
    ...{ disableAllLogging: true, logger: { logLevel: "none", warn() {}, error() {} } },
    ...(environment === undefined ? {} : { environment: { tier: environment } }),
    async networkOverrideFunc(url, request) {
      const answer = await fetch(url, request);
      if (!url.includes("download_config_specs")) return answer;
      return Response.json(made((await answer.json()) as SpecDocument));
    },
  });
  await client.initializeAsync();
  closing.push(() => client.shutdownAsync());
  return client;
}

/** The stores of the console, as they are served. */
async function stores(): Promise<{ store: string; parameters: StoreParameter[] }[]> {
  const answer = await fetch(`${emulator.url}/v2/download_config_specs/${serverKey}.json`);
  const { param_stores } = (await answer.json()) as {
    param_stores: Record<string, { parameters: Record<string, StoreParameter> }>;
  };
  return Object.entries(param_stores).map(([store, { parameters }]) => ({
    store,
    parameters: Object.values(parameters),
  }));
}

/** Something that can be asked for. */
interface Question {
  readonly kind: Kind;
  readonly name: string;
}

/** Everything that a document answers. */
function questionsOf(document: SpecDocument): Question[] {
  return kinds.flatMap((kind) => specsOfKind(document, kind).map(({ name }) => ({ kind, name })));
}

/** What a user gets, with the rule and the reason, as one text. */
function answerTo({ kind, name }: Question, flags: Flags, user: FlagUser): string {
  const { value, rule, why } = evaluate(flags, kind, name, user);
  // A served document does not tell which of the three it is; a program does.
  const known = why.replace(
    /it is switched off|it is archived|it has no rules/,
    "it is off, archived or has no rules",
  );
  return JSON.stringify({ value, rule, why: known });
}

/** What a place answers a user. */
type Ask = (user: FlagUser) => string;

const standardErrors = 4;

/**
 * Compares what two places answer where each draws by itself: how often each answer comes, of so many users with ids of their own.
 * What is beyond 4 standard errors counts where it is so for a second lot of ids too. An answer that all get in one place is forced,
 * and all have to get it in the other.
 * @returns what differs, a line for each
 */
function differencesOf(
  one: Ask,
  other: Ask,
  { user, ids }: { readonly user: FlagUser; readonly ids: number },
): string[] {
  return differencesAmong(one, other, user, [0, ids]).length === 0
    ? []
    : differencesAmong(one, other, user, [ids, 2 * ids]);
}

function differencesAmong(one: Ask, other: Ask, user: FlagUser, range: readonly [number, number]): string[] {
  const counts = [one, other].map((ask) => countsOf(ask, user, range));
  const [first = new Map(), second = new Map()] = counts;
  const total = range[1] - range[0];
  const isForced = first.size === 1 || second.size === 1;
  return [...new Set([...first.keys(), ...second.keys()])].flatMap((answer) => {
    const [a, b] = [first.get(answer) ?? 0, second.get(answer) ?? 0];
    const share = (a + b) / (2 * total);
    const error = Math.sqrt(2 * total * share * (1 - share));
    const isSame = isForced ? a === b : Math.abs(a - b) <= standardErrors * error;
    return isSame ? [] : [`${answer}: ${a} and ${b} of ${total} for ${JSON.stringify(user)}`];
  });
}

function countsOf(ask: Ask, user: FlagUser, [from, to]: readonly [number, number]): Map<string, number> {
  const counts = new Map<string, number>();
  for (let number = from; number < to; number += 1) {
    const ids = { userID: `person-${number}`, customIDs: { companyID: `company-${number}` } };
    const answer = ask({ ...ids, ...user });
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
  }
  return counts;
}

/** A parameter of a store, as SDKs read it. */
interface StoreParameter {
  readonly name: string;
  readonly ref_type: string;
  readonly value?: unknown;
  readonly gate_name?: string;
  readonly pass_value?: unknown;
  readonly fail_value?: unknown;
  readonly config_name?: string;
  readonly experiment_name?: string;
  readonly layer_name?: string;
  readonly param_name?: string;
}

/** What a parameter of a store has to be, by what it refers to. */
function referred(parameter: StoreParameter, flags: Flags, user: FlagUser): unknown {
  const { ref_type, value, gate_name, pass_value, fail_value, param_name = "" } = parameter;
  const { config_name, experiment_name, layer_name } = parameter;
  if (gate_name !== undefined) return flags.gate(gate_name, user).value ? pass_value : fail_value;
  if (config_name !== undefined) return flags.config(config_name, user).value[param_name] ?? null;
  if (experiment_name !== undefined) return flags.experiment(experiment_name, user).value[param_name] ?? null;
  if (layer_name !== undefined) return flags.layer(layer_name, user).getValue(param_name, null);
  if (ref_type === "static") return value;
  throw new Error(`a parameter that refers to nothing known: ${JSON.stringify(parameter)}`);
}
