import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { createEmulator, type RunningEmulator, type Seed, startEmulator } from "../../src/emulator";
import { evaluate as command } from "../../src/tools/cli/evaluate";
import { commandLine } from "../support/command-line";
import { folderOfFile } from "../support/folders";
import { serveHttp } from "../support/http-server";
import { runCommand } from "./run-command";

const serverKey = "secret-for-tests";
const rule = (name: string, passPercentage: number, condition: object, more: object = {}) => ({
  ...{ id: `${name}-1`, baseID: name, name, passPercentage, conditions: [condition], ...more },
});
const rules = [
  rule("Staff", 100, { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }),
  rule("Trial", 100, { type: "public" }, { environments: ["staging"] }),
  rule("Pro", 0, { type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] }),
];
const parameters = [{ name: "colour", type: "string", defaultValue: "blue" }];
const listed = rule("Listed", 100, { type: "passes_segment", targetValue: "many" });
const variants = ["a", "b"].map((name) => ({ name, json: {} }));
const windows = { explorationWindow: "24", attributionWindow: "1", winnerThreshold: "95%" };
const seed = {
  segments: [{ name: "many", type: "id_list", ids: Array.from({ length: 1001 }, (_, at) => `id${at}`) }],
  gates: [
    { id: "checkout_v2", rules },
    { id: "listed", rules: [listed] },
  ],
  layers: [{ id: "colours", name: "colours", idType: "userID", parameters }],
  autotunes: [{ name: "price", variants, successEvent: "buy", ...windows }],
} as Seed;

const folder = folderOfFile();
const data = path.join(folder, "console.db");
let emulator: RunningEmulator;
beforeAll(async () => {
  createEmulator({ profile: "embedded", data, seed }).close();
  emulator = await startEmulator({ serverKey, seed });
});
afterAll(() => emulator.close());

const evaluate = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(command, args, { env });

/** Runs it in a process of its own: under Jest, the SDK reaches no address. */
async function evaluateApart(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await run(process.execPath, [...commandLine, "evaluate", ...args], {
    env: { ...process.env, ...env },
    timeoutMs: 40_000,
  });
  return { status: code, out: stdout, errors: stderr };
}

const ann = '{"email":"ann@example.com"}';
const byKey = { FEATURE_CONSOLE_SERVER_KEY: serverKey };

test("of the embedded console: the answer, the rule and why", async () => {
  const { status, out, errors } = await evaluate(["checkout_v2", "--user", ann], {
    ...{ FEATURE_CONSOLE_PROFILE: "embedded", FEATURE_CONSOLE_EMBEDDED_PATH: data },
  });
  const passes =
    'checkout_v2 passes: rule "Staff" (1 of 3), 100 % of users whose e-mail contains @example.com';
  expect(out).toBe(`${passes}\n`);
  expect(errors).toContain("which users are in a share is different in the real project");
  expect(status).toBe(0);
});

test("in an environment; one that no rule names is told", async () => {
  const inEnvironment = (name: string) =>
    evaluate(["checkout_v2", "--user", "{}", "--data", data, "--environment", name]);
  const { out, errors } = await inEnvironment("Staging");
  expect(out).toContain('checkout_v2 passes: rule "Trial" (2 of 3), 100 % of users in environment staging');
  expect(errors).not.toContain("no rule is for");
  const wrong = await inEnvironment("stage");
  expect(wrong.errors).toContain('no rule is for the environment "stage"; rules name staging\n');
  expect(wrong.out).toMatch(/^checkout_v2 fails: /);
});

test("a table of many users, with counts", async () => {
  const file = path.join(folder, "users.csv");
  writeFileSync(file, 'userID,email,plan\n1,"ann@example.com",\n2,,pro\n3,,free\n4,bo@example.com,pro\n');
  const { out } = await evaluate(["checkout_v2", "--users", file, "--data", data]);
  expect(out).toBe(`user  answer  rule
1     pass    Staff
2     fail    Pro
3     fail    -
4     pass    Staff

users  answer  rule
2      pass    Staff
1      fail    Pro
1      fail    -
`);
  const { status, out: json } = await evaluate(["checkout_v2", "--users", file, "--data", data, "--json"]);
  const staff = "e-mail contains @example.com";
  const [notStaff, notTrial] = [{ rule: "Staff", condition: staff }, { rule: "Trial" }];
  const notPro = { rule: "Pro", condition: "plan is pro" };
  expect(JSON.parse(json)).toMatchObject({
    users: [
      { user: { userID: "1" }, value: true, rule: "Staff", met: [staff], unmet: [] },
      { rule: "Pro", unmet: [notStaff, notTrial] },
      { rule: null, met: [], unmet: [notStaff, notTrial, notPro] },
      {},
    ],
    counts: [{ value: true, rule: "Staff", users: 2 }, { users: 1 }, { users: 1 }],
  });
  expect(status).toBe(0);
});

test("what answers and is no console is told", async () => {
  const { url, close } = await serveHttp((_, response) => response.end("hello"));
  const { errors } = await evaluate(["checkout_v2", "--user", "{}", "--url", url], byKey);
  await close();
  expect(errors).toContain(`no flags came from ${url}/v1: what it answers are no flags; check the address`);
});

test("the server key follows no redirect", async () => {
  const asked: unknown[] = [];
  const other = await serveHttp(({ url, headers }, response) => {
    asked.push(url, headers);
    response.end("{}");
  });
  const named = await serveHttp(({ url }, response) => {
    response.writeHead(307, { location: `${other.url}${url}` }).end();
  });
  const { errors } = await evaluateApart(["checkout_v2", "--user", "{}", "--url", named.url], byKey);
  await named.close();
  const told = `no flags came from ${named.url}/v1: it redirects (307), which is not followed`;
  expect(errors).toContain(told);
  await other.close();
  expect(asked).toEqual([]);
});

test("of a console that listens, by the server key, which is nowhere said, and without an event", async () => {
  const layer = ["colours", "--kind", "layer", "--user", "{}", "--url", emulator.url];
  const { out, errors } = await evaluateApart(layer, byKey);
  expect(out).toBe('{"colour":"blue"}\ncolours: no experiment runs in it, so the default value\n');
  expect(errors).not.toContain(serverKey);
  const gate = ["checkout_v2", "--user", ann, "--url", emulator.url, "--server-key"];
  const wrong = await evaluateApart([...gate, "secret-wrong"]);
  expect(wrong.errors).toContain(
    `no flags came from ${emulator.url}/v1: it refuses this server key (401); check`,
  );
  expect(wrong.errors).not.toMatch(/secret-w|\n +at /);
  expect(wrong.status).toBe(1);
  const events = await fetch(`${emulator.url}/console/v1/events`, {
    headers: { "SERVICE-API-KEY": "console-1" },
  });
  expect(((await events.json()) as { data: unknown }).data).toEqual([]);
}, 120_000);

test("ids in files are not read, which is told", async () => {
  const args = ["listed", "--user", '{"userID":"id7"}', "--url", emulator.url];
  const { out, errors } = await evaluateApart(args, byKey);
  expect(out).toContain("listed fails");
  const unread = "segment many: its ids are in a file, which is not read here: no user counts as in it";
  expect(errors).toContain(unread);
});

const anywhere = "checkout_v2 --user {} --url http://127.0.0.1:9";
test.each([
  ["checkout_v2", "give --user JSON, or --users FILE"],
  ["checkout_v2 --user [1]", "--user: found [1]; a user is an object such as"],
  ["checkout_v2 --users none.csv", "none.csv cannot be read: there is no such file"],
  [anywhere, "--url needs the server key"],
  [`${anywhere} --server-key console-1`, "begins with secret-; this one is a key of the Console API"],
  [
    `checkout_v2 --user {} --url http://flags.example --server-key ${serverKey}`,
    "--url is http://flags.example: the server key would cross the network in clear",
  ],
])("%s is wrong usage", async (args, message) => {
  const { status, errors } = await evaluate(args.split(" "));
  expect([status, errors]).toEqual([2, expect.stringContaining(message)]);
  expect(errors.match(/\n/g)).toHaveLength(1);
});

test("an unknown flag is told, with the one that was meant", async () => {
  const unknown = await evaluate(["chekout_v2", "--user", "{}", "--data", data]);
  expect(unknown.errors).toContain('no gate "chekout_v2"; did you mean "checkout_v2"?');
  expect(unknown.status).toBe(1);
  const other = command.run(["colours", "--user", "{}", "--data", data]);
  await expect(other).rejects.toThrow('no gate "colours"; what has that name is of kind layer');
});

test("an autotune is an error that says once why no answer is known", async () => {
  const written = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  const why = /^autotune price: how SDKs read it is not known: they answer their default$/;
  for (const kind of ["gate", "config"]) {
    const asked = command.run(["price", "--kind", kind, "--user", "{}", "--data", data]);
    await expect(asked).rejects.toThrow(why);
  }
  expect(written).not.toHaveBeenCalled();
  written.mockRestore();
});

test("a file that is no console's is told, and stays as it is", async () => {
  const written = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return name;
  };
  const foreign = new DatabaseSync(path.join(folder, "foreign.db"));
  foreign.exec("CREATE TABLE orders (id)");
  foreign.close();
  for (const [name, problem] of [
    ["none.db", "none.db is not there: `pulumi up` in the profile embedded makes one"],
    [".", " is a folder, and no file of a console"],
    [written("empty.db", ""), "empty.db is empty, and no file of a console"],
    [written("text.db", "text ".repeat(300)), "text.db: file is not a database"],
    ["foreign.db", "foreign.db: it is the database of something else"],
  ] as const) {
    const before = contentOf(name);
    const file = path.join(folder, name);
    await expect(command.run(["checkout_v2", "--user", "{}", "--data", file])).rejects.toThrow(problem);
    expect(contentOf(name)).toBe(before);
  }
});

/** What a file of the folder holds; undefined where there is none, or it is a folder. */
function contentOf(name: string): string | undefined {
  const file = path.join(folder, name);
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "latin1") : undefined;
}
