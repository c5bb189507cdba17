import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import type { HttpServer } from "../support/http-server";
import { startProjectsByKey } from "../support/projects-by-key";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench, settingsFor, testKey, toldInAll } from "./bench";

// One address and a project for each key, as at the service; and another address. A new gate, a get and a lookup stand first.

jest.setTimeout(120_000);

const productionKey = `${testKey}-of-production`;
let staging: RunningEmulator;
let production: RunningEmulator;
let elsewhere: RunningEmulator;
let address: HttpServer;
let bench: Bench;

const settings = (url: string, key = testKey) => ({
  ...settingsFor(elsewhere),
  FEATURE_CONSOLE_BASE_URL: url,
  FEATURE_CONSOLE_API_KEY: key,
});
const stored = `new fc.Gate("checkout", { description: "Ours" });\n`;
const first = `const first = new fc.Gate("first_of_all");\n`;
const dependent = `new fc.Gate("checkout", { description: "Ours" }, { dependsOn: first });\n`;

beforeAll(async () => {
  const seed = (id: string) => ({ projects: [{ id }], gates: [{ id: "shared", name: "shared" }] });
  staging = await startEmulator({ key: testKey, seed: seed("staging") });
  production = await startEmulator({ key: productionKey, seed: seed("production") });
  elsewhere = await startEmulator({ key: testKey, seed: seed("elsewhere") });
  address = await startProjectsByKey({ [testKey]: staging, [productionKey]: production });
  bench = await openBench(settings(address.url));
  await bench.write(stored);
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await bench?.close();
  await address?.close();
  await Promise.all([staging, production, elsewhere].map((one) => one?.close()));
});

/** Runs a program that must be refused, with other settings. */
async function refused(
  program: string,
  env: Record<string, string>,
  command: "preview" | "up",
): Promise<string> {
  for (const one of [staging, production, elsewhere]) one.clearRequests();
  const before = await bench.state();
  await bench.write(program);
  const result = await bench.stack[command]({ mayFail: true, env });
  expect(result.code).not.toBe(0);
  expect(await bench.state()).toEqual(before);
  expect([...staging.requests, ...elsewhere.requests]).toEqual([]);
  expect(new Set(production.requests.map(({ method, path }) => `${method} ${path}`))).toEqual(
    new Set(env.FEATURE_CONSOLE_API_KEY === productionKey ? ["GET /console/v1/project"] : []),
  );
  return toldInAll(result);
}

test("a new gate first, with the key of another project: production is asked for its id alone", async () => {
  const text = await refused(first + dependent, settings(address.url, productionKey), "up");
  expect(text).toContain(
    'gate "checkout" is in project staging of the console, and the settings lead to project production',
  );
});

test("a new gate first, with another address: nothing is sent there", async () => {
  const text = await refused(first + dependent, settings(elsewhere.url), "up");
  expect(text).toContain("FEATURE_CONSOLE_MOVE=1");
});

test.each([
  ["a get", `fc.Gate.get("theirs", "shared");\n`],
  ["a lookup", `pulumi.log.info((await fc.getGate({ id: "shared" })).name);\n`],
])("%s first: neither another address nor another project is read", async (_, reads) => {
  const program = `(async () => {\n${reads}${stored}})();\n`;
  expect(await refused(program, settings(elsewhere.url), "preview")).toContain("FEATURE_CONSOLE_MOVE=1");
  expect(await refused(program, settings(address.url, productionKey), "preview")).toContain(
    "project production",
  );
});

test.each([
  ["a get", `fc.Gate.get("theirs", "shared", { provider: other });\n`],
  ["a new gate", `new fc.Gate("first_of_all", {}, { provider: other });\n`],
])("%s through a provider that this package did not make: its address gets no key", async (_, lines) => {
  const inputs = { "feature-console:profile": "custom", "feature-console:baseUrl": elsewhere.url };
  const other = `class Other extends pulumi.ProviderResource {}\nconst other = new Other("pulumi-nodejs", "other", ${JSON.stringify(inputs)});\n`;
  const text = await refused(other + lines, settings(""), "preview");
  expect(text).toContain("has a provider that this package did not make");
});

test("an import reads neither another address nor another project into the stack", async () => {
  await bench.write(stored);
  const before = await bench.state();
  const main = path.join(bench.project.folder, "node_modules/pulumi-feature-console/dist/tools/cli/main.js");
  for (const one of [staging, production, elsewhere]) one.clearRequests();
  const imported = (env: Record<string, string>) =>
    run(process.execPath, [main, "import", "--only-new"], {
      ...{ cwd: bench.project.folder, env: { ...bench.stack.env, ...env }, timeoutMs: 100_000 },
    });
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

test("with its own settings the stack has no difference, and a get keeps nothing of it in state", async () => {
  await bench.write(`fc.Gate.get("theirs", "shared");\n${stored}`);
  await bench.stack.up();
  const { deployment } = await bench.stack.exportStack();
  const got = deployment.resources?.find(({ urn }) => urn.endsWith("::theirs"));
  expect(Object.keys(got?.inputs ?? {})).toEqual(["__provider"]);
  await bench.write(stored);
  staging.clearRequests();
  await bench.stack.preview({ args: ["--expect-no-changes"], mayFail: true });
  expect(staging.requests).toEqual([]);
});
