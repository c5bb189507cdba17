import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { createClient } from "../../src/provider/client";
import type { JsonObject } from "../../src/provider/schema/json";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { rawClient } from "../support/raw-client";
import { type Bench, openBench, personKey, settingsFor, testKey, toldInAll, writesTo } from "./bench";

// A month with one stack, by the commands that read the program, the state and the console. What each of them decides is tested
// in this process, with the engine's part played: here they work with Pulumi itself.

jest.setTimeout(900_000);

/** The key of the environment goes to no address that only the program names. */
const otherKey = `${testKey}-of-another`;
const programFor = (other: string) => `
const staff = new fc.Segment("staff", { type: "rule_based" });
const inStaff = { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_segment" as const, targetValue: staff }] };
new fc.Gate("search", {
  description: "New search", // the shop's
  rules: [
    { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: staff }] },
    { name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] },
  ],
});
new fc.Gate("hidden", { description: pulumi.secret("Nobody may read this"), tags: ["a"] });
for (const name of ["first", "second"]) new fc.Gate(name, { description: \`Gate \${name}\`, tags: ["loop"] });
class Area extends pulumi.ComponentResource {
  constructor(name: string, args: fc.GateArgs) {
    super("test:Area", name);
    new fc.DynamicConfig(\`\${name}-limits\`, { defaultValue: { most: 1 } }, { parent: this });
    // Its parts refer to each other, and one has what comes of the component: each would wait for the others.
    const testers = new fc.Segment(\`\${name}_testers\`, { type: "rule_based" }, { parent: this });
    const rule: fc.GateRuleArgs = {
      ...{ name: "Testers", passPercentage: 100 },
      conditions: [{ type: "passes_segment", targetValue: testers }],
    };
    new fc.Gate(name, { rules: [rule], ...args }, { parent: this });
  }
}
new Area("shop", { description: "The shop" });
new fc.Segment("people", { type: "id_list", ids: ["u1", "u2"] });
new fc.Gate("archived", { isEnabled: true });
new fc.Gate("metered", {
  description: "By share",
  rules: [{ name: "Everyone", passPercentage: new pulumi.Config().requireNumber("share"), conditions: [{ type: "public" }] }],
});
const settings = { profile: "custom", baseUrl: "${other}", apiKey: "${otherKey}" } as const;
const provider = new fc.Provider("elsewhere", settings);
new fc.Gate("there", { key: "search", description: "There" }, { provider });
const checkout = new fc.Gate("checkout_v2", {
  rules: [
    inStaff,
    { name: "Oceania", passPercentage: 10, environments: ["production"],
      conditions: [{ type: "country", operator: "any", targetValue: ["NZ", "AU"] }] },
  ],
});
new fc.Gate("pay_later", {
  rules: [{ name: "New checkout", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: checkout }] }],
});
new fc.Gate("counts_by", { idType: "userID" });
new fc.Gate("old_gate", {});
new fc.Gate("approved", {
  reviewSettings: { requiredReview: true },
  reviews: "open",
  rules: [{ name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] }],
});
`;
const later = `
const fresh = new fc.Segment("fresh", { type: "rule_based" });
new fc.Gate("new_gate", {
  rules: [{ name: "Fresh", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: fresh }] }],
});
new fc.Gate("by_hand", { adopt: true, description: "Ours now" });
`;

let bench: Bench;
let other: RunningEmulator;
beforeAll(async () => {
  other = await startEmulator({ key: otherKey });
  bench = await openBench();
  await bench.write(programFor(other.url));
  await bench.stack.setConfig("packed:share", "10");
  await bench.stack.up();
  const byHand = { id: "by_hand", name: "by_hand", description: "By hand" };
  await bench.raw.gate.create({ body: byHand as never });
  const asks = { type: "passes_gate", targetValue: "checkout_v2" };
  const rules = [{ name: "All", passPercentage: 1, conditions: [asks] }];
  await bench.raw.gate.create({ body: { id: "of_console", name: "of_console", rules } as never });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await bench?.close();
  await other?.close();
});

const inFolder = (file: string) => path.join(bench.project.folder, file);
const source = () => readFile(inFolder("index.ts"), "utf8");
const shareOf = ({ rules }: JsonObject) => (rules as JsonObject[])[0]?.passPercentage;
const gate = async (id: string) => (await bench.raw.gate.get({ id })) as unknown as JsonObject;

test("week 1: people change flags in two consoles, and explain says which value counts", async () => {
  const { raw } = bench;
  const [staff, everyone] = (await gate("search")).rules as object[];
  await raw.gate.patch({
    id: "search",
    body: { description: "Drift", rules: [{ ...everyone, passPercentage: 25 }, staff] } as never,
  });
  await raw.gate.patch({ id: "hidden", body: { description: "Another secret", tags: ["a", "b"] } });
  await raw.gate.patch({ id: "second", body: { tags: ["loop", "more"] } });
  await raw.dynamicConfig.patch({ id: "shop-limits", body: { defaultValue: { most: 2 } } });
  await raw.segment.addIds({ id: "people", body: { ids: ["u3"] } });
  await raw.gate.archive({ id: "archived" });
  const there = rawClient({ profile: "custom", baseUrl: other.url, apiKey: otherKey });
  await there.gate.patch({ id: "search", body: { description: "Changed there" } });
  bench.emulator.clearRequests();
  other.clearRequests();

  const { code, stdout } = await bench.command("explain", "search", "description");
  expect(stdout).toMatch(/gate "search" \(index\.ts:\d+:1\)\n {2}description\n {4}program +"New search"\n/);
  expect(stdout).toMatch(/inputs in state +"New search"\n +state +"New search"\n +console +"Drift"\n/);
  expect(stdout).toMatch(/decides +the program \(argument\).*\n +next up +does not look/);
  expect(code).toBe(7);
});

/** Runs `feature-console drift --accept` in a folder with a parenthesis that is reached by a link, where a killed one left its lock. */
async function acceptInAwkwardFolder() {
  const { folder } = bench.project;
  const [real, link] = [`${folder} (copy)`, `${folder}-link`];
  await rename(folder, real);
  await symlink(real, link);
  try {
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    const backend = fileURLToPath(bench.stack.env.PULUMI_BACKEND_URL ?? "");
    const locks = path.join(backend, ".pulumi", "locks", "organization", "packed", "test");
    await mkdir(locks, { recursive: true });
    const holder = { pid: ended, username: "dev", hostname: hostname(), timestamp: "2026-01-02T03:04:05Z" };
    await writeFile(path.join(locks, "killed.json"), JSON.stringify(holder));
    const main = path.join(link, "node_modules/pulumi-feature-console/dist/tools/cli/main.js");
    const args = [main, "drift", "--stack", "test", "--accept"];
    const place = { cwd: link, env: { ...bench.stack.env, PWD: link } };
    const result = await run(process.execPath, args, { ...place, timeoutMs: 600_000 });
    return { ...result, locks: await readdir(locks) };
  } finally {
    await rm(link);
    await rename(real, folder);
  }
}

test("what is accepted is in the program with its place, secrets are not shown, and state knows it without a write", async () => {
  const before = await source();
  const { code, stdout, stderr, locks } = await acceptInAwkwardFolder();
  expect(stderr).toContain("stack test is locked by a process that was killed: its lock is taken away");
  expect([stderr.includes("failed"), locks]).toEqual([false, []]);
  expect(stdout).toMatch(/gate "search" \(index\.ts:\d+:1\) differs/);
  expect(stdout).toMatch(
    /description +"New search" +"Drift" +"New search" +changed in the console: a key, 20\d\d-/,
  );
  expect(stdout).toMatch(/description +\[secret\] +\[secret\] +\[secret\] +changed/);
  expect(stdout).toMatch(/ids +2 ids +3 ids +2 ids/);
  expect(stdout).toMatch(/"There" +"Changed there" +"There"/);
  expect(stdout).toContain("17 resources, 7 changed in the console.");
  for (const hidden of ["Nobody may read", "Another secret", testKey]) expect(stdout).not.toContain(hidden);
  expect(stdout).toMatch(/refused {2}index\.ts:\d+:\d+ {2}gate "hidden" description: it holds a secret/);
  expect(stdout).toMatch(
    /refused {2}index\.ts:\d+:\d+ {2}gate "second" tags: this call makes 2 resources: "first", "second"; make "second" in a call of its own, and type tags: \["loop", "more"\] there/,
  );
  expect(code).toBe(7);
  const expected = before
    .replace('"New search"', '"Drift"')
    .replace(
      /( +\{ name: "Staff".*\n)( +)\{ name: "Everyone", passPercentage: 10,(.*\n)/,
      '$2{ name: "Everyone", passPercentage: 25,$3$1',
    )
    .replace('tags: ["a"]', 'tags: ["a", "b"]')
    .replace("{ most: 1 }", "{ most: 2 }")
    .replace('["u1", "u2"]', '["u1", "u2", "u3"]')
    .replace("isEnabled: true", 'status: "Archived"')
    .replace('"There"', '"Changed there"');
  expect(await source()).toBe(expected);
  expect([...writesTo(bench.emulator), ...writesTo(other)]).toEqual([]);

  await bench.stack.setConfig("packed:share", "25");
  bench.emulator.clearRequests();
  const { changeSummary } = await bench.stack.up();
  // Beside the new share, the gate whose secret was not accepted differs; nothing is sent to it that the console has.
  expect(changeSummary.update).toBe(2);
  expect(writesTo(bench.emulator)).toEqual([expect.stringMatching(/^PATCH \/gates\/metered\/rules\//)]);
  expect(writesTo(other)).toEqual([]);
});

test("week 2: a flag comes back as it was, in the program and in the settings of the stack, and an update brings it to the console", async () => {
  const former = (await readFile(inFolder("Pulumi.test.yaml"), "utf8")).replace('"25"', '"10"');
  await bench.raw.gate.patch({ id: "metered", body: { description: "By hand", tags: ["night"] } });
  await bench.project.write("Pulumi.other.yaml", "config: {}\n");
  bench.emulator.clearRequests();
  const history = await bench.command("history", "metered");
  expect(history.stdout).toMatch(
    /version 3 · a key, .* UTC\n {2}description By share → By hand\n {2}tags night\n/,
  );
  const { code, stdout, stderr } = await bench.command("rollback", "metered", "--to", "1", "--yes");
  expect(stdout).toContain("  description By hand → By share\n");
  expect(stdout).toContain(": 25 % → 10 % of everyone\n");
  expect(stdout).toContain("by their next update: look at other.\n");
  expect(stderr).toContain("Trying 1 setting of Pulumi.test.yaml (pulumi preview) ...");
  expect(stderr).toContain('"pulumi up --refresh" brings the console there.');
  expect([history.code, code]).toEqual([0, 0]);
  expect(await readFile(inFolder("Pulumi.test.yaml"), "utf8")).toBe(former);
  expect(await source()).toMatch(/description: "By share",[\s\S]*tags: \[\]/);
  expect(writesTo(bench.emulator)).toEqual([]);
  await rm(inFolder("Pulumi.other.yaml"));
  // A report reads one console: the flag in the other one leaves the program before.
  const text = (await source()).replace(/const settings = [\s\S]*?\{ provider \}\);\n/, "");
  await bench.project.setProgram(text);
  await bench.stack.up({ args: ["--refresh"] });
  expect(await gate("metered")).toMatchObject({
    ...{ description: "By share", tags: [] },
    rules: [{ passPercentage: 10 }],
  });
});

test("week 3: a preview becomes a report that names reach, reasons, and who depends on what; nothing is written", async () => {
  const before = await source();
  const text = before
    .replace("Nobody may read this", "Nobody may read that")
    .replace('{ name: "Oceania", passPercentage: 10', '{ name: "Oceania", passPercentage: 50')
    .replace('idType: "userID"', 'idType: "stableID"')
    .replace('new fc.Gate("old_gate", {});\n', "")
    .replace(/("approved"[\s\S]*passPercentage: )10/, "$120");
  await bench.project.setProgram(text + later);
  // Pulumi prints one event a line; the one object that it prints by default becomes reports in gitops.test.ts.
  const env = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
  const { stdout: preview } = await bench.stack.run(["preview", "--json", "--show-sames"], { env });
  await writeFile(inFolder("preview.json"), preview);
  bench.emulator.clearRequests();
  const { stdout, code } = await bench.command("report", "preview.json");
  expect(code).toBe(0);
  expect(stdout.split("\n").slice(0, 2)).toEqual([
    "<!-- feature-console report packed/test -->",
    "## 8 flag changes in packed/test",
  ]);
  expect(stdout).toContain(
    '<summary><b>checkout_v2</b> (gate) · production: 10 % → 50 % of other users in AU, NZ (rule "Oceania"); rule "Staff" unchanged · ' +
      'no exposures in the past 7 days · gate "pay_later" and gate "of_console" (console only) depend on it</summary>',
  );
  expect(stdout).toContain("<b>counts_by</b> (gate) · to the archive and back · id type userID → stableID");
  expect(stdout).toContain("<b>hidden</b> (gate) · description: a secret changes");
  expect(stdout).toContain('new · all environments: all users in segment "fresh" (new) (rule "Fresh")');
  expect(stdout).toContain("exists: would change description");
  expect(stdout).toContain("<b>old_gate</b> (gate) · to the archive");
  for (const hidden of ["Nobody may read", testKey, "__provider"]) expect(stdout).not.toContain(hidden);
  expect(bench.emulator.requests.length).toBeGreaterThan(0);
  expect(writesTo(bench.emulator)).toEqual([]);
  const needed =
    'gate "approved": a change of rules may need a review: "pulumi up" then opens one and does not apply the change.';
  expect(preview).toContain(JSON.stringify(needed).slice(1, -1));
});

test("week 4: the update opens a review, reviews --wait commits what a person accepts, and the next update brings it into state", async () => {
  const stored = async () => ((await bench.state()).approved as { outputs: JsonObject }).outputs;
  expect(toldInAll(await bench.stack.up())).toContain(
    'gate "approved": waits for approval: review 1 of rules (pending).',
  );
  expect([shareOf(await gate("approved")), shareOf(await stored())]).toEqual([10, 10]);
  expect((await stored()).__reviews).toMatchObject([{ id: "1", slot: "rules", status: "pending" }]);
  const list = await bench.command("reviews", "--json");
  expect(JSON.parse(list.stdout)).toEqual({
    reviews: [
      { resource: "approved", object: 'gate "approved"', review: "1", change: "rules", status: "pending" },
    ],
  });
  expect(list.code).toBe(7);

  const waiting = bench.command("reviews", "--wait", "--every", "1");
  const { FEATURE_CONSOLE_BASE_URL: baseUrl = "" } = settingsFor(bench.emulator);
  const person = createClient({ profile: "custom", baseUrl, apiKey: personKey });
  await person.gate.approveReview({ id: "approved", reviewID: "1", body: {} } as never);
  const { code, stdout } = await waiting;
  expect(stdout).toContain('gate "approved": review 1 of rules is committed (resource approved)');
  expect(code).toBe(0);
  expect(shareOf(await gate("approved"))).toBe(20);
  await bench.stack.up({ args: ["--refresh"] });
  expect([shareOf(await stored()), (await stored()).__reviews]).toEqual([20, undefined]);
});
