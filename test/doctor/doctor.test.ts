import { chmodSync, existsSync, readdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createPlainServer, type Server } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { consoleDigest } from "../../src/provider/pulumi/runs/console-digest";
import { doctor } from "../../src/tools/cli/doctor";
import { type CheckResult, pulumiIn, resultRows } from "../../src/tools/doctor";
import { rendered } from "../../src/tools/render/report";
import { runCommand } from "../cli/run-command";
import { ensureBuilt } from "../support/built-package";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { startRedis, whyNoRedis } from "../support/redis-server";
import { type Examined, openWorkshop, versions, type Workshop } from "./workshop";

const key = ["console", "doctor", String(process.pid)].join("-");
const readingKey = `${key}-reads`;

let workshop: Workshop;
let emulator: RunningEmulator;
let settings: Record<string, string>;

beforeAll(async () => {
  workshop = await openWorkshop();
  const own = (value: string, scope: string) => ({
    ...{ key: value, type: "CONSOLE", description: scope, scopes: [scope, "can_access_keys"] },
  });
  emulator = await startEmulator({
    ...{ key, readOnlyKey: readingKey },
    seed: { keys: [own(key, "omni_read_write"), own(readingKey, "omni_read_only")] },
  });
  settings = {
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: emulator.url,
    FEATURE_CONSOLE_API_KEY: key,
  };
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  workshop?.close();
  await emulator?.close();
});
afterEach(() => workshop.reset());

type Said = string | RegExp;
const saying = (text: Said) => (typeof text === "string" ? text : expect.stringMatching(text));

/** What a check found where everything else is as it should be. */
async function finding(name: string, more: Examined = {}): Promise<CheckResult> {
  const found = await workshop.examine({ ...more, only: name, env: { ...settings, ...more.env } });
  return found[name] as CheckResult;
}

/** A part of a finding, for `toMatchObject`. */
const like = (verdict: string, text: Said = /^/, advice?: Said) => ({
  ...{ verdict, text: saying(text) },
  ...(advice === undefined ? {} : { advice: saying(advice) }),
});
const notTried = like("not tried");

type Expected = Parameters<typeof like>;

/** Holds what a check finds where everything else is as it should be to a verdict, a text and an advice. */
async function finds(name: string, more: Examined, ...expected: Expected): Promise<void> {
  expect(await finding(name, more)).toMatchObject(like(...expected));
}

test("where all is well every line is ok, and no request writes", async () => {
  emulator.clearRequests();
  const found = await workshop.examine({ env: settings });
  expect(Object.values(found).filter(({ verdict }) => verdict !== "ok")).toEqual([]);
  expect(Object.keys(found).length).toBeLessThanOrEqual(20);
  expect(new Set(emulator.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  expect(JSON.stringify(found)).not.toContain(key);
  expect(found).toMatchObject({
    settings: like("ok", /^environment: profile custom, apiKey set, baseUrl http/),
    permission: like("ok", "CONSOLE key, omni_read_write, can_access_keys"),
    writes: like("ok", /^at most 98 in 10 s, 890 in 900 s/),
  });
});

test("a long text goes over several lines, and none is longer than a terminal", () => {
  const text = "word ".repeat(60).trim();
  const rows = resultRows({ name: "settings", verdict: "failed", text, advice: text }, 10);
  const lines = rendered({ parts: [{ rows }] }, "text").split("\n");
  expect(lines.length).toBeGreaterThan(5);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  expect(lines[1]).toMatch(/^ {23}word/);
  expect(lines.join(" ").replaceAll(/\s+/g, " ")).toBe(`failed settings ${text} -> ${text} `);
});

describe("one thing is wrong", () => {
  const env = (name: string, value: string): Examined => ({ env: { [`FEATURE_CONSOLE_${name}`]: value } });
  const at = (url: string) => env("BASE_URL", url);
  const keyOf = (user: string) => [user, "x"].join("-");
  const profile = { FEATURE_CONSOLE_PROFILE: "statsig" };
  const withKey = (key: string): Examined => ({ env: { ...profile, FEATURE_CONSOLE_API_KEY: key } });
  const unchecked = { env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } };
  const oldSdk: Examined = { versions: { ...versions, sdk: ">=99" } };
  const oldPulumi: Examined = { pulumi: async () => ({ status: 0, stdout: "v3.100.0\n", stderr: "" }) };
  const goneRedis = env("REDIS_URL", "redis://:word@127.0.0.1:1");
  const [unknown, insecure] = [at("https://console.invalid"), at("http://console.invalid")];
  const texts = {
    pulumi: "3.100.0, and 3.216.0 or newer is needed",
    redis: "feature-console:redisUrl cannot be used: ECONNREFUSED",
    name: /^DNS does not know console\.invalid \(/,
    port: "127.0.0.1:1 takes no connection (ECONNREFUSED)",
    clear: "feature-console:baseUrl is http://console.invalid: the key would cross the network in clear",
    profile: "the console refuses it with 401 (profile statsig, sent as STATSIG-API-KEY)",
    reads: /^CONSOLE key, omni_read_only, can_access_keys: it may read alone/,
    host: /^The console's address is .*FEATURE_CONSOLE_ALLOWED_HOSTS does not name that host: the key was/,
    tls: /^NODE_TLS_REJECT_UNAUTHORIZED is 0: nothing checks .* can pose as the console and read the key$/,
    user: /^The key is a (server|client) key, and the profile "statsig" takes console keys/,
  };

  test.each<[string, string, Examined, string, Said, Said?]>([
    ["an old Node", "node", { node: "20.20.2" }, "failed", "20.20.2", /needs Node 22\.19 or newer/],
    ["an old Pulumi", "pulumi", oldPulumi, "failed", texts.pulumi],
    ["an old SDK", "sdk", oldSdk, "failed", />=99 is needed/, "npm install @pulumi/pulumi@latest"],
    ["too many writes", "writes", env("WRITES_PER_15MIN", "5000"), "warning", /5000 in 900 s/],
    ["a Redis that is gone", "redis", goneRedis, "failed", texts.redis],
    ["an unknown name", "address", unknown, "failed", texts.name],
    ["a wrong port", "address", at("http://127.0.0.1:1"), "failed", texts.port, /FEATURE_CONSOLE_BASE_URL/],
    ["no TLS", "settings", insecure, "failed", texts.clear, /^Use https:, or set feature-console:allowInsec/],
    ["a wrong profile", "key", { env: profile }, "failed", texts.profile],
    ["a key that may only read", "permission", env("API_KEY", readingKey), "warning", texts.reads],
  ])("%s", async (_, name, more, verdict, ...said) => {
    await finds(name, more, verdict, ...said);
  });

  test.each<[string, string, Examined, Said, Said?]>([
    ["another host", "settings", env("ALLOWED_HOSTS", "eu.example"), texts.host, /^Correct the address, or/],
    ["unchecked certificates", "address", unchecked, texts.tls, /^Unset that variable\. .*ca\.pem$/],
    ["the key of a server", "settings", withKey(keyOf("secret")), texts.user],
    ["the key of a client", "settings", withKey(keyOf("client")), texts.user],
  ])("%s: nothing is asked", async (_, name, more, ...said) => {
    emulator.clearRequests();
    await finds(name, more, "failed", ...said);
    expect(emulator.requests).toEqual([]);
  });

  test("http: to another machine is a warning where a setting allows it", async () => {
    const more = { ...insecure.env, ...env("ALLOW_INSECURE_HTTP", "true").env };
    const text = /the key crosses the network to console\.invalid in clear/;
    const advice = /^use https:, and remove feature-console:allowInsecureHttp or FEATURE_CONSOLE_ALLOW/;
    await finds("settings", { env: more }, "warning", text, advice);
  });

  test("no Pulumi: what needs it is not tried", async () => {
    const pulumi = () => Promise.reject(new Error("does not start: install it"));
    const none = { backend: notTried, stack: notTried, lock: notTried, state: notTried };
    expect(await workshop.examine({ pulumi, env: settings })).toMatchObject({
      ...{ pulumi: like("failed", "does not start: install it"), key: like("ok"), ...none },
    });
  });

  test("no settings: what needs them is not tried", async () => {
    const none = { address: notTried, key: notTried, redis: notTried, writes: notTried };
    const advice = /"pulumi config set feature-console:profile embedded"/;
    expect(await workshop.examine({})).toMatchObject({
      ...{ settings: like("failed", "No profile is set", advice), ...none },
    });
  });

  test("a wrong key, which is not shown", async () => {
    const wrong = `${key}-wrong`;
    const found = await workshop.examine({ env: { ...settings, FEATURE_CONSOLE_API_KEY: wrong } });
    expect(found).toMatchObject({ key: like("failed", /refuses it with 401/), permission: notTried });
    expect(JSON.stringify(found)).not.toContain(wrong);
  });
});

describe("the project", () => {
  const install = "npm install ~/pulumi-feature-console-1.2.3.tgz";

  test("a folder without one: one line says so, and what needs one is not tried", async () => {
    workshop.write(path.join("..", "empty", "notes.txt"), "");
    const found = await workshop.examine({ folder: path.join(workshop.folder, "..", "empty") });
    expect(found).toMatchObject({ project: like("failed", /^no Pulumi\.yaml in /) });
    for (const name of ["package", "copies", "typescript", "sdk", "stack"])
      expect(found[name]).toMatchObject(notTried);
  });

  test.each<[string, string, unknown, RegExp, RegExp]>([
    ["no runtime", "Pulumi.yaml", "name: [", /names no runtime/, /correct Pulumi.yaml/],
    ["no dependency", "package.json", { dependencies: {} }, /does not name/, new RegExp(install)],
    ["a broken package.json", "package.json", "{", /no package\.json/, /npm install/],
  ])("%s", async (_, file, content, text, advice) => {
    workshop.write(file, content);
    await finds("project", {}, "failed", text, advice);
  });

  test("a program in another language needs the native plugin, and nothing of Node.js", async () => {
    workshop.write("Pulumi.yaml", "name: a\nruntime: yaml\n");
    const advice = "pulumi plugin install resource feature-console 1.2.3 --file ARCHIVE";
    expect(await workshop.examine({ env: settings })).toMatchObject({
      project: like("ok", "Pulumi.yaml, for the runtime yaml"),
      package: like("failed", "Pulumi finds no plugin feature-console", advice),
      typescript: like("ok", "not needed: the program is for the runtime yaml"),
      sdk: like("ok"),
    });
    const plugin = path.join("..", "commands", "pulumi-resource-feature-console");
    workshop.write(plugin, "");
    const onPath = { PATH: path.dirname(path.join(workshop.folder, plugin)) };
    await finds("package", { env: onPath }, "ok", "pulumi-resource-feature-console is on PATH");
  });

  test("a plugin that only npm's PATH has is not found, and the project may name its folder", async () => {
    workshop.write("Pulumi.yaml", "name: a\nruntime: yaml\n");
    const modules = path.join(workshop.folder, "node_modules");
    workshop.write(path.join("node_modules", ".bin", "pulumi-resource-feature-console"), "");
    workshop.write(path.join("node_modules", "pulumi-feature-console", "plugin", "one"), "");
    const env = { PATH: path.join(modules, ".bin"), npm_execpath: "npm-cli.js" };
    const advice =
      "add to Pulumi.yaml: plugins: {providers: [{name: feature-console, path: node_modules/pulumi-feature-console/plugin}]}";
    await finds("package", { env }, "failed", "Pulumi finds no plugin feature-console", advice);
    const own = { PATH: env.PATH };
    await finds("package", { env: own }, "ok", "pulumi-resource-feature-console is on PATH");
  });

  test("a project may name the folder of the native plugin", async () => {
    const lines = "plugins:\n  providers:\n    - name: feature-console\n      path: bin\n";
    workshop.write("Pulumi.yaml", `name: a\nruntime:\n  name: python\n${lines}`);
    const plugin = "pulumi-resource-feature-console";
    const missing = `the project names bin for the plugin, and ${plugin} is not there`;
    await finds("package", {}, "failed", missing);
    workshop.write(path.join("bin", plugin), "");
    await finds("package", {}, "ok", `${plugin} is in bin, which the project names`);
  });

  test("a program in Python needs the package of the plugin, in the Python that Pulumi runs it with", async () => {
    const python = (folder: string, prints: string) => {
      workshop.write(path.join(folder, "python"), `#!/bin/sh\n${prints}\n`);
      chmodSync(path.join(workshop.folder, folder, "python"), 0o755);
    };
    workshop.write("Pulumi.yaml", "name: a\nruntime:\n  name: python\n  options:\n    virtualenv: own\n");
    const own = path.join(workshop.folder, "own", "bin", "python");
    const advice = `${own} -m pip install ~/sdk/python`;
    await finds("sdk", {}, "failed", `${own} cannot be run`, "python3 -m venv venv");
    const found = "pulumi_feature_console 1.2.3";
    const older = "pulumi_feature_console 1.0.0, and this command is of 1.2.3";
    for (const [prints, expected] of [
      ["exit 1", like("failed", `${own} finds no package pulumi_feature_console`, advice)],
      ["echo 1.0.0", like("warning", older, advice)],
      ["echo 1.2.3", like("ok", found)],
    ] as const) {
      python("own/bin", prints);
      expect(await finding("sdk")).toMatchObject(expected);
    }
    workshop.write("Pulumi.yaml", "name: a\nruntime: python\n");
    python("venv/bin", "echo 1.2.3");
    const env = { PULUMI_PYTHON_CMD: path.join(workshop.folder, "venv", "bin", "python") };
    await finds("sdk", { env }, "ok", found);
    workshop.write("Pulumi.yaml", "name: a\nruntime: go\n");
    await finds("sdk", {}, "ok", "not looked for: a build of the program needs it, in go");
  });

  test("the package is of another version", async () => {
    workshop.install("1.0.0");
    const text = "the project has 1.0.0, and this command is of 1.2.3";
    await finds("package", {}, "warning", text);
  });

  const others = /^2: node_modules\/\S+, lib\/flags\/node_modules\/\S+; /;
  test.each<[string, string[], string, RegExp]>([
    ["twice in the packages", ["node_modules/@shop/flags"], "failed", /^2 are loaded by one .*@shop\/flags/],
    ["below the project's own code", ["lib/flags", "policy"], "warning", others],
    ["in a package that is linked", ["../flags"], "failed", /^2 are loaded by one .*flags\/node_modules/],
  ])("it is there %s", async (_, folders, verdict, text) => {
    for (const folder of folders) workshop.install(versions.own, folder);
    workshop.write("policy/PulumiPolicy.yaml", "runtime: nodejs\n");
    if (folders[0] === "../flags")
      symlinkSync(path.join(workshop.folder, "../flags"), path.join(workshop.folder, "node_modules/flags"));
    await finds("copies", {}, verdict, text);
  });

  test("it is missing", async () => {
    // A folder of its own: Node remembers where it has found a package.
    const folder = path.join(workshop.folder, "..", "bare");
    for (const file of ["Pulumi.yaml", "index.ts"]) workshop.write(`../bare/${file}`, "runtime: nodejs\n");
    workshop.write("../bare/package.json", { dependencies: { "pulumi-feature-console": "*" } });
    const text = /require\("pulumi-feature-console\/dynamic\/v1"\) finds nothing/;
    expect(await workshop.examine({ folder, env: settings })).toMatchObject({
      package: like("failed", text, install),
      copies: like("not tried", 'fix "package" first'),
      typescript: like("failed", /^/, "npm install typescript@6"),
      sdk: like("failed", "@pulumi/pulumi is not installed"),
    });
    await finds("typescript", {}, "ok", /no tsconfig\.json, none is needed/);
  });

  test("an import that was interrupted", async () => {
    workshop.write(".feature-console/import.json", { files: { "gates.ts": ["one"] } });
    await finds("import", {}, "warning", /gates\.ts/, "npx feature-console import");
  });
});

describe("settings of the stack", () => {
  const withoutKey = () => {
    const { FEATURE_CONSOLE_API_KEY: _, ...others } = settings;
    return others;
  };

  test("are told as such, and a secret is not shown", async () => {
    await workshop.pulumi(["config", "set", "--secret", "feature-console:apiKey", key]);
    await workshop.pulumi(["config", "set", "feature-console:requestTimeoutMs", "5000"]);
    const { pulumi } = workshop;
    const found = await workshop.examine({ env: withoutKey(), pulumi });
    const text = /^stack: apiKey set, requestTimeoutMs 5000; environment: profile custom/;
    expect(found).toMatchObject({ settings: like("ok", text), key: like("ok") });
    expect(JSON.stringify(found)).not.toContain(key);
  });

  test.each([
    ["profil", "custom", /^feature-console:profil is no setting/, /^did you mean feature-console:profile\?$/],
    [
      "apiKey",
      key,
      /^feature-console:apiKey is stored in plain text/,
      /config set --secret feature-console:/,
    ],
  ])("%s is refused, and its value is not shown", async (name, value, text, advice) => {
    const pulumi = workshop.answering({ "config --json": { [`feature-console:${name}`]: { value } } });
    const found = await workshop.examine({ env: withoutKey(), pulumi });
    expect(found.settings).toMatchObject(like("failed", text, advice));
    expect(JSON.stringify(found)).not.toContain(key);
  });
});

describe("the journal", () => {
  test("that cannot be written", async () => {
    workshop.write(".feature-console", "a file");
    const text = /^\.feature-console cannot be written \(it is a file\): after a kill, .* by hand$/;
    await finds("journal", {}, "failed", text);
  });

  test("that can be written: the probe leaves no trace", async () => {
    await finds("journal", {}, "ok", ".feature-console/journal can be written");
    expect(existsSync(path.join(workshop.folder, ".feature-console"))).toBe(false);
    workshop.write(".feature-console/journal/one.jsonl", "");
    await finds("journal", {}, "ok");
    expect(readdirSync(path.join(workshop.folder, ".feature-console", "journal"))).toEqual(["one.jsonl"]);
    expect(readdirSync(workshop.folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("on a disk that is full", async () => {
    workshop.write(".feature-console/journal/one.jsonl", "");
    // The device takes no byte: a link stands for the file that is written.
    const part = `.feature-console/journal/.${process.pid}.0.part`;
    symlinkSync("/dev/full", path.join(workshop.folder, part));
    await finds("journal", {}, "failed", /\(the disk is full\)/);
  });

  const withRedis = whyNoRedis === undefined ? test : test.skip;
  withRedis(`in a Redis that answers${whyNoRedis === undefined ? "" : ` (${whyNoRedis})`}`, async () => {
    const redis = await startRedis();
    const found = await finding("redis", { env: { FEATURE_CONSOLE_REDIS_URL: redis.url } });
    await redis.stop();
    expect(found).toMatchObject(like("ok", "answers"));
  });
});

describe("the console", () => {
  const findingAt = async (server: Server, name: string) => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const found = await finding(name, { env: { FEATURE_CONSOLE_BASE_URL: `http://127.0.0.1:${port}` } });
    server.close();
    return found;
  };

  test("no TLS where https: is said, no HTTP, and a page in the place of the API", async () => {
    const env = { FEATURE_CONSOLE_BASE_URL: emulator.url.replace("http:", "https:") };
    await finds("address", { env }, "failed", /has no TLS that is trusted/, /^(?!.*http:)/);
    const silent = createPlainServer((socket) => socket.on("error", () => undefined).end("hello\n"));
    const page = createServer((_, answer) => answer.writeHead(404).end("<h1>Not here</h1>"));
    const texts = [(await findingAt(silent, "address")).text, (await findingAt(page, "address")).text];
    expect(texts[0]).toMatch(/does not answer HTTP/);
    expect(texts[1]).toMatch(/answers 404, but not as the API of a console does/);
  });

  test("a clock that is off", async () => {
    const date = new Date(Date.now() + 600_000).toUTCString();
    const server = createServer((_, answer) => answer.writeHead(401, { date }).end('{"message":"No"}'));
    const off = like("warning", /^(59\d|600) s behind that of the console$/, /set-ntp/);
    expect(await findingAt(server, "clock")).toMatchObject(off);
    await finds("clock", {}, "ok");
  });

  test("for pulumi up a key that may only read has failed; what no request shows is not known", async () => {
    const reading = { env: { FEATURE_CONSOLE_API_KEY: readingKey }, purpose: "up" } as const;
    const text = /^CONSOLE key, omni_read_only, .*: it may not write, and "pulumi up" does/;
    await finds("permission", reading, "failed", text);
    await finds("permission", { purpose: "up" }, "ok");
    const silent = await startEmulator({ key });
    const unknown = { env: { FEATURE_CONSOLE_BASE_URL: silent.url } };
    await finds("permission", unknown, "ok", /^not known: /);
    await finds("permission", { ...unknown, purpose: "up" }, "warning", /^not known: /);
    await silent.close();
  });

  const hosted =
    "hosted: AssignmentSource, EntityProperty, MetricSource, QualifyingEvent may need a warehouse-native one";
  const native = "warehouse-native: Ingestion, IngestionSchedule may need a hosted one";
  const acme = (isWarehouseNative: boolean) => [{ companyName: "Acme", isWarehouseNative }];
  test.each<[string, ReturnType<typeof acme>, number | undefined, string]>([
    ["of a hosted account may lack some kinds", acme(false), undefined, `; its account Acme is ${hosted}`],
    ["of a warehouse-native one lacks others", acme(true), undefined, `; its account Acme is ${native}`],
    ["may not ask for the account: 403", [], 403, ""],
    ["may not ask for the account: 404", [], 404, ""],
    ["gets no answer about the account: 500", [], 500, ""],
  ])("[P6] a key %s", async (_, companies, status, text) => {
    const other = await startEmulator({ key, seed: { projects: [{ id: "shop" }], companies } });
    if (status !== undefined) other.addFaults([{ method: "GET", path: "/company", status, times: 9 }]);
    const env = { FEATURE_CONSOLE_BASE_URL: other.url };
    await finds("key", { env }, "ok", `accepted, for project shop${text}`);
    await other.close();
  });

  test("the embedded console needs neither address nor key, nor a certificate", async () => {
    const env = { FEATURE_CONSOLE_PROFILE: "embedded", NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    const ok = like("ok");
    expect(await workshop.examine({ env })).toMatchObject({
      address: like("ok", /^embedded, in .*console\.db, which the first run makes$/),
      ...{ key: ok, permission: ok, clock: ok, writes: ok },
    });
  });
});

describe("the stack", () => {
  test("a backend that is not there, a stack that is not there, a wrong passphrase", async () => {
    const around = (more: Record<string, string>) => ({
      pulumi: pulumiIn(workshop.folder, { ...workshop.env, ...more }),
    });
    const gone = around({ PULUMI_BACKEND_URL: "file:///not/there" });
    const without = await workshop.examine({ env: settings, ...gone });
    expect(without).toMatchObject({ backend: like("failed", /^/, /pulumi login/), stack: notTried });
    const { pulumi } = workshop;
    await finds("stack", { stack: "nope", pulumi }, "failed", "no stack named 'nope' found");
    await pulumi(["config", "set", "--secret", "feature-console:apiKey", key]);
    const wrong = around({ PULUMI_CONFIG_PASSPHRASE: "wrong" });
    await finds("stack", wrong, "failed", /incorrect passphrase/, /PULUMI_CONFIG_PASSPHRASE/);
  });

  test.each(["p@ss:1", "word"])("the password %s of a backend is not shown", async (password) => {
    const whoami = { url: `postgres://pulumi:${password}@db.example.com/pulumi?sslmode=require` };
    const text = "postgres://pulumi:hidden@db.example.com/pulumi?sslmode=require answers";
    await finds("backend", { pulumi: workshop.answering({ "whoami --verbose": whoami }) }, "ok", text);
  });

  test("a lock: who holds it, and what to type when that process has ended", async () => {
    const lock = "../pulumi/state/.pulumi/locks/organization/shop/dev/a.json";
    workshop.write(lock, { pid: 4242, username: "somebody", hostname: hostname() });
    const text = `process 4242 on ${hostname()} holds it`;
    await finds("lock", {}, "warning", text);
    const cancel = "pulumi cancel --yes --stack dev";
    await finds("lock", { isAlive: () => false }, "failed", `${text}, and has ended`, cancel);
    // The same file is a lock to Pulumi itself.
    expect((await workshop.pulumi(["refresh", "--yes"])).stderr).toMatch(/currently locked by 1 lock/);
  });

  test("pending operations, objects of another console, and code that is not this package's", async () => {
    const stored = (type: string, name: string, more: object) => ({
      ...{ urn: `urn:pulumi:dev::shop::${type}::${name}`, type, custom: true, id: name, ...more },
    });
    const elsewhere = { __console: "elsewhere" };
    const gate = stored("pulumi-nodejs:dynamic/feature-console:Gate", "a", { outputs: elsewhere });
    const native = stored("feature-console:index:Gate", "a", { outputs: { __featureConsole: elsewhere } });
    const [eu, own] = ["eu", "default_0_2_0"].map((name) =>
      stored("pulumi:providers:feature-console", name, { inputs: { profile: "embedded" } }),
    );
    const explicit = { ...native, provider: `${eu?.urn}::eu` };
    const code = { __provider: "exports.handler = () => ({});" };
    const thing = stored("pulumi-nodejs:dynamic/other:Thing", "a", { outputs: code });
    const foreign = new RegExp(`not this package's, as the provider of ${thing.urn}: `);
    const here = { profile: "custom", baseUrl: emulator.url, apiKey: key } as const;
    const held = (kind: string, inputs: object) => {
      const hidden = { __managed: Object.keys(inputs), __console: consoleDigest(here) };
      return stored(`feature-console:index:${kind}`, kind, {
        ...{ inputs, outputs: { ...inputs, __featureConsole: hidden } },
      });
    };
    const deployKey = (scope: string) =>
      held("Key", { type: "CONSOLE", description: "deploy", scopes: [scope] });
    const gateHere = held("Gate", {});
    const mayWrite =
      /^2 objects, .* key "deploy" may write to the console: a preview that can decrypt this state/;
    const pending = [{ resource: gate, type: "creating" }];
    const inAnother: Expected = ["failed", "1 of 1 object is in another console than the settings lead to"];
    const states: [deployment: object, ...Expected][] = [
      [{ pending_operations: pending }, "warning", "0 objects, 1 pending operation", /--clear-pending-creat/],
      [{ resources: [gate] }, ...inAnother],
      [{ resources: [own, native] }, ...inAnother],
      // What has an explicit provider is where that one leads.
      [{ resources: [eu, explicit] }, "ok", "1 object, no pending operations"],
      [{ resources: [thing] }, "warning", foreign],
      [{ resources: [own, gateHere, deployKey("omni_read_write")] }, "warning", mayWrite, /of their own/],
      [{ resources: [gateHere, deployKey("omni_read_only")] }, "ok", "2 objects, no pending operations"],
      // A stack of its own.
      [{ resources: [deployKey("omni_read_write")] }, "ok", "1 object, no pending operations"],
    ];
    for (const [deployment, ...expected] of states)
      await finds("state", { pulumi: workshop.answering({ "stack export": { deployment } }) }, ...expected);
  });
});

describe("the command", () => {
  beforeAll(ensureBuilt, FIRST_CLI_TIMEOUT_MS);

  test("prints aligned lines in the order of the table", async () => {
    const main = path.join(repositoryRoot, "dist", "tools", "cli", "main.js");
    const { code, stdout } = await run(process.execPath, [main, "doctor"], {
      ...{ cwd: workshop.folder, env: { ...workshop.env, ...settings }, timeoutMs: 60_000 },
    });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.some((line) => /^ok {9}address +\S/.test(line))).toBe(true);
    expect(lines[0]).toMatch(/^ok {9}node {8}\d+\./);
    expect(lines.at(-1)).toMatch(/^\d+ ok/);
    expect(stdout).not.toContain(key);
    // The package of the project is none of this checkout's version: told, and no failure.
    expect(code).toBe(0);
  }, 120_000);

  test("exits with 1 where a check has failed, and with 2 for wrong usage", async () => {
    const PATH = `${workshop.commands}${path.delimiter}${process.env.PATH}`;
    const doctorWith = (more: object, ...args: string[]) =>
      runCommand(doctor, args, { cwd: workshop.folder, env: { ...settings, PATH, ...more } });
    const reading = { FEATURE_CONSOLE_API_KEY: readingKey };
    expect(await doctorWith(reading)).toMatchObject({ status: 0 });
    expect(await doctorWith(reading, "--for", "up")).toMatchObject({ status: 1 });
    const bad = await doctorWith({ FEATURE_CONSOLE_API_KEY: "no" }, "--json");
    expect(bad.status).toBe(1);
    const { checks } = JSON.parse(bad.out) as { checks: CheckResult[] };
    expect(checks.find(({ name }) => name === "key")).toMatchObject({ verdict: "failed" });
    expect(await doctorWith({}, "--nope")).toMatchObject({ status: 2, errors: saying(/--nope/) });
    const other = { status: 2, errors: saying(/--for takes preview or up/) };
    expect(await doctorWith({}, "--for", "destroy")).toMatchObject(other);
  });
});
