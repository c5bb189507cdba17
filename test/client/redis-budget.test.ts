import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { startEmulator } from "../../src/emulator";
import type { SharedBudget } from "../../src/provider/client/limits/limiter";
import { RedisConnection } from "../../src/provider/client/limits/redis";
import { redisBudget } from "../../src/provider/client/limits/redis-budget";
import { projectName, projectReader } from "../../src/provider/client/project-name";
import { resolveSettings } from "../../src/provider/client/settings";
import { freshFolder } from "../support/folders";
import { type RedisServer, startRedis, whyNoRedis } from "../support/redis-server";
import { callerOf, FakeTransport, json, ok, type Reply, secretKey, settings } from "./fakes";

const longestWriteMs = 500;

/** A budget in a Redis, whose clock a test moves. Its windows last for longer than a test, unless that waits for their end. */
function budgetIn(redisUrl: string, project = "a_project", windowMs = 60_000) {
  const windows = { project: [{ most: 10, windowMs }], ids: [{ most: 4, windowMs }] };
  const lines: string[] = [];
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  const redis = new RedisConnection({ redisUrl, report: (line) => lines.push(line), now });
  const budget = redisBudget({ redis, windows, longestWriteMs, project: () => Promise.resolve(project) });
  return { budget, lines, clock };
}

type Limits = Parameters<SharedBudget["take"]>[0];

/** Takes room for writes one after another, each answered at once. @returns for how many there was room. */
async function taken(budget: SharedBudget, times: number, limits: Limits): Promise<number> {
  let count = 0;
  for (let at = 0; at < times; at += 1) {
    const { waitMs, ended } = await budget.take(limits);
    ended?.();
    if (waitMs === 0) count += 1;
  }
  return count;
}

const waitOf = async (budget: SharedBudget, limits: Limits) => (await budget.take(limits)).waitMs;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The name of the budget of a console that answers so. */
const named = (...replies: Reply[]) => {
  const { caller } = callerOf(new FakeTransport(...replies));
  const project = projectReader((route) => caller.call(route));
  return projectName(resolveSettings(settings), project);
};

describe("the name of a budget", () => {
  const digest = /^[0-9a-f]{16}$/;

  test("is that of the project, whatever the key", async () => {
    const [one, other] = [await named(ok({ id: "p1" })), await named(ok({ id: "p2" }))];
    expect(one).toMatch(digest);
    expect(one).not.toBe(other);
    const again = resolveSettings({ ...settings, apiKey: `${secretKey}2` });
    expect(await projectName(again, () => Promise.resolve("p1"))).toBe(one);
  });

  test("is made of the key, and does not show it, where the console will not tell the project", async () => {
    const name = await named(ok({}));
    expect(name).toMatch(digest);
    for (const status of [401, 403, 404]) expect(await named(json(status, { message: "no" }))).toBe(name);
  });

  test.each<[string, Reply]>([
    ["a server error", json(503, { message: "down" })],
    ["a page of a proxy", { status: 502, headers: { "content-type": "text/html" }, text: "<html>" }],
    ["a lost connection", new Error("reset")],
  ])("is not made up after %s: runs of one project would part", async (_, reply) => {
    await expect(named(reply)).rejects.toThrow();
  });
});

const goneText = (why: string) =>
  `The Redis of feature-console:redisUrl cannot be used (${why}): only this process's own write limit holds until it is back.`;

/** Takes connections and answers nothing. */
async function silentUrl(): Promise<string> {
  const server = createServer((socket) => socket.unref())
    .listen(0, "127.0.0.1")
    .unref();
  await once(server, "listening");
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ["that is not there", "ECONNREFUSED", async () => "redis://:hidden@127.0.0.1:1"],
  ["that does not answer", "no answer in time", silentUrl],
])(
  "a Redis %s holds nothing up, is told once without its password, and is not asked again at once",
  async (_, why, url) => {
    const { budget, lines, clock } = budgetIn(await url());
    const begun = Date.now();
    expect(await taken(budget, 20, ["project"])).toBe(20);
    expect(Date.now() - begun).toBeLessThan(2500);
    clock.ahead = 6000;
    expect(await taken(budget, 3, ["project"])).toBe(3);
    expect(lines).toEqual([goneText(why)]);
  },
);

const withRedis = whyNoRedis === undefined ? describe : describe.skip;
const reason = whyNoRedis === undefined ? "" : ` (${whyNoRedis})`;

// That several stacks keep inside the limits of one console is in test/limits.
withRedis(`a budget in Redis${reason}`, () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  test("is one for all processes of a project", async () => {
    const [one, other] = [budgetIn(redis.url, "shared"), budgetIn(redis.url, "shared")];
    const [first, second] = await Promise.all([
      taken(one.budget, 10, ["project"]),
      taken(other.budget, 10, ["project"]),
    ]);
    expect(first + second).toBe(10);
    expect(await waitOf(budgetIn(redis.url, "another").budget, ["project"])).toBe(0);
  });

  test("says how long to wait: until a window after the first write was answered", async () => {
    const { budget } = budgetIn(redis.url, "waiting", 1000);
    const { ended } = await budget.take(["project"]);
    const begun = Date.now();
    await taken(budget, 9, ["project"]);
    const tookMs = Date.now() - begun;
    await pause(300);
    const answered = Date.now();
    ended?.();
    const wait = await waitOf(budget, ["project"]);
    // On a busy machine the pause is longer, and the wait as much shorter.
    expect(wait).toBeGreaterThanOrEqual(990 - (Date.now() - begun));
    expect(wait).toBeLessThanOrEqual(700);
    // Until the last of the nine is over.
    await pause(wait + 20 + tookMs);
    const count = await taken(budget, 20, ["project"]);
    // Nine of the ten: the first ended later, unless this process had no turn for so long.
    if (Date.now() - answered < 1000) expect(count).toBe(9);
  });

  test("counts the write of a process that died until it can no longer arrive", async () => {
    const { budget } = budgetIn(redis.url, "dead", 1000);
    const begun = Date.now();
    await budget.take(["project"]);
    await pause(1100);
    const count = await taken(budget, 10, ["project"]);
    // On a busy machine the pause is longer, and the write of the dead may be over.
    if (Date.now() - begun < 1000 + longestWriteMs) expect(count).toBe(9);
    await pause(1100);
    expect(await taken(budget, 10, ["project"])).toBe(10);
  });

  test("has a limit of its own for ids, of which a refusal takes nothing from the project", async () => {
    const { budget } = budgetIn(redis.url, "ids");
    expect(await taken(budget, 5, ["project", "ids"])).toBe(4);
    expect(await taken(budget, 10, ["project"])).toBe(6);
  });

  test("takes a user who has rights on its keys alone; one without them is told of it once", async () => {
    const direct = new Redis(redis.url);
    await direct.acl("SETUSER", "narrow", "on", ">pass", "~feature-console:writes:*", "+@all");
    await direct.acl("SETUSER", "nobody", "on", ">pass", "+@all");
    direct.disconnect();
    const as = (user: string) => budgetIn(redis.url.replace("//", `//${user}:pass@`), "narrow");
    const [narrow, nobody] = [as("narrow"), as("nobody")];
    expect(await taken(narrow.budget, 15, ["project"])).toBe(10);
    expect(await taken(nobody.budget, 15, ["project"])).toBe(15);
    expect([narrow.lines, nobody.lines]).toEqual([[], [goneText("NOPERM")]]);
  });

  test("is all that a run keeps there, which ends when its work is done", async () => {
    const direct = new Redis(redis.url);
    await direct.flushall();
    const emulator = await startEmulator();
    const finished = await runProgram(
      `
      const { catalog } = require("./src/provider/definitions/index.ts");
      const { ProviderProcess } = require("./src/provider/pulumi/process.ts");
      const { providerOf } = require("./src/provider/pulumi/provider.ts");
      const [baseUrl, redisUrl, folder] = process.argv.slice(1);
      const settings = { profile: "custom", apiKey: "any", baseUrl, redisUrl };
      const run = new ProviderProcess({ folder, environment: () => ({}) });
      run.configure((name) => settings[name.split(":")[1]]);
      const provider = providerOf(catalog.gate, run);
      const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/feature-console:Gate::made";
      provider.check({}, { key: "made", __program: { name: "made", urn }, __provider: "text" })
        .then(({ inputs }) => provider.create(inputs)).then(({ id }) => console.log(id));
    `,
      ...[emulator.url, redis.url, freshFolder()],
    );
    await emulator.close();
    expect(finished).toEqual({ code: 0, stdout: "made\n", stderr: "" });
    expect(await direct.keys("*")).toEqual([
      expect.stringMatching(/^feature-console:writes:\{[0-9a-f]{16}\}:project$/),
    ]);
    direct.disconnect();
  });

  test("is not lost to a process that is busy for seconds while Redis answers", async () => {
    const { budget, lines } = budgetIn(redis.url, "busy", 1000);
    await taken(budget, 10, ["project"]);
    await pause(1100);
    await budget.take(["project"]);
    const asked = Promise.all(Array.from({ length: 10 }, () => waitOf(budget, ["project"])));
    // All is sent, and no answer is read.
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
    expect((await asked).filter((wait) => wait === 0)).toHaveLength(9);
    expect(lines).toEqual([]);
  });
});

withRedis(`a Redis that goes and comes back${reason}`, () => {
  test("holds nothing up while it is gone, and is used again", async () => {
    let redis = await startRedis();
    const { port } = redis;
    const { budget, lines, clock } = budgetIn(redis.url);
    expect(await taken(budget, 15, ["project"])).toBe(10);
    await redis.stop();
    expect(await taken(budget, 10, ["project"])).toBe(10);
    redis = await startRedis(port);
    clock.ahead = 6000;
    expect(await taken(budget, 15, ["project"])).toBe(10);
    expect(lines).toHaveLength(1);
    await redis.stop();
  });
});

function runProgram(program: string, ...args: readonly string[]) {
  return run(
    path.join(repositoryRoot, "node_modules", ".bin", "node"),
    ["--import", "tsx", "--input-type=commonjs", "-e", program, ...args],
    { cwd: repositoryRoot, env: process.env, timeoutMs: 30_000 },
  );
}

test("the client of Redis is not loaded where no setting names one", async () => {
  const emulator = await startEmulator();
  const program = `
    const { createClient } = require("./src/provider/client/index.ts");
    const client = createClient({ profile: "custom", apiKey: "any", baseUrl: process.argv[1] });
    const loaded = () => Object.keys(require.cache).some((file) => file.includes("ioredis"));
    client.gate.create({ body: { name: "made", isEnabled: true } }).then(() => console.log(loaded()));
  `;
  const finished = await runProgram(program, emulator.url);
  await emulator.close();
  expect(finished).toEqual({ code: 0, stdout: "false\n", stderr: "" });
});
