import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { Review } from "../../src/tools/review";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench, testKey, writesTo } from "./bench";

jest.setTimeout(600_000);

let bench: Bench;

const program = (share: number, more = "") => `
const staff = new fc.Segment("staff", { type: "rule_based" });
const secret = pulumi.secret(${share > 10 ? '"Nobody may read that"' : '"Nobody may read this"'});
const checkout = new fc.Gate("checkout_v2", {
  rules: [
    { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: staff }] },
    { name: "Oceania", passPercentage: ${share}, environments: ["production"],
      conditions: [{ type: "country", operator: "any", targetValue: ["NZ", "AU"] }] },
  ],
});
new fc.Gate("pay_later", {
  rules: [{ name: "New checkout", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: checkout }] }],
});
new fc.Gate("hidden", { description: secret });
new fc.Gate("counts_by", { idType: ${share > 10 ? '"stableID"' : '"userID"'} });
${more}
`;

const later = `
const fresh = new fc.Segment("fresh", { type: "rule_based" });
new fc.Gate("new_gate", {
  rules: [{ name: "Fresh", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: fresh }] }],
});
new fc.Gate("by_hand", { adopt: true, description: "Ours now" });
`;

beforeAll(async () => {
  bench = await openBench();
  await bench.write(program(10, 'new fc.Gate("old_gate", {});'));
  await bench.stack.up();
  await bench.raw.gate.create({ body: { id: "by_hand", name: "by_hand", description: "By hand" } as never });
  const asks = { type: "passes_gate", targetValue: "checkout_v2" };
  await bench.raw.gate.create({
    body: {
      id: "of_console",
      name: "of_console",
      rules: [{ name: "All", passPercentage: 1, conditions: [asks] }],
    } as never,
  });
  await bench.write(program(50, later));
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

const command = (...args: string[]) => bench.command(...args);

async function previewFile(env: Record<string, string> = {}): Promise<string> {
  const { stdout, code } = await bench.stack.run(["preview", "--json", "--show-sames"], { env });
  expect(code).toBe(0);
  const file = path.join(bench.project.folder, "preview.json");
  await writeFile(file, stdout);
  return file;
}

test("a real preview becomes a report that names reach, reasons, and who depends on what; nothing is written", async () => {
  const file = await previewFile();
  bench.emulator.clearRequests();
  const { stdout, code } = await command("report", file);
  expect(code).toBe(0);
  expect(
    stdout.startsWith("<!-- feature-console report packed/test -->\n## 7 flag changes in packed/test\n"),
  ).toBe(true);
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
});

test("the stream of events says the same, and --offline asks nobody", async () => {
  const whole = await command("report", "--offline", "--format", "json", await previewFile());
  bench.emulator.clearRequests();
  const file = await previewFile({ PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" });
  bench.emulator.clearRequests();
  const streamed = await command("report", "--offline", "--format", "json", file);
  expect(bench.emulator.requests).toEqual([]);
  const [one, other] = [whole, streamed].map(({ stdout }) => JSON.parse(stdout) as Review);
  const lines = (review: Review | undefined) =>
    review?.changes.map(({ called, headline }) => [called, headline]);
  expect(lines(other)).toEqual(lines(one));
  expect(other?.counts).toEqual(one?.counts);
  expect(one?.counts).toMatchObject({ unchanged: 2, others: 0 });
  expect(one?.notes).toEqual([
    expect.stringMatching(
      /^warning: gate "old_gate" is no longer .* cannot know whether another stack has adopted it\./,
    ),
    expect.stringMatching(/^It is not known whether these objects changed in the console /),
    "It is not known whether the console already has objects with the keys of the new ones: the report did not ask about them.",
  ]);
});

test("two stacks are compared in the words of the report", async () => {
  const { stack } = bench;
  const second = ["stack", "init", "second"];
  expect((await stack.run(second)).code).toBe(0);
  // The same state under another name, and then a change of it.
  const { stdout } = await stack.run(["stack", "export", "--stack", "test"]);
  const state = path.join(bench.project.folder, "state.json");
  const moved = stdout
    .replaceAll("urn:pulumi:test::", "urn:pulumi:second::")
    .replaceAll(/"passPercentage": 10(?!\d)/g, '"passPercentage": 30');
  await writeFile(state, moved);
  expect((await stack.run(["stack", "import", "--stack", "second", "--file", state])).code).toBe(0);

  const differ = await command("compare", "test", "second");
  expect(differ.stdout).toBe(
    'test → second\n\ngate "checkout_v2"\n  production: 10 % → 30 % of other users in AU, NZ (rule "Oceania")\n' +
      '  rule "Staff" unchanged\n\n1 object differs, 5 the same.\n',
  );
  expect(differ.code).toBe(7);
  const same = await command("compare", "test", "test");
  expect(same).toMatchObject({ code: 0, stdout: "test → test\n\n0 objects differ, 6 the same.\n" });
  const unknown = await command("compare", "test", "nobody");
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('this project has no stack "nobody"; it has second, test\n');
  expect((await command("compare", "test")).code).toBe(2);
});
