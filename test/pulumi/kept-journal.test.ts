import { once } from "node:events";
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { Redis } from "ioredis";
import { run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { catalog } from "../../src/provider/definitions";
import { adapters } from "../laws/subject";
import { freshFolder } from "../support/folders";
import { type RedisServer, startRedis, whyNoRedis } from "../support/redis-server";
import {
  contentOf,
  dated,
  emulator,
  type Job,
  journals,
  killed,
  raw,
  start,
  startJob,
  waitAnHour,
} from "./stage";

// How the journal of a stack is kept, in files and in Redis, and what holds where it cannot be.

jest.setTimeout(60_000);
beforeEach(() => start());

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});
const place = (...names: string[]) => path.join(folder, ".feature-console", ...names);
const job = (more: Job = {}) => startJob({ folder, ...more });
const gate = { key: "checkout", name: "Checkout", description: "New checkout" };
const basket = { key: "basket", name: "Basket", __program: { name: "basket" } };
const tag = { name: "shop", description: "Shop" };
const exists = 'gate "checkout" exists already.';

const lost = (why: string) =>
  `The create journal of this stack in .feature-console/journal ${why}: after a kill, what this run created has to be ` +
  "taken over by hand, with adopt: true or FEATURE_CONSOLE_TAKE_OVER=1. " +
  '"npx feature-console doctor" shows whether it can be kept again.';

describe.each(adapters)("an up whose journal cannot be kept (%s)", (adapter) => {
  test("reports once in a run what is lost, goes on, and uses a place again that has room", async () => {
    writeFileSync(place(), "a file");
    const first = job({ adapter });
    for (const args of [gate, basket]) expect((await first.up(args)).id).toBe(args.key);
    expect(first.lines).toEqual([lost("cannot be written (a part of its path is a file, not a folder)")]);
    const next = job({ adapter });
    await next.up({ key: "third" });
    expect(next.lines).toHaveLength(1);
    rmSync(place());
    await next.up({ key: "fourth", __program: { name: "fourth" } });
    expect(contentOf(journals(folder)[0] ?? "")).toContain("fourth");
  });

  test.each<[string, "the same run" | "the next run", (file: string) => void]>([
    ["cannot be written (the disk is full)", "the same run", (file) => symlinkSync("/dev/full", file)],
    ["cannot be read (it is a folder)", "the next run", (file) => mkdirSync(file)],
  ])("names why it %s, in %s", async (why, when, spoil) => {
    const first = job({ adapter });
    await first.up(gate);
    expect(first.lines).toEqual([]);
    const [file = ""] = journals(folder);
    rmSync(file);
    spoil(file);
    const { up, lines } = when === "the same run" ? first : job({ adapter });
    await up(basket);
    expect(lines).toEqual([lost(why)]);
  });

  test("where Redis has the creates too, the line says where they are noted", async () => {
    writeFileSync(place(), "a file");
    const { up, lines } = job({ adapter, settings: { "feature-console:redisUrl": "redis://127.0.0.1:1" } });
    await up(gate);
    const only = "creates are noted in the Redis of feature-console:redisUrl only";
    expect(lines.join("\n")).toContain(only);
  });
});

test("an update that creates nothing reports nothing of a lost journal", async () => {
  const made = await job().up(gate);
  rmSync(place(), { recursive: true });
  writeFileSync(place(), "a file");
  const { update, lines } = job();
  await update(made, { ...gate, description: "Other" });
  expect(lines).toEqual([]);
});

test("the folder is this user's alone, and git sees nothing of it but the notes of import", async () => {
  mkdirSync(place("journal"), { recursive: true, mode: 0o755 });
  await job().up(gate);
  const modes = [place(), ...journals(folder)].map((file) => statSync(file).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
  expect(contentOf(place(".gitignore"))).toBe("*\n!import.json\n");
  writeFileSync(place(".gitignore"), "mine");
  await job().up(basket);
  expect(contentOf(place(".gitignore"))).toBe("mine");
});

test("a line that a kill or a full disk has torn takes no other with it", async () => {
  const tear = () => appendFileSync(journals(folder)[0] ?? "", '{"object":"gate \\"torn\\"","at":17954');
  await job().up(basket);
  tear();
  // One line is all that a run notes which dies of its first write.
  await killed({ folder }, ({ up }) => up(gate));
  tear();
  for (const args of [basket, gate]) expect(await job().up(args)).toMatchObject({ id: args.key });
});

test("what is left of a journal that was to be written anew is no other stack's", async () => {
  const made = await job({ stack: "after" }).up(gate);
  const [file = ""] = journals(folder);
  renameSync(file, `${file}.4711`);
  const removing = job({ stack: "before" });
  await removing.checked({ key: "another_gate" });
  await removing.destroy({ ...made, outputs: { ...made.outputs, __self: "another" } });
  expect(await raw.gate.get({ id: "checkout" })).toMatchObject({ status: "Archived" });
});

let redis: RedisServer;
/** Another door to it. */
let direct: Redis;
beforeAll(async () => {
  if (whyNoRedis !== undefined) return;
  redis = await startRedis();
  direct = new Redis(redis.url);
});
afterAll(async () => {
  direct?.disconnect();
  await redis?.stop();
});

/** A job with a checkout of its own. */
const jobOver = (redisUrl: string, more: Job = {}) =>
  startJob({ settings: { "feature-console:redisUrl": redisUrl }, through: dated, ...more });

const withRedis = whyNoRedis === undefined ? describe : describe.skip;
const reason = whyNoRedis === undefined ? "" : ` (${whyNoRedis})`;
withRedis(`the journal in Redis${reason}`, () => {
  beforeEach(async () => void (await direct.flushall()));

  test("is none of a job without Redis, and what a later job noted counts more than what lies in the folder", async () => {
    const first = jobOver(redis.url);
    await first.destroy(await first.up(gate));
    await raw.gate.delete({ id: "checkout" });
    await waitAnHour();
    await jobOver(redis.url).up(gate);
    await waitAnHour();
    await expect(startJob().up(gate)).rejects.toThrow(exists);
    expect((await jobOver(redis.url, { folder: first.folder }).up(gate)).id).toBe("checkout");
  });

  test("a note is one field of one hash, which is forgotten a week after the last; what is no note is passed over", async () => {
    const { up, of } = jobOver(redis.url);
    await up(gate);
    await of(catalog.tag).up(tag);
    const keys = (await direct.keys("*")).filter((name) => !name.startsWith("feature-console:writes:"));
    expect(keys).toEqual([expect.stringMatching(/^feature-console:journal:[0-9a-f]{32}$/)]);
    const [name = ""] = keys;
    expect((await direct.hkeys(name)).sort()).toEqual(['gate "checkout"', 'tag "shop"']);
    expect(JSON.parse((await direct.hget(name, 'gate "checkout"')) ?? "")).toMatchObject({
      ...{ at: expect.any(Number), did: "create", name: "resource", made: "checkout" },
    });
    await direct.expire(name, 60);
    await of(catalog.tag).up({ ...tag, name: "other" });
    expect(await direct.ttl(name)).toBeGreaterThan(7 * 24 * 3600 - 60);
    await direct.hset(name, 'gate "checkout"', "{torn");
    await waitAnHour();
    await expect(jobOver(redis.url).up(gate)).rejects.toThrow(exists);
  });

  test("a Redis that refuses notes and takes the rest goes on sharing the write limit", async () => {
    await direct.acl("SETUSER", "narrow", "on", ">pass", "~feature-console:writes:*", "+@all");
    const { up, lines } = jobOver(redis.url.replace("//", "//narrow:pass@"));
    await up(gate);
    await up(basket);
    expect(lines).toEqual([
      "The Redis of feature-console:redisUrl cannot be used (NOPERM): creates are noted in the project's folder only until it is back.",
    ]);
    const writes = await direct.keys("feature-console:writes:*");
    expect(await direct.zcard(writes.find((one) => one.endsWith(":project")) ?? "")).toBe(2);
  });

  test("a run with it ends when its work is done", async () => {
    const program = `
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
    `;
    const args = ["--import", "tsx", "--input-type=commonjs", "-e", program];
    const finished = await run(
      path.join(repositoryRoot, "node_modules", ".bin", "node"),
      [...args, emulator.url, redis.url, folder],
      { cwd: repositoryRoot, env: process.env, timeoutMs: 30_000 },
    );
    const [name = ""] = await direct.keys("feature-console:journal:*");
    expect(await direct.hkeys(name)).toEqual(['gate "made"']);
    expect(finished).toEqual({ code: 0, stdout: "made\n", stderr: "" });
  });
});

describe("without Redis", () => {
  /** Takes connections and says nothing. */
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
  ])("with a Redis %s all works as with none, and it is said once", async (_, why, url) => {
    const { up, lines } = jobOver(await url(), { folder });
    const begun = Date.now();
    for (let number = 1; number <= 20; number += 1)
      await up({ key: `gate_${number}`, __program: { name: `gate_${number}` } });
    expect(Date.now() - begun).toBeLessThan(2500);
    expect(lines).toEqual([
      `The Redis of feature-console:redisUrl cannot be used (${why}): only this process's own write limit holds, ` +
        "and creates are noted in the project's folder only until it is back.",
    ]);
    const next = await job().up({ key: "gate_1", __program: { name: "gate_1" } });
    expect(next.id).toBe("gate_1");
  });
});
