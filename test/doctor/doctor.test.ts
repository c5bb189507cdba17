import { chmodSync, existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createPlainServer } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { type CheckResult, type DoctorPorts, pulumiIn, resultText } from "../../src/tools/doctor";
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

/** What a check found where everything else is as it should be. */
async function finding(name: string, more: Examined = {}): Promise<CheckResult> {
  const found = await workshop.examine({ ...more, only: name, env: { ...settings, ...more.env } });
  return found[name] as CheckResult;
}

/** A part of a finding, for `toMatchObject`. */
const like = (verdict: string, text: unknown, advice?: unknown) =>
  advice === undefined ? { verdict, text } : { verdict, text, advice };

test("where all is well every line is ok, and no request writes", async () => {
  emulator.clearRequests();
  const found = await workshop.examine({ env: settings });
  expect(Object.values(found).filter(({ verdict }) => verdict !== "ok")).toEqual([]);
  expect(Object.keys(found).length).toBeLessThanOrEqual(20);
  expect(new Set(emulator.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  expect(JSON.stringify(found)).not.toContain(key);
  expect(found.settings?.text).toMatch(/^environment: profile custom, apiKey set, baseUrl http/);
  expect(found.permission?.text).toBe("CONSOLE key, omni_read_write, can_access_keys");
  expect(found.writes?.text).toMatch(/^at most 98 in 10 s, 890 in 900 s/);
});

test("a folder without a project: one line says so, and what needs one is not tried", async () => {
  workshop.write(path.join("..", "empty", "notes.txt"), "");
  const found = await workshop.examine({ folder: path.join(workshop.folder, "..", "empty") });
  expect(found.project).toMatchObject(like("failed", expect.stringMatching(/^no Pulumi\.yaml in /)));
  for (const name of ["package", "copies", "typescript", "sdk", "stack"])
    expect(found[name]).toMatchObject({ verdict: "not tried" });
});

test("a long text goes over several lines, and none is longer than a terminal", () => {
  const text = "word ".repeat(60).trim();
  const lines = resultText({ name: "settings", verdict: "failed", text, advice: text }, 10).split("\n");
  expect(lines.length).toBeGreaterThan(5);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  expect(lines[1]).toMatch(/^ {23}word/);
  expect(lines.join(" ").replaceAll(/\s+/g, " ")).toBe(`failed settings ${text} -> ${text} `);
});

describe("the machine and the project", () => {
  test("an old Node", async () => {
    const { verdict, text, advice } = await finding("node", { node: "20.20.2" });
    expect([verdict, text]).toEqual(["failed", "20.20.2"]);
    expect(advice).toMatch(/needs Node 22\.19 or newer/);
  });

  test("no Pulumi, and an old one: what needs it is not tried", async () => {
    const old: DoctorPorts["pulumi"] = async () => ({ status: 0, stdout: "v3.100.0\n", stderr: "" });
    expect(await finding("pulumi", { pulumi: old })).toMatchObject(
      like("failed", "3.100.0, and 3.216.0 or newer is needed"),
    );
    const missing = { pulumi: () => Promise.reject(new Error("does not start: install it")) };
    const found = await workshop.examine({ ...missing, env: settings });
    expect(found.pulumi).toMatchObject({ verdict: "failed", text: "does not start: install it" });
    for (const name of ["backend", "stack", "lock", "state"])
      expect(found[name]).toMatchObject({ verdict: "not tried" });
    expect(found.key).toMatchObject({ verdict: "ok" });
  });

  test.each<[string, string, unknown, RegExp, string]>([
    ["no runtime", "Pulumi.yaml", "name: [", /names no runtime/, "correct Pulumi.yaml"],
    [
      "no dependency",
      "package.json",
      { dependencies: {} },
      /does not name/,
      "npm install ~/pulumi-feature-console-1.2.3.tgz",
    ],
    ["a broken package.json", "package.json", "{", /no package\.json/, "npm install"],
  ])("project files: %s", async (_, file, content, what, advice) => {
    workshop.write(file, content);
    const { verdict, text, advice: said } = await finding("project");
    expect(verdict).toBe("failed");
    expect(text).toMatch(what);
    expect(said).toContain(advice);
  });

  test("a program in another language needs the native plugin, and nothing of Node.js", async () => {
    workshop.write("Pulumi.yaml", "name: a\nruntime: yaml\n");
    const found = await workshop.examine({ env: settings });
    expect(found.project).toMatchObject(like("ok", "Pulumi.yaml, for the runtime yaml"));
    expect(found.package).toMatchObject(
      like(
        "failed",
        "Pulumi finds no plugin feature-console",
        "pulumi plugin install resource feature-console 1.2.3 --file ARCHIVE",
      ),
    );
    expect(found.typescript).toMatchObject(like("ok", "not needed: the program is for the runtime yaml"));
    expect(found.sdk).toMatchObject({ verdict: "ok" });
    const plugin = path.join("..", "commands", "pulumi-resource-feature-console");
    workshop.write(plugin, "");
    const onPath = { PATH: path.dirname(path.join(workshop.folder, plugin)) };
    expect(await finding("package", { env: onPath })).toMatchObject(
      like("ok", "pulumi-resource-feature-console is on PATH"),
    );
  });

  test("a project may name the folder of the native plugin", async () => {
    const lines = "plugins:\n  providers:\n    - name: feature-console\n      path: bin\n";
    workshop.write("Pulumi.yaml", `name: a\nruntime:\n  name: python\n${lines}`);
    expect(await finding("package")).toMatchObject({
      ...{ verdict: "failed" },
      text: "the project names bin for the plugin, and pulumi-resource-feature-console is not there",
    });
    workshop.write(path.join("bin", "pulumi-resource-feature-console"), "");
    expect(await finding("package")).toMatchObject({
      ...{ verdict: "ok" },
      text: "pulumi-resource-feature-console is in bin, which the project names",
    });
  });

  test("a program in Python needs the package of the plugin, in the Python that Pulumi runs it with", async () => {
    const python = (folder: string, prints: string) => {
      workshop.write(path.join(folder, "python"), `#!/bin/sh\n${prints}\n`);
      chmodSync(path.join(workshop.folder, folder, "python"), 0o755);
    };
    workshop.write("Pulumi.yaml", "name: a\nruntime:\n  name: python\n  options:\n    virtualenv: own\n");
    const own = path.join(workshop.folder, "own", "bin", "python");
    const advice = `${own} -m pip install ~/sdk/python`;
    const missing = like("failed", `${own} cannot be run`, "python3 -m venv venv");
    expect(await finding("sdk")).toMatchObject(missing);
    python("own/bin", "exit 1");
    const without = `${own} finds no package pulumi_feature_console`;
    expect(await finding("sdk")).toMatchObject(like("failed", without, advice));
    python("own/bin", "echo 1.0.0");
    const older = "pulumi_feature_console 1.0.0, and this command is of 1.2.3";
    expect(await finding("sdk")).toMatchObject(like("warning", older, advice));
    python("own/bin", "echo 1.2.3");
    expect(await finding("sdk")).toMatchObject(like("ok", "pulumi_feature_console 1.2.3"));
    workshop.write("Pulumi.yaml", "name: a\nruntime: python\n");
    python("venv/bin", "echo 1.2.3");
    const env = { PULUMI_PYTHON_CMD: path.join(workshop.folder, "venv", "bin", "python") };
    expect(await finding("sdk", { env })).toMatchObject(like("ok", "pulumi_feature_console 1.2.3"));
    workshop.write("Pulumi.yaml", "name: a\nruntime: go\n");
    expect(await finding("sdk")).toMatchObject(
      like("ok", "not looked for: a build of the program needs it, in go"),
    );
  });

  test("the package is of another version, or there twice", async () => {
    workshop.install("1.0.0");
    expect(await finding("package")).toMatchObject(
      like("warning", "the project has 1.0.0, and this command is of 1.2.3"),
    );
    workshop.install(versions.own, "node_modules/@shop/flags");
    expect(await finding("copies")).toMatchObject(
      like("failed", expect.stringMatching(/^2 are loaded by one program: .*@shop\/flags/)),
    );
  });

  test("a copy below the project's own code: what takes code from there loads both", async () => {
    workshop.install(versions.own, "lib/flags");
    workshop.install(versions.own, "policy");
    workshop.write("policy/PulumiPolicy.yaml", "runtime: nodejs\n");
    expect(await finding("copies")).toMatchObject(
      like("warning", expect.stringMatching(/^2: node_modules\/\S+, lib\/flags\/node_modules\/\S+; /)),
    );
  });

  test("a copy of a package that is linked: Node finds it there", async () => {
    workshop.install(versions.own, "../flags");
    symlinkSync(
      path.join(workshop.folder, "..", "flags"),
      path.join(workshop.folder, "node_modules", "flags"),
    );
    expect(await finding("copies")).toMatchObject(
      like("failed", expect.stringMatching(/^2 are loaded by one program: .*flags\/node_modules/)),
    );
  });

  test("the package is missing", async () => {
    // A folder of its own: Node remembers where it has found a package.
    const bare = await openWorkshop();
    rmSync(path.join(bare.folder, "node_modules", "pulumi-feature-console"), { recursive: true });
    const found = await bare.examine({ env: settings });
    bare.close();
    expect(found.package).toMatchObject({
      verdict: "failed",
      text: expect.stringContaining('require("pulumi-feature-console/dynamic/v1") finds nothing'),
      advice: "npm install ~/pulumi-feature-console-1.2.3.tgz",
    });
    expect(found.copies).toMatchObject({ verdict: "not tried", text: '"package" comes first' });
  });

  test("an SDK that is too old, and no TypeScript", async () => {
    expect(await finding("sdk", { versions: { ...versions, sdk: ">=99" } })).toMatchObject(
      like("failed", expect.stringContaining(">=99 is needed"), "npm install @pulumi/pulumi@latest"),
    );
    const { verdict, text } = await finding("typescript");
    expect([verdict, text]).toEqual(["ok", expect.stringContaining("no tsconfig.json, none is needed")]);
    const other = path.join(workshop.folder, "..", "elsewhere");
    workshop.write(path.join("..", "elsewhere", "index.ts"), "");
    workshop.write(path.join("..", "elsewhere", "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    workshop.write(path.join("..", "elsewhere", "package.json"), {
      dependencies: { "pulumi-feature-console": "*" },
    });
    expect(await finding("typescript", { folder: other })).toMatchObject(
      like("failed", expect.any(String), "npm install typescript@6"),
    );
    expect(await finding("sdk", { folder: other })).toMatchObject(
      like("failed", "@pulumi/pulumi is not installed"),
    );
  });
});

describe("settings", () => {
  test("none, and misspelt ones", async () => {
    const found = await workshop.examine({});
    expect(found.settings).toMatchObject({
      verdict: "failed",
      text: "No profile is set",
      advice: expect.stringContaining('"pulumi config set feature-console:profile embedded"'),
    });
    for (const name of ["address", "key", "redis", "writes"])
      expect(found[name]).toMatchObject({ verdict: "not tried" });
    await workshop.pulumi(["config", "set", "feature-console:profil", "custom"]);
    expect(await finding("settings")).toMatchObject(
      like("failed", "feature-console:profil is no setting", "did you mean feature-console:profile?"),
    );
  });

  test("those of the stack are told as such, and a secret is not shown", async () => {
    const { FEATURE_CONSOLE_API_KEY: _, ...env } = settings;
    await workshop.pulumi(["config", "set", "--secret", "feature-console:apiKey", key]);
    await workshop.pulumi(["config", "set", "feature-console:requestTimeoutMs", "5000"]);
    const found = await workshop.examine({ env });
    expect(found.settings?.text).toMatch(
      /^stack: apiKey set, requestTimeoutMs 5000; environment: profile custom/,
    );
    expect(found.key).toMatchObject({ verdict: "ok" });
    expect(JSON.stringify(found)).not.toContain(key);
  });

  test("a key that stands in the configuration in the clear is refused, and not shown", async () => {
    const { FEATURE_CONSOLE_API_KEY: _, ...env } = settings;
    await workshop.pulumi(["config", "set", "--plaintext", "feature-console:apiKey", key]);
    const found = await workshop.examine({ env });
    expect(found.settings).toMatchObject({
      verdict: "failed",
      text: expect.stringMatching(/^feature-console:apiKey stands in the stack's configuration in the clear/),
      advice: expect.stringContaining('"pulumi config set --secret feature-console:apiKey"'),
    });
    expect(JSON.stringify(found)).not.toContain(key);
  });

  test("write limits above those of the service", async () => {
    const env = { FEATURE_CONSOLE_WRITES_PER_15MIN: "5000" };
    expect(await finding("writes", { env })).toMatchObject(
      like("warning", expect.stringMatching(/5000 in 900 s/)),
    );
  });

  test("a journal that cannot be written", async () => {
    workshop.write(".feature-console", "a file");
    expect(await finding("journal")).toMatchObject(
      like(
        "failed",
        ".feature-console cannot be written (it is a file): after a kill, what a run created has to be taken over by hand",
      ),
    );
    const env = { FEATURE_CONSOLE_REDIS_URL: "redis://:word@127.0.0.1:1" };
    const { verdict, text } = await finding("journal", { env });
    expect([verdict, text]).toEqual(["warning", expect.stringMatching(/creates are noted in Redis only$/)]);
  });

  test("a journal that can be written leaves no trace of the probe", async () => {
    expect(await finding("journal")).toMatchObject(like("ok", ".feature-console/journal can be written"));
    expect(existsSync(path.join(workshop.folder, ".feature-console"))).toBe(false);
    workshop.write(".feature-console/journal/one.jsonl", "");
    expect(await finding("journal")).toMatchObject({ verdict: "ok" });
    expect(readdirSync(path.join(workshop.folder, ".feature-console", "journal"))).toEqual(["one.jsonl"]);
    expect(readdirSync(workshop.folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("a disk that is full", async () => {
    // The device takes no byte: a link stands for the file that is written.
    const journal = path.join(workshop.folder, ".feature-console", "journal");
    workshop.write(".feature-console/journal/one.jsonl", "");
    symlinkSync("/dev/full", path.join(journal, `.${process.pid}.0.part`));
    expect(await finding("journal")).toMatchObject(
      like("failed", expect.stringContaining("(the disk is full)")),
    );
  });

  test("a Redis that is gone", async () => {
    const env = { FEATURE_CONSOLE_REDIS_URL: "redis://:word@127.0.0.1:1" };
    const { verdict, text } = await finding("redis", { env });
    expect([verdict, text]).toEqual(["failed", "feature-console:redisUrl cannot be used: ECONNREFUSED"]);
  });

  const withRedis = whyNoRedis === undefined ? test : test.skip;
  withRedis(`a Redis that answers${whyNoRedis === undefined ? "" : ` (${whyNoRedis})`}`, async () => {
    const redis = await startRedis();
    try {
      expect(await finding("redis", { env: { FEATURE_CONSOLE_REDIS_URL: redis.url } })).toMatchObject(
        like("ok", "answers"),
      );
    } finally {
      await redis.stop();
    }
  });
});

describe("the console", () => {
  const address = (url: string) => ({ env: { FEATURE_CONSOLE_BASE_URL: url } });

  test("a name that DNS does not know, and a wrong port", async () => {
    expect(await finding("address", address("https://console.invalid"))).toMatchObject(
      like("failed", expect.stringMatching(/^DNS does not know console\.invalid \(/)),
    );
    expect(await finding("address", address("http://127.0.0.1:1"))).toMatchObject(
      like(
        "failed",
        "127.0.0.1:1 takes no connection (ECONNREFUSED)",
        expect.stringContaining("FEATURE_CONSOLE_BASE_URL"),
      ),
    );
  });

  test("http: to another machine, also where a setting allows it", async () => {
    const there = address("http://console.invalid");
    expect(await finding("settings", there)).toMatchObject(
      like(
        "failed",
        "feature-console:baseUrl is http://console.invalid: the key would cross the network in clear",
        expect.stringMatching(/^Use https:, or set feature-console:allowInsecureHttp /),
      ),
    );
    const env = { ...there.env, FEATURE_CONSOLE_ALLOW_INSECURE_HTTP: "true" };
    expect(await finding("settings", { env })).toMatchObject(
      like(
        "warning",
        expect.stringContaining("the key crosses the network to console.invalid in clear"),
        "use https:, and remove feature-console:allowInsecureHttp or FEATURE_CONSOLE_ALLOW_INSECURE_HTTP",
      ),
    );
  });

  test("a host that is not among those named: nothing is asked", async () => {
    const env = { FEATURE_CONSOLE_ALLOWED_HOSTS: "eu.example" };
    const { host, origin } = new URL(emulator.url);
    const before = emulator.requests.length;
    expect(await finding("settings", { env })).toMatchObject(
      like(
        "failed",
        `The console's address is ${origin}, and FEATURE_CONSOLE_ALLOWED_HOSTS does not name that host: the key was not sent`,
        `Correct the address, or add ${host} to FEATURE_CONSOLE_ALLOWED_HOSTS.`,
      ),
    );
    expect(emulator.requests).toHaveLength(before);
  });

  test("certificates that nothing checks: nothing is asked", async () => {
    const before = emulator.requests.length;
    expect(await finding("address", { env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } })).toMatchObject(
      like(
        "failed",
        "NODE_TLS_REJECT_UNAUTHORIZED is 0: nothing checks the console's certificate, so another machine can pose as the console and read the key",
        "Unset that variable. Where a CA of your own signed the certificate, export NODE_EXTRA_CA_CERTS=/path/to/ca.pem",
      ),
    );
    expect(emulator.requests).toHaveLength(before);
    const embedded = { NODE_TLS_REJECT_UNAUTHORIZED: "0", FEATURE_CONSOLE_PROFILE: "embedded" };
    expect(await finding("address", { env: embedded })).toMatchObject(like("ok", expect.any(String)));
  });

  test("no TLS where https: is said, no HTTP, and a page in the place of the API", async () => {
    expect((await finding("address", address(emulator.url.replace("http:", "https:")))).text).toMatch(
      /has no TLS that is trusted/,
    );
    expect((await finding("address", address(emulator.url.replace("http:", "https:")))).advice).not.toContain(
      "http:",
    );
    const silent = createPlainServer((socket) => socket.on("error", () => undefined).end("hello\n"));
    const page = createServer((_, answer) => answer.writeHead(404).end("<h1>Not here</h1>"));
    expect((await finding("address", address(await listening(silent)))).text).toMatch(/does not answer HTTP/);
    expect((await finding("address", address(await listening(page)))).text).toMatch(
      /answers 404, but not as the API of a console does/,
    );
    for (const server of [silent, page]) server.close();
  });

  test("a clock that is off", async () => {
    const date = new Date(Date.now() + 600_000).toUTCString();
    const server = createServer((_, answer) => answer.writeHead(401, { date }).end('{"message":"No"}'));
    const { verdict, text, advice } = await finding("clock", address(await listening(server)));
    server.close();
    expect([verdict, text]).toEqual([
      "warning",
      expect.stringMatching(/^(59\d|600) s behind that of the console$/),
    ]);
    expect(advice).toContain("set-ntp");
    expect((await finding("clock")).verdict).toBe("ok");
  });

  test("a wrong key, and a wrong profile", async () => {
    const wrong = `${key}-wrong`;
    const found = await workshop.examine({ env: { ...settings, FEATURE_CONSOLE_API_KEY: wrong } });
    expect(found.key).toMatchObject({
      verdict: "failed",
      text: expect.stringContaining("refuses it with 401"),
    });
    expect(found.permission).toMatchObject({ verdict: "not tried" });
    expect(JSON.stringify(found)).not.toContain(wrong);
    expect((await finding("key", { env: { FEATURE_CONSOLE_PROFILE: "statsig" } })).text).toBe(
      "the console refuses it with 401 (profile statsig, sent as STATSIG-API-KEY)",
    );
  });

  test.each(["secret", "client"])(
    "a %s key in the place of a console key is told without a request",
    async (beginning) => {
      const env = { FEATURE_CONSOLE_PROFILE: "statsig", FEATURE_CONSOLE_API_KEY: [beginning, "x"].join("-") };
      emulator.clearRequests();
      const { verdict, text } = await finding("settings", { env });
      expect([verdict, text]).toEqual([
        "failed",
        expect.stringMatching(
          /^The key is a (server|client) key, and the profile "statsig" takes console keys/,
        ),
      ]);
      expect(emulator.requests).toEqual([]);
    },
  );

  test("a key that may only read", async () => {
    expect(await finding("permission", { env: { FEATURE_CONSOLE_API_KEY: readingKey } })).toMatchObject(
      like(
        "warning",
        expect.stringMatching(/^CONSOLE key, omni_read_only, can_access_keys: it may read alone/),
      ),
    );
  });

  test("for pulumi up a key that may only read has failed; what no request shows is not known", async () => {
    const reading = { env: { FEATURE_CONSOLE_API_KEY: readingKey }, purpose: "up" } as const;
    expect(await finding("permission", reading)).toMatchObject(
      like(
        "failed",
        expect.stringMatching(/^CONSOLE key, omni_read_only, .*: it may not write, and "pulumi up" does/),
      ),
    );
    expect((await finding("permission", { purpose: "up" })).verdict).toBe("ok");
    const silent = await startEmulator({ key });
    const unknown = { env: { FEATURE_CONSOLE_BASE_URL: silent.url } };
    expect(await finding("permission", unknown)).toMatchObject(
      like("ok", expect.stringMatching(/^not known: /)),
    );
    expect(await finding("permission", { ...unknown, purpose: "up" })).toMatchObject(
      like("warning", expect.stringMatching(/^not known: /)),
    );
    await silent.close();
  });

  const ofProject = "accepted, for project shop";
  test.each([
    [
      false,
      "hosted: AssignmentSource, EntityProperty, MetricSource, QualifyingEvent may need a warehouse-native one",
    ],
    [true, "warehouse-native: Ingestion, IngestionSchedule may need a hosted one"],
  ])("[P6] an account that is warehouse-native (%s) may lack some kinds", async (isWarehouseNative, text) => {
    const other = await startEmulator({
      key,
      seed: { projects: [{ id: "shop" }], companies: [{ companyName: "Acme", isWarehouseNative }] },
    });
    const found = await finding("key", { env: { FEATURE_CONSOLE_BASE_URL: other.url } });
    expect(found).toMatchObject(like("ok", `${ofProject}; its account Acme is ${text}`));
    await other.close();
  });

  test.each([403, 404, 500])("[P6] a %i to the question about the account is no fault", async (status) => {
    const other = await startEmulator({ key, seed: { projects: [{ id: "shop" }] } });
    other.addFaults([{ method: "GET", path: "/company", status, times: 9 }]);
    const found = await finding("key", { env: { FEATURE_CONSOLE_BASE_URL: other.url } });
    expect(found).toMatchObject(like("ok", ofProject));
    await other.close();
  });

  test("the embedded console needs neither address nor key", async () => {
    const found = await workshop.examine({ env: { FEATURE_CONSOLE_PROFILE: "embedded" } });
    expect(found.address?.text).toMatch(/^embedded, in .*console\.db, which the first run makes$/);
    for (const name of ["key", "permission", "clock", "writes"]) expect(found[name]?.verdict).toBe("ok");
  });
});

describe("the stack", () => {
  test("a backend that is not there, a stack that is not there, a wrong passphrase", async () => {
    const pulumi = pulumiIn(workshop.folder, { ...workshop.env, PULUMI_BACKEND_URL: "file:///not/there" });
    const without = await workshop.examine({ env: settings, pulumi });
    expect(without.backend).toMatchObject({
      verdict: "failed",
      advice: expect.stringContaining("pulumi login"),
    });
    expect(without.stack).toMatchObject({ verdict: "not tried" });
    expect(await finding("stack", { stack: "nope" })).toMatchObject(
      like("failed", "no stack named 'nope' found"),
    );
    await workshop.pulumi(["config", "set", "--secret", "feature-console:apiKey", key]);
    const locked = pulumiIn(workshop.folder, { ...workshop.env, PULUMI_CONFIG_PASSPHRASE: "wrong" });
    expect(await finding("stack", { pulumi: locked })).toMatchObject(
      like(
        "failed",
        expect.stringContaining("incorrect passphrase"),
        expect.stringContaining("PULUMI_CONFIG_PASSPHRASE"),
      ),
    );
  });

  test("a lock: who holds it, and what to type when that process has ended", async () => {
    const lock = path.join(
      "..",
      "pulumi",
      "state",
      ".pulumi",
      "locks",
      "organization",
      "shop",
      "dev",
      "a.json",
    );
    workshop.write(lock, { pid: 4242, username: "somebody", hostname: hostname() });
    const text = `process 4242 on ${hostname()} holds it`;
    expect(await finding("lock")).toMatchObject(like("warning", text));
    expect(await finding("lock", { isAlive: () => false })).toMatchObject(
      like("failed", `${text}, and has ended`, "pulumi cancel --yes --stack dev"),
    );
    // The same file is a lock to Pulumi itself.
    expect((await workshop.pulumi(["refresh", "--yes"])).stderr).toMatch(/currently locked by 1 lock/);
  });

  test("pending operations, and objects of another console", async () => {
    const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/feature-console:Gate::a";
    const resource = { urn, custom: true, id: "a", type: "pulumi-nodejs:dynamic/feature-console:Gate" };
    const exported = JSON.parse((await workshop.pulumi(["stack", "export"])).stdout) as {
      deployment: object;
    };
    const withState = async (more: object) => {
      workshop.write("state.json", { ...exported, deployment: { ...exported.deployment, ...more } });
      const imported = await workshop.pulumi(["stack", "import", "--file", "state.json", "--force"]);
      expect(imported.stderr).not.toMatch(/error/);
    };
    // An import of a state drops what is pending: the answer of the CLI says it here.
    const pending: DoctorPorts["pulumi"] = async (args) => {
      const result = await workshop.pulumi(args);
      if (args[0] !== "stack" || args[1] !== "export") return result;
      const state = { deployment: { pending_operations: [{ resource, type: "creating" }] } };
      return { ...result, stdout: JSON.stringify(state) };
    };
    expect(await finding("state", { pulumi: pending })).toMatchObject(
      like("warning", "0 objects, 1 pending operation", expect.stringContaining("--clear-pending-creates")),
    );
    const elsewhere = like("failed", "1 of 1 object is in another console than the settings lead to");
    await withState({ resources: [{ ...resource, outputs: { __console: "elsewhere" } }] });
    expect(await finding("state")).toMatchObject(elsewhere);
    const provider = (name: string, inputs: object) => ({
      ...{ urn: `urn:pulumi:dev::shop::pulumi:providers:feature-console::${name}`, custom: true, id: "one" },
      ...{ type: "pulumi:providers:feature-console", inputs, outputs: inputs },
    });
    const native = {
      ...{ urn: "urn:pulumi:dev::shop::feature-console:index:Gate::a", custom: true, id: "a" },
      ...{ type: "feature-console:index:Gate", outputs: { __featureConsole: { __console: "elsewhere" } } },
    };
    const thing = "pulumi-nodejs:dynamic/other:Thing";
    const code = { __provider: "exports.handler = () => ({});" };
    await withState({
      resources: [
        { urn: `urn:pulumi:dev::shop::${thing}::a`, custom: true, id: "a", type: thing, outputs: code },
      ],
    });
    expect(await finding("state")).toMatchObject(
      like(
        "warning",
        expect.stringContaining(`not this package's, as the provider of urn:pulumi:dev::shop::${thing}::a: `),
      ),
    );
    await withState({ resources: [provider("default_0_2_0", { profile: "embedded" }), native] });
    expect(await finding("state")).toMatchObject(elsewhere);
    // What has an explicit provider is where that one leads.
    const eu = provider("eu", { profile: "embedded" });
    await withState({ resources: [eu, { ...native, provider: `${eu.urn}::one` }] });
    expect(await finding("state")).toMatchObject(like("ok", "1 object, no pending operations"));
  });

  test("an import that was interrupted", async () => {
    workshop.write(".feature-console/import.json", { files: { "gates.ts": ["one"] } });
    expect(await finding("import")).toMatchObject(
      like("warning", expect.stringContaining("gates.ts"), "npx feature-console import"),
    );
  });
});

describe("the command", () => {
  const main = path.join(repositoryRoot, "dist", "tools", "cli", "main.js");
  beforeAll(ensureBuilt, FIRST_CLI_TIMEOUT_MS);
  const doctor = (env: Record<string, string>, ...args: string[]) =>
    run(process.execPath, [main, "doctor", ...args], {
      ...{ cwd: workshop.folder, env: { ...workshop.env, ...env }, timeoutMs: 60_000 },
    });

  test("prints aligned lines in the order of the table, and exits with 1 where one has failed", async () => {
    const { code, stdout } = await doctor(settings);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.filter((line) => line.startsWith("ok ")).map((line) => line.slice(11, 23).trim())).toContain(
      "address",
    );
    expect(lines[0]).toMatch(/^ok {9}node {8}\d+\./);
    expect(lines.at(-1)).toMatch(/^\d+ ok/);
    expect(stdout).not.toContain(key);
    // The package of the project is none of this checkout's version: told, and no failure.
    expect(code).toBe(0);
    const bad = await doctor({ ...settings, FEATURE_CONSOLE_API_KEY: "no" }, "--json");
    expect(bad.code).toBe(1);
    const { checks } = JSON.parse(bad.stdout) as { checks: CheckResult[] };
    expect(checks.find(({ name }) => name === "key")?.verdict).toBe("failed");
    const reading = { ...settings, FEATURE_CONSOLE_API_KEY: readingKey };
    expect((await doctor(reading)).code).toBe(0);
    expect((await doctor(reading, "--for", "up")).code).toBe(1);
  }, 120_000);

  test("wrong usage exits with 2", async () => {
    const { code, stderr } = await doctor({}, "--nope");
    expect(code).toBe(2);
    expect(stderr).toContain("--nope");
    const other = await doctor({}, "--for", "destroy");
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("--for takes preview or up")]);
  }, 60_000);
});

async function listening(server: Server | ReturnType<typeof createPlainServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return `http://127.0.0.1:${port}`;
}
