import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { createClient } from "../../src/provider/client";
import type { HttpServer } from "../support/http-server";
import { startProjectsByKey } from "../support/projects-by-key";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench, settingsFor, testKey, told, toldInAll, writesTo } from "./bench";

// One address with a project for each key, as at the service; another address; and a console of an explicit provider. No key
// and no write goes to another one than that of an object, and no object leaves the state because of it.

jest.setTimeout(120_000);

const productionKey = `${testKey}-of-production`;
const otherKey = `${testKey}-of-another`;
let staging: RunningEmulator;
let production: RunningEmulator;
let elsewhere: RunningEmulator;
let another: RunningEmulator;
let address: HttpServer;
let bench: Bench;

const settings = (url: string, key = testKey) => ({
  ...settingsFor(elsewhere),
  FEATURE_CONSOLE_BASE_URL: url,
  FEATURE_CONSOLE_API_KEY: key,
});

const many = 12;
const checkout = `new fc.Gate("checkout", { description: "Ours" }`;
const stored = (options = "") => `
${checkout}${options});
new fc.DynamicConfig("limits", { defaultValue: { most: 3 } });
new fc.Segment("people", { type: "id_list", ids: ["u1"] });
for (let index = 1; index <= ${many}; index += 1) new fc.Gate(\`one_of_many_\${index}\`);
`;
const explicit = (gate: string) => `
const provider = new fc.Provider("another", {
  profile: "custom",
  baseUrl: ${JSON.stringify(another.url)},
  apiKey: ${JSON.stringify(otherKey)},
});
new fc.Gate(${gate});
`;
const asFirst = () => explicit(`"first", {}, { provider }`);
const renamed = () => explicit(`"second", {}, { provider, aliases: [{ name: "first" }] }`);

beforeAll(async () => {
  const seed = (id: string) => ({ projects: [{ id }], gates: [{ id: "shared", name: "shared" }] });
  staging = await startEmulator({ key: testKey, seed: seed("staging") });
  production = await startEmulator({ key: productionKey, seed: seed("production") });
  elsewhere = await startEmulator({ key: testKey, seed: seed("elsewhere") });
  another = await startEmulator({ key: otherKey });
  address = await startProjectsByKey({ [testKey]: staging, [productionKey]: production });
  bench = await openBench(settings(address.url));
  // The environment beats these: nobody listens there.
  await bench.stack.setConfig("feature-console:profile", "statsig");
  await bench.stack.setConfig("feature-console:baseUrl", "http://127.0.0.1:9");
  await bench.stack.setConfig("feature-console:apiKey", `${testKey}-wrong`, { secret: true });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await bench?.close();
  await address?.close();
  await Promise.all([staging, production, elsewhere, another].map((one) => one?.close().catch(() => {})));
});

const clear = () => {
  for (const one of [staging, production, elsewhere, another]) one.clearRequests();
};

let before: Awaited<ReturnType<Bench["state"]>>;

test("the environment beats the configuration, an explicit provider beats both, and its key is encrypted", async () => {
  await bench.write(`fc.Gate.get("theirs", "shared");\n${stored()}${asFirst()}`);
  await bench.stack.up();
  expect(staging.requests.filter(({ route }) => route === "create")).toHaveLength(3 + many);
  expect(another.requests.map(({ path: to, route }) => [to, route])).toEqual([
    ["/console/v1/project", "get"],
    ["/console/v1/gates", "create"],
  ]);
  before = await bench.state();
  expect(JSON.stringify(before)).not.toContain(otherKey);
  // A get keeps nothing of its settings in state.
  expect(Object.keys((before.theirs as { inputs: object }).inputs)).toEqual(["__provider"]);
});

test("with its own settings the stack has no difference, and neither has an object that is renamed under an alias", async () => {
  await bench.write(`fc.Gate.get("theirs", "shared");\n${stored()}${renamed()}`);
  clear();
  const { changeSummary } = await bench.stack.preview({ args: ["--expect-no-changes"] });
  expect(changeSummary.same).toBeGreaterThan(many);
  const asked = [...staging.requests, ...another.requests].map(({ path: to }) => to);
  expect(new Set(asked)).toEqual(new Set(["/console/v1/project", "/console/v1/gates/shared"]));
});

/** Runs a command that must be refused before it asks anything of another console than for the id of its project. */
async function refused(command: "preview" | "up", program: string, env: Record<string, string>) {
  clear();
  await bench.write(program + asFirst());
  const result = await bench.stack[command]({ mayFail: true, env });
  expect(result.code).not.toBe(0);
  expect(await bench.state()).toEqual(before);
  expect([...staging.requests, ...elsewhere.requests]).toEqual([]);
  expect(writesTo(another)).toEqual([]);
  expect(new Set(production.requests.map(({ method, path: to }) => `${method} ${to}`))).toEqual(
    new Set(env.FEATURE_CONSOLE_API_KEY === productionKey ? ["GET /console/v1/project"] : []),
  );
  return toldInAll(result);
}
const readFirst = `fc.Gate.get("theirs", "shared");`;
const newFirst = `const first = new fc.Gate("first_of_all");`;
const dependent = stored(", { dependsOn: first }");

test("another address: a preview names what is not there and what to do", async () => {
  const text = await refused("preview", stored(), settings(elsewhere.url));
  const names = ["checkout", "limits", "people", "one_of_many_1"];
  const notices = text.split("\n").filter((line) => names.every((name) => line.includes(`"${name}"`)));
  expect(notices).toEqual([expect.stringContaining("FEATURE_CONSOLE_MOVE=1")]);
});

test("a new gate and a get first, with the key of another project: production is asked for its id alone", async () => {
  const program = `${readFirst}\n${newFirst}${dependent}`;
  expect(await refused("up", program, settings(address.url, productionKey))).toMatch(
    /is in project staging of the console, and the settings lead to project production/,
  );
});

test("an import reads neither another address nor another project into the stack", async () => {
  clear();
  const main = path.join(bench.project.folder, "node_modules/pulumi-feature-console/dist/tools/cli/main.js");
  const imported = (env: Record<string, string>) => {
    const options = { cwd: bench.project.folder, env: { ...bench.stack.env, ...env }, timeoutMs: 100_000 };
    return run(process.execPath, [main, "import", "--only-new"], options);
  };
  const away = await imported(settings(elsewhere.url));
  expect([away.code, away.stderr]).toEqual([1, expect.stringContaining("FEATURE_CONSOLE_MOVE=1")]);
  expect(elsewhere.requests).toEqual([]);
  const other = await imported(settings(address.url, productionKey));
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("project production")]);
  expect(new Set(production.requests.map(({ path: asked }) => asked))).toEqual(
    new Set(["/console/v1/project"]),
  );
  expect(await bench.state()).toEqual(before);
});

test("with FEATURE_CONSOLE_MOVE=1 up makes them there, and leaves the former console alone", async () => {
  await bench.write(stored() + renamed());
  clear();
  await bench.stack.up({ env: { ...settings(elsewhere.url), FEATURE_CONSOLE_MOVE: "1" } });
  const made = writesTo(elsewhere);
  for (const list of ["dynamic_configs", "gates", "segments"]) expect(made).toContain(`POST /${list}`);
  expect([...staging.requests, ...writesTo(another)]).toEqual([]);
  expect((await bench.state()).second).toMatchObject({
    id: "first",
    outputs: { key: "first", name: "first" },
  });
});

test("an explicit provider destroys what it made with the settings in the state", async () => {
  await bench.write(stored());
  const env = { ...settings(elsewhere.url), FEATURE_CONSOLE_PROFILE: "", FEATURE_CONSOLE_API_KEY: "" };
  clear();
  await bench.stack.up({ env });
  expect(writesTo(elsewhere)).toEqual([]);
  const raw = createClient({ profile: "custom", baseUrl: another.url, apiKey: otherKey });
  expect(await raw.gate.get({ id: "first" })).toMatchObject({ status: "Archived" });
});

test("a refresh of a console that is down says so once, counts the rest and loses nothing", async () => {
  before = await bench.state();
  await elsewhere.close();
  const start = Date.now();
  const down = await bench.stack.refresh({ mayFail: true, env: settings(elsewhere.url) });
  expect(Date.now() - start).toBeLessThan(60_000);
  expect(down.code).not.toBe(0);
  expect(await bench.state()).toEqual(before);
  const lines = Object.values(told(down)).flat();
  expect(lines.filter((line) => /no answer/.test(line))).toHaveLength(1);
  expect(lines.join("\n")).toMatch(/\d+ more objects were not read and stay in state as they are/);
  expect(lines.length).toBeLessThan(5);
});
