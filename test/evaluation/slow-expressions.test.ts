import { spawn } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { createEmulator, type RunningEmulator, type Seed, startEmulator } from "../../src/emulator";
import { SdkWorker } from "../../src/emulator/evaluation";
import { createClientEvaluation, createPageEvaluation } from "../../src/tools/cli/emulate";
import { evaluate } from "../../src/tools/cli/evaluate";
import { runCommand } from "../cli/run-command";
import { commandLine } from "../support/command-line";
import { freshFolder } from "../support/folders";

jest.setTimeout(120_000);

const rule = (condition: object) => ({
  ...{ id: "one", baseID: "one", name: "One", passPercentage: 100 },
  conditions: [condition],
});
/** The user for whom it takes longer than the sun will shine. */
const slowUser = { userID: "slow", email: `${"a".repeat(60)}!` };
const matches = (pattern: string) => ({ type: "email", operator: "str_matches", targetValue: [pattern] });
const seed = {
  gates: [
    { id: "asks", rules: [rule({ type: "passes_gate", targetValue: "slow" })] },
    { id: "quick", rules: [rule(matches("^b+$"))] },
    { id: "slow", rules: [rule(matches("^(a+)+$"))] },
  ],
} as Seed;
const advice =
  "one of its regular expressions (operator str_matches) takes too long. " +
  "Write it without a repetition of a repetition: ^a+$ in the place of ^(a+)+$.";

let evaluation: SdkWorker;
let emulator: RunningEmulator;
beforeAll(async () => {
  evaluation = new SdkWorker({ limitMs: 400 });
  emulator = await startEmulator({
    ...{ profile: "embedded", seed, log: () => undefined },
    evaluateForClients: createClientEvaluation(evaluation),
    ui: { evaluate: createPageEvaluation(evaluation) },
  });
});
afterAll(async () => {
  await emulator.close();
  await evaluation.close();
});

const ask = async (user: object) => {
  const body = JSON.stringify({ user, hash: "none" });
  const answer = await fetch(`${emulator.url}/v1/initialize`, { method: "POST", body });
  return { status: answer.status, body: (await answer.json()) as Record<string, Record<string, unknown>> };
};

test("a client whose user would keep a regular expression busy for ever is told which flag it is", async () => {
  await ask({ userID: "quick" });
  let isAnswered = false;
  const slow = ask(slowUser).finally(() => {
    isAnswered = true;
  });
  // The console goes on meanwhile.
  expect((await fetch(`${emulator.url}/console/v1/gates/quick`)).status).toBe(200);
  expect(isAnswered).toBe(false);
  const message = `gate "slow" was not evaluated within 0.4 s: ${advice}`;
  expect(await slow).toEqual({ status: 501, body: { status: 501, message } });
  const { body } = await ask({ userID: "quick", email: "bbb" });
  expect(body.feature_gates).toMatchObject({ quick: { value: true } });
});

test("so is the page, with the user", async () => {
  const users = JSON.stringify([{ userID: "quick" }, slowUser]);
  const body = JSON.stringify({ kind: "gate", id: "asks", users });
  const headers = { origin: emulator.url, "content-type": "application/json" };
  const answer = await fetch(`${emulator.url}/ui/evaluate`, { method: "POST", headers, body });
  expect(answer.status).toBe(422);
  expect((await answer.text()).replaceAll(/&#x22;|&quot;/g, '"')).toContain(
    'gate "slow" was not evaluated within 0.4 s for the user slow:',
  );
});

test("the thread that was ended is started again", async () => {
  await evaluation.close();
  expect((await ask({ userID: "quick", email: "b" })).status).toBe(200);
});

/** The database of a console that has these gates. */
const written = () => {
  const data = path.join(freshFolder(), "console.db");
  createEmulator({ profile: "embedded", data, seed }).close();
  return data;
};

test("so is the command evaluate, which ends with 1", async () => {
  // By itself it waits for 5 s, with a processor busy.
  jest
    .spyOn(SdkWorker.prototype, "forUsers")
    .mockImplementationOnce((...asked) => evaluation.forUsers(...asked));
  const args = ["slow", "--data", written(), "--user", JSON.stringify(slowUser)];
  const { status, errors } = await runCommand(evaluate, args);
  expect(status).toBe(1);
  expect(errors).toContain(`gate "slow" was not evaluated within 0.4 s for the user slow: ${advice}`);
});

/** At its end a command tells the processor time that it took after SIGTERM, all threads together. */
const tellsCosts = `data:text/javascript,${encodeURIComponent(`let from;
process.once("SIGTERM", () => { from = process.cpuUsage(); });
process.once("exit", () => { if (from) console.log("ended within", process.cpuUsage(from).user / 1000, "ms"); });`)}`;

test("a console that evaluates such a flag still ends on SIGTERM", async () => {
  const child = spawn(
    process.execPath,
    ["--import", tellsCosts, ...commandLine, "emulate", "--data", written()],
    { timeout: 60_000 },
  );
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      text += String(chunk);
    });
  const ended = new Promise((resolve) => child.on("close", resolve));
  while (!text.includes("\n")) await new Promise((resolve) => setTimeout(resolve, 50));
  const [, url] = /listening on (\S+)/.exec(text) ?? [];
  const headers = { "statsig-api-key": ["client", "x"].join("-") };
  const askAs = async (user: object) => {
    const body = JSON.stringify({ user });
    return (await fetch(`${url}/v1/initialize`, { method: "POST", body, headers })).text();
  };
  // From now on its thread answers at once.
  await askAs({ userID: "quick" });
  const asked = askAs(slowUser).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 500));
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  await asked;
  // The flag would keep a processor busy up to the limit, which is 5 s.
  expect(Number(/ended within (\S+) ms/.exec(text)?.[1])).toBeLessThan(1500);
});
