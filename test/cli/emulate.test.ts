import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { startEmulator } from "../../src/emulator";
import { emulate } from "../../src/tools/cli/emulate";
import { commandLine } from "../support/command-line";
import { folderOfFile } from "../support/folders";
import { type Ended, runCommand } from "./run-command";

const folder = folderOfFile();
const running: Run[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const one of running.splice(0)) await one.stop();
});

interface Run {
  /** Resolves with the first line of the output. */
  readonly ready: Promise<string>;
  /** Ends it as a signal does, and resolves with what it has printed. */
  stop(): Promise<Ended>;
}

function run(...args: string[]): Run {
  const others = new Set(process.rawListeners("SIGTERM"));
  let onReady = (_: string) => {};
  const ready = new Promise<string>((resolve) => {
    onReady = resolve;
  });
  const ended = runCommand(emulate, args, {
    onOut: (out) => out.includes("\n") && onReady(out.split("\n")[0] ?? ""),
  });
  // What else listens in this process, of Jest or of a library, would end it.
  const stop = () => {
    for (const listener of process.rawListeners("SIGTERM"))
      if (!others.has(listener)) (listener as (signal: string) => void)("SIGTERM");
    return ended;
  };
  const one = { ready: Promise.race([ready, ended.then(({ errors }) => errors)]), stop };
  running.push(one);
  return one;
}

/** Runs the command line in a process of its own, which is killed after 30 s at the latest. */
function started(...args: string[]) {
  const child = spawn(process.execPath, [...commandLine, ...args], { timeout: 30_000 });
  children.push(child);
  const said = { out: "", errors: "" };
  child.stderr.on("data", (chunk: Buffer) => {
    said.errors += String(chunk);
  });
  const ready = new Promise<string>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      said.out += String(chunk);
      if (said.out.includes("\n")) resolve(said.out.split("\n")[0] ?? "");
    });
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (status) => resolve({ status: status ?? -1, ...said }));
  });
  return { ready, ended, child };
}

async function address({ ready }: { readonly ready: Promise<string> }): Promise<string> {
  const line = await ready;
  expect(line).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+$/);
  return line.replace("listening on ", "");
}

const ask = (url: string, method: string, path: string, body?: object) =>
  fetch(`${url}/console/v1/${path}`, {
    ...{ method, headers: { "SERVICE-API-KEY": "any" } },
    ...(body && { body: JSON.stringify(body) }),
  });

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};

test("says where it listens, answers, and ends on Ctrl-C", async () => {
  const one = started("emulate", "--port", "0", "--profile", "statsig", "--key", "one");
  const url = await address(one);
  const answer = await fetch(`${url}/console/v1/gates`, { headers: { "STATSIG-API-KEY": "one" } });
  expect(answer.status).toBe(200);
  one.child.kill("SIGINT");
  const { errors, ...rest } = await one.ended;
  expect(rest).toEqual({ status: 0, out: `listening on ${url}\n` });
  // How to point both server SDKs at it.
  for (const said of [`api: "${url}/v1"`, `specsUrl: "${url}/v2/download_config_specs"`])
    expect(errors).toContain(said);
}, 40_000);

test("keeps its data, plants its seed and plans its faults", async () => {
  const data = join(folder, "made", "console.db");
  const seed = file("seed.json", { gates: [{ name: "seeded" }] });
  const faults = file("faults.json", [{ times: 1, status: 503 }]);
  const first = run("--data", data, "--seed", seed, "--faults", faults);
  const url = await address(first);
  expect((await ask(url, "GET", "gates")).status).toBe(503);
  expect((await ask(url, "POST", "gates", { name: "made" })).status).toBe(201);
  expect((await first.stop()).status).toBe(0);
  const second = run("--data", data, "--seed", seed);
  const answer = await ask(await address(second), "GET", "gates");
  expect(await answer.json()).toMatchObject({ data: [{ name: "seeded" }, { name: "made" }] });
}, 60_000);

test("does what it is told where the reference leaves it open", async () => {
  const one = run("--behaviour", "unknownReferences=refuse", "--behaviour", "unknownTargetApps=refuse");
  const url = await address(one);
  const statusOf = async (body: object) => (await ask(url, "POST", "gates", { id: "one", ...body })).status;
  const conditions = [{ type: "passes_gate", targetValue: "none" }];
  expect(await statusOf({ rules: [{ name: "r", passPercentage: 1, conditions }] })).toBe(404);
  expect(await statusOf({ targetApps: ["none"] })).toBe(400);
  const rule = { name: "r", passPercentage: 1, conditions: [], environments: ["none"] };
  expect(await statusOf({ rules: [rule] })).toBe(201);
}, 40_000);

test("limits writes in windows that are as long as it is told", async () => {
  const one = run("--rate-limit", "on", "--rate-limit-scale", "0.0001");
  const url = await address(one);
  // A window of a millisecond is never full: one of ten seconds would be, at the 101st.
  for (let count = 0; count < 110; count += 1)
    expect((await ask(url, "PUT", "gates/none/archive")).status).toBe(404);
}, 40_000);

test("with --ui there is a page that answers who passes by the SDK, and it is told where; without it there is none", async () => {
  const rules = [{ name: "Staff", passPercentage: 100, conditions: [{ type: "public" }] }];
  const seed = file("seed.json", { gates: [{ name: "checkout_v2", rules }] });
  const question = JSON.stringify({ kind: "gate", id: "checkout_v2", users: '{"userID":"ann"}' });
  const ask = async (url: string) => {
    const headers = { origin: url, "content-type": "application/json" };
    return fetch(`${url}/ui/evaluate`, { method: "POST", headers, body: question });
  };
  const shown = run("--ui", "--seed", seed, "--key", "console-mine", "--server-key", "secret-mine");
  const url = await address(shown);
  expect(await (await fetch(url)).text()).toContain("checkout_v2");
  expect(await (await ask(url)).text()).toContain("checkout_v2 passes: rule &quot;Staff&quot;");
  const { errors, out } = await shown.stop();
  expect(errors).toContain(`A page to look at: ${url}/\n`);
  expect(errors).toContain(`new StatsigServer(KEY, { api: "${url}/v1" })`);
  expect(errors + out).not.toMatch(/-mine/);

  const hidden = run("--seed", seed);
  const other = await address(hidden);
  for (const answer of [await fetch(other), await ask(other)]) {
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain("<");
  }
  expect((await hidden.stop()).errors).not.toContain("A page to look at");
}, 60_000);

test("a port in use is told", async () => {
  const first = await startEmulator();
  const told = `--port ${first.port} is in use: take another one, or 0 for any that is free`;
  await expect(emulate.run(["--port", String(first.port)])).rejects.toThrow(told);
  await first.close();
});

test.each([
  // The SDKs refuse such a key.
  ["--server-key mine", "--server-key takes a key that begins with secret-"],
  ["--server-key console-1", "this one is a key of the Console API, as it begins with console-"],
  ["--key secret-1 --server-key secret-1", "--server-key has the key of another option"],
  ["--key secret-1 --person secret-1=ada@example.com", "--person has the key of another option"],
  ["--person secret-1", "--person takes KEY=EMAIL"],
  ["--port many", '--port takes a number from 0 to 65535, not "many"'],
  ["--profile embedded", '--profile takes custom or statsig, not "embedded"'],
  ["--rate-limit-scale 0", '--rate-limit-scale takes a number above 0 and at most 1000, not "0"'],
  ["--behaviour unknownReferences", "--behaviour takes NAME=VALUE"],
  ["--behaviour unknownTag=ignore", 'behaviour.unknownTag: there is none; did you mean "unknownTags"?'],
  [
    "--behaviour deleteSegmentInUse=maybe",
    'behaviour.deleteSegmentInUse: takes accept or refuse, not "maybe"',
  ],
  ["--seed none.json", "none.json cannot be read: there is no such file"],
  ["--seed half.json", "half.json: no JSON: "],
  ["--seed nameless.json", "seed.gates[0].name: Required"],
  ["--faults nameless.json", "not a JSON array"],
  ["--faults timeless.json", "faults[0].times: Required"],
  ["--data .", ": this is a folder; name another file"],
  ["--data text.db", "not a database"],
])("%s is one message of wrong usage", async (args, message) => {
  file("half.json", "{gates");
  file("nameless.json", { gates: [{}] });
  file("timeless.json", [{}]);
  file("text.db", "text ".repeat(300));
  const { status, errors } = await runCommand(emulate, args.split(" "), { cwd: folder });
  expect([status, errors]).toEqual([2, expect.stringContaining(message)]);
  expect(errors.match(/\n/g)).toHaveLength(1);
});

test("the help names every option and behaviour", () => {
  expect(emulate.help).toMatch(/--read-only-key KEY/);
  expect(emulate.topics.behaviour).toMatch(/\nunknownTargetApps=accept\|create\|ignore\|refuse\n {2}\S/);
});

const known = "import, emulate, yaml-schema, report";
test.each([
  [["--help"], 0, /Usage: feature-console COMMAND/, /^$/],
  [["emulate", "--help"], 0, /^Usage: feature-console emulate/, /^$/],
  [["emulate", "--prot", "1"], 2, /^$/, /^feature-console emulate: .*; did you mean --port\?\n$/],
  [["emulate", "--help", "behaviour"], 0, /^Values of --behaviour/, /^$/],
  [["--version"], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
  [["emulat"], 2, /^$/, /unknown command "emulat"; did you mean emulate\?\n$/],
  [["look"], 2, /^$/, new RegExp(`unknown command "look"; commands: ${known}`)],
  [[], 2, /^$/, /no command; commands: import/],
])(
  "feature-console %j ends with %i",
  async (args, status, out, errors) => {
    const ended = await started(...args).ended;
    expect(ended).toEqual({ status, out: expect.stringMatching(out), errors: expect.stringMatching(errors) });
  },
  40_000,
);
