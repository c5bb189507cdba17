import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { createClient } from "../../src/provider/client";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { startRelay } from "../support/relay";
import { type Bench, openBench, programOf, settingsFor, testKey } from "./bench";

// A key that has lost the permission for a kind: the console answers 404, and nobody has deleted anything.

jest.setTimeout(240_000);

let bench: Bench;
let behind: RunningEmulator;
let relay: Awaited<ReturnType<typeof startRelay>>;
let hidden = false;
let plugin: Record<string, string>;

const lines = `
new fc.Tag("shop", { description: "Shop" });
for (let n = 0; n < 6; n += 1) new fc.Gate("gate_" + n, { description: "Ours" });
`;

beforeAll(async () => {
  behind = await startEmulator({ key: testKey });
  relay = await startRelay(behind.url, (request, ask) => {
    const isRefused = hidden && /\/gates(\/|$)/.test(request.path);
    const text = JSON.stringify({ status: 404, message: "Not found." });
    return isRefused
      ? Promise.resolve({ status: 404, headers: { "content-type": "application/json" }, text })
      : ask(request);
  });
  const prefix = new URL(behind.url).pathname;
  bench = await openBench({
    ...settingsFor(behind),
    FEATURE_CONSOLE_BASE_URL: new URL(prefix, relay.url).href.replace(/\/$/, ""),
  });
  const commands = path.join(bench.project.folder, "node_modules", ".bin");
  plugin = { PATH: [commands, bench.stack.env.PATH].join(path.delimiter) };
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await bench?.close();
  await relay?.close();
  await behind?.close();
});

const inState = async () =>
  ((await bench.stack.exportStack()).deployment.resources ?? []).flatMap(({ type, id = "" }) =>
    type.includes("feature-console:") ? [id] : [],
  );

const says =
  /The console does not show 6 of 6 gates in the state\. The refresh stops before any object leaves the state\. .*lost its permission to read gates/s;

test.each(["dynamic", "native"])("a refresh stops before any gate leaves the state, %s", async (adapter) => {
  hidden = false;
  const env = adapter === "native" ? plugin : {};
  await bench.project.setProgram(
    programOf(lines).replace(
      /"pulumi-feature-console"/,
      adapter === "native" ? '"pulumi-feature-console/native"' : "$&",
    ),
  );
  await bench.stack.up({ env });
  const before = await inState();
  expect(before).toHaveLength(7);
  hidden = true;
  for (const parallel of adapter === "native" ? ["16"] : ["1"]) {
    const refused = await bench.stack.run(["refresh", "--yes", "--skip-preview", "--parallel", parallel], {
      env,
    });
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toMatch(says);
    expect(await inState()).toEqual(before);
  }
});

test("what it had read by then is printed, kept, and a change of the next preview", async () => {
  hidden = true;
  const person = createClient({ profile: "custom", baseUrl: behind.url, apiKey: testKey });
  await person.tag.patch({ id: "shop", body: { description: "By hand" } });
  const refused = await bench.stack.run(["refresh", "--yes", "--skip-preview", "--diff", "--parallel", "1"], {
    env: plugin,
  });
  expect(refused.code).not.toBe(0);
  expect(refused.stdout).toMatch(/description: "Shop" => "By hand"/);
  hidden = false;
  const preview = await bench.stack.run(["preview", "--diff"], { env: plugin });
  expect(preview.stdout).toMatch(/description: "By hand" => "Shop"/);
  await bench.stack.up({ env: plugin });
});

test("so does up --refresh; the switch lets them go, for one run", async () => {
  hidden = true;
  const refused = await bench.stack.run(["up", "--yes", "--skip-preview", "--refresh"], { env: plugin });
  expect(refused.stdout + refused.stderr).toMatch(says);
  const env = { ...plugin, FEATURE_CONSOLE_ACCEPT_GONE: "1" };
  const accepted = await bench.stack.run(["refresh", "--yes", "--skip-preview"], { env });
  expect(accepted.code).toBe(0);
  expect(await inState()).toEqual(["shop"]);
  expect(behind.requests.filter(({ method }) => ["PUT", "DELETE"].includes(method))).toEqual([]);
});
