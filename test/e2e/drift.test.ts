import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { parse } from "yaml";
import { run } from "../../scripts/process/run";
import { startEmulator } from "../../src/emulator";
import { createClient } from "../../src/provider/client";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench, testKey, writesTo } from "./bench";

jest.setTimeout(600_000);

let bench: Bench;

const program = `
const secret = pulumi.secret("Nobody may read this");
const staff = new fc.Segment("staff", { type: "rule_based" });
new fc.Gate("checkout", {
  description: "New checkout", // the shop's
  rules: [
    { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: staff }] },
    { name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] },
  ],
});
new fc.Gate("hidden", { description: secret, tags: ["a"] });
for (const name of ["first", "second"]) new fc.Gate(name, { description: \`Gate \${name}\`, tags: ["loop"] });
class Area extends pulumi.ComponentResource {
  constructor(name: string) {
    super("test:Area", name);
    new fc.DynamicConfig(\`\${name}-limits\`, { defaultValue: { most: 1 } }, { parent: this });
  }
}
new Area("shop");
const people = new fc.Segment("people", { type: "id_list", ids: ["u1", "u2"] });
new fc.Gate("archived", { isEnabled: true });
`;

beforeAll(async () => {
  bench = await openBench();
  await bench.write(program);
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

const drift = (...args: string[]) => command("drift", ...args);

const command = (...args: string[]) => bench.command(...args);

const source = () => readFile(path.join(bench.project.folder, "index.ts"), "utf8");

test("nothing changed: exit 0, a line that says so, and no write", async () => {
  bench.emulator.clearRequests();
  const { code, stdout } = await drift();
  expect(stdout).toBe("8 resources, 0 changed in the console.\n");
  expect(code).toBe(0);
  expect(writesTo(bench.emulator)).toEqual([]);
});

test("what people changed is told with its place in the program, and secrets are not", async () => {
  const { raw } = bench;
  const { rules } = (await raw.gate.get({ id: "checkout" })) as { rules: object[] };
  const [staff, everyone] = rules;
  await raw.gate.patch({
    id: "checkout",
    body: { description: "Drift", rules: [{ ...everyone, passPercentage: 25 }, staff] } as never,
  });
  await raw.gate.patch({ id: "hidden", body: { description: "Another secret", tags: ["a", "b"] } });
  await raw.gate.patch({ id: "second", body: { tags: ["loop", "more"] } });
  await raw.dynamicConfig.patch({ id: "shop-limits", body: { defaultValue: { most: 2 } } });
  await raw.segment.addIds({ id: "people", body: { ids: ["u3"] } });
  await raw.gate.archive({ id: "archived" });
  const { code, stdout } = await drift("--stack", "test");
  expect(code).toBe(7);
  expect(stdout).toMatch(/gate "checkout" \(index\.ts:\d+:1\) differs/);
  expect(stdout).toMatch(
    /description +"New checkout" +"Drift" +"New checkout" +changed in the console: a key, 20\d\d-/,
  );
  expect(stdout).toMatch(/description +\[secret\] +\[secret\] +\[secret\] +changed/);
  expect(stdout).toMatch(/ids +2 ids +3 ids +2 ids/);
  expect(stdout).toContain("8 resources, 6 changed in the console.");
  for (const hidden of ["Nobody may read", "Another secret", testKey]) expect(stdout).not.toContain(hidden);
});

test("explain says of a place which value counts and what the next update does", async () => {
  const { code, stdout } = await command("explain", "checkout", "description");
  expect(code).toBe(7);
  expect(stdout).toMatch(
    /gate "checkout" \(index\.ts:\d+:1\)\n\n {2}description\n {4}program +"New checkout"\n/,
  );
  expect(stdout).toMatch(/last program +"New checkout"\n +state +"New checkout"\n +console +"Drift"\n/);
  expect(stdout).toMatch(/decides +the program \(argument\).*\n +next up +does not look/);
  const hidden = await command("explain", "hidden", "--json");
  expect(hidden.stdout).toContain('"secret": true');
  for (const text of ["Nobody may read", "Another secret", testKey])
    expect(hidden.stdout).not.toContain(text);
  const unknown = await command("explain", "chekout");
  expect(unknown.stderr).toContain('the stack has no resource "chekout"; did you mean "checkout"?');
  expect([hidden.code, unknown.code, (await command("explain")).code]).toEqual([7, 2, 2]);
});

test("what is accepted is in the program, state knows it, and preview and update have nothing to do", async () => {
  const before = await source();
  bench.emulator.clearRequests();
  const { code, stdout, stderr } = await drift("--accept");
  expect(stderr).not.toContain("failed");
  expect(code).toBe(7);
  expect(stdout).toMatch(/refused {2}index\.ts:\d+:\d+ {2}gate "hidden" description: it holds a secret/);
  expect(stdout).toMatch(
    /refused {2}index\.ts:\d+:\d+ {2}gate "second" tags: this call makes 2 resources: "first", "second"; type tags: \["loop", "more"\]/,
  );
  const expected = before
    .replace('"New checkout"', '"Drift"')
    .replace(
      /( +\{ name: "Staff".*\n)( +)\{ name: "Everyone", passPercentage: 10,(.*\n)/,
      '$2{ name: "Everyone", passPercentage: 25,$3$1',
    )
    .replace('tags: ["a"]', 'tags: ["a", "b"]')
    .replace("{ most: 1 }", "{ most: 2 }")
    .replace('["u1", "u2"]', '["u1", "u2", "u3"]')
    .replace("isEnabled: true", 'status: "Archived"');
  expect(await source()).toBe(expected);
  expect(writesTo(bench.emulator)).toEqual([]);

  const { steps } = await bench.stack.preview();
  const changing = steps.filter(({ op }) => op !== "same");
  expect(changing.map(({ urn, op }) => [urn.split("::").at(-1), op])).toEqual([["hidden", "update"]]);
});

test("a patch goes to standard output alone, and wrong usage exits with 2", async () => {
  const before = await source();
  await bench.raw.gate.patch({ id: "checkout", body: { description: "Once more" } });
  const { code, stdout } = await drift("--patch", "checkout");
  expect(code).toBe(7);
  expect(stdout).toContain(
    '-  description: "Drift", // the shop\'s\n+  description: "Once more", // the shop\'s\n',
  );
  expect(stdout.startsWith("--- a/index.ts\n+++ b/index.ts\n")).toBe(true);
  expect(await source()).toBe(before);
  expect((await drift("--accept", "nobody")).code).toBe(2);
  expect((await drift("checkout")).code).toBe(2);
  expect((await drift("--stack", "none")).code).toBe(1);
});

test("names accept what they name, and JSON says who changed what", async () => {
  const { code, stdout } = await drift("--json", "--accept", "checkout");
  // The others are left as they are.
  expect(code).toBe(7);
  const told = JSON.parse(stdout) as { outcomes: unknown[]; objects: { name: string }[] };
  expect(told.outcomes).toEqual([expect.objectContaining({ how: "accepted", label: "description" })]);
  expect(told.objects.find(({ name }) => name === "checkout")).toMatchObject({
    differences: [{ path: "description", console: "Once more", changedBy: null }],
  });
  expect(await source()).toContain('"Once more"');
});

test("in a folder with a parenthesis, reached by a link, after a killed --accept left its lock", async () => {
  const { folder } = bench.project;
  const [real, link] = [`${folder} (copy)`, `${folder}-link`];
  await rename(folder, real);
  await symlink(real, link);
  try {
    await bench.raw.gate.patch({ id: "checkout", body: { description: "By a link" } });
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    const backend = fileURLToPath(bench.stack.env.PULUMI_BACKEND_URL ?? "");
    const { name } = parse(await readFile(path.join(real, "Pulumi.yaml"), "utf8")) as { name: string };
    const locks = path.join(backend, ".pulumi", "locks", "organization", name, "test");
    await mkdir(locks, { recursive: true });
    const holder = { pid: ended, username: "dev", hostname: hostname(), timestamp: "2026-01-02T03:04:05Z" };
    await writeFile(path.join(locks, "killed.json"), JSON.stringify(holder));
    const main = path.join(link, "node_modules/pulumi-feature-console/dist/tools/cli/main.js");
    const args = ["drift", "--stack", "test", "--accept", "checkout"];
    const env = { ...bench.stack.env, PWD: link };
    const { stdout, stderr } = await run(process.execPath, [main, ...args], {
      cwd: link,
      env,
      timeoutMs: 240_000,
    });
    expect(stdout).toMatch(/gate "checkout" \(index\.ts:\d+:1\) differs/);
    expect(stdout).toMatch(/accepted .*description/);
    expect(stderr).toContain("stack test is locked by a process that was killed: its lock is taken away");
    expect(await readFile(path.join(real, "index.ts"), "utf8")).toContain('"By a link"');
    expect(await readdir(locks)).toEqual([]);
  } finally {
    await rm(link);
    await rename(real, folder);
  }
});

test("of two consoles each object is read in its own, and what changed there is accepted", async () => {
  // The key of the environment goes to no address that only the program names.
  const otherKey = `${testKey}-of-another`;
  const other = await startEmulator({ key: otherKey });
  const raw = createClient({ profile: "custom", baseUrl: other.url, apiKey: otherKey });
  try {
    await bench.write(`
new fc.Gate("here", { key: "shared", description: "Here" });
const settings = { profile: "custom", baseUrl: "${other.url}", apiKey: "${otherKey}" } as const;
// A name such as those that Pulumi gives its own.
const provider = new fc.Provider("default_other", settings);
new fc.Gate("there", { key: "shared", description: "There" }, { provider });
`);
    await bench.stack.up();
    await raw.gate.patch({ id: "shared", body: { description: "Changed there" } });
    bench.emulator.clearRequests();
    other.clearRequests();
    const { code, stdout } = await drift("--accept");
    expect(code).toBe(0);
    expect(stdout).toContain('"There"       "Changed there"  "There"');
    expect(stdout).toContain("2 resources, 1 changed in the console.");
    expect(stdout).not.toContain(testKey);
    expect(await source()).toContain('description: "Changed there" }, { provider }');
    expect(await source()).toContain('description: "Here"');
    expect([...writesTo(bench.emulator), ...writesTo(other)]).toEqual([]);
    const { steps } = await bench.stack.preview();
    expect(steps.filter(({ op }) => op !== "same")).toEqual([]);
  } finally {
    await other.close();
  }
});
