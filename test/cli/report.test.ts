import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createEmulator } from "../../src/emulator";
import { report as command } from "../../src/tools/cli/report";
import { folderOfFile } from "../support/folders";
import { runCommand } from "./run-command";

const urn = "urn:pulumi:prod::shop::pulumi-nodejs:dynamic/feature-console:Gate::checkout_v2";
const newState = {
  ...{ urn, type: "pulumi-nodejs:dynamic/feature-console:Gate" },
  inputs: {
    key: "checkout_v2",
    rules: [{ name: "All", passPercentage: 10, conditions: [{ type: "public" }] }],
  },
};
const preview = JSON.stringify({ steps: [{ op: "create", urn, newState }], changeSummary: { create: 1 } });

const folder = folderOfFile();

const report = (input: string, ...args: string[]) => runCommand(command, args, { input });

test("a preview from a pipe becomes a report", async () => {
  const { status, out } = await report(`warning: something before it\n${preview}\n`, "--offline");
  expect(out).toContain("## 1 flag change in shop/prod");
  expect(out).toContain('<b>checkout_v2</b> (gate) · new · all environments: 10 % of everyone (rule "All")');
  expect(status).toBe(0);
});

test("JSON goes to a file, and nothing to standard output", async () => {
  const file = join(folder, "review.json");
  const ended = await report(preview, "--offline", "--format", "json", "--out", file);
  expect(ended).toMatchObject({ status: 0, out: "" });
  const written = { format: 1, stack: "prod", changes: [{ act: "create" }] };
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject(written);
});

const stack = "urn:pulumi:prod::shop::pulumi:pulumi:Stack::shop-prod";
const noEntry = JSON.stringify({
  steps: [{ op: "create", urn: stack, newState: { urn: stack, type: "pulumi:pulumi:Stack" } }],
  diagnostics: [{ severity: "info#err", message: "We failed to locate the entry point for your program" }],
  changeSummary: { create: 1 },
});
const oldState = { ...newState, id: "checkout_v2", outputs: newState.inputs };
const removed = {
  op: "delete",
  urn,
  oldState: { ...oldState, outputs: { ...newState.inputs, checksPerHour: 9 } },
};
const refused = { severity: "info", message: `This update will fail: gate "other" exists already` };

test.each<[what: string, input: string, args: string, status: number, message: string]>([
  ["a preview that failed", noEntry, "", 1, "the preview failed"],
  ["the same with --fail-on", noEntry, "--fail-on high", 1, "the preview failed"],
  ["no such change", preview, "--fail-on will-fail,high,medium", 0, ""],
  [
    "a change of high risk",
    JSON.stringify({ steps: [removed] }),
    "--fail-on will-fail,high",
    7,
    "1 change of high risk",
  ],
  ["the same without the option", JSON.stringify({ steps: [removed] }), "", 0, ""],
  [
    "an update that will fail",
    JSON.stringify({ steps: [removed], diagnostics: [refused] }),
    "--fail-on will-fail",
    7,
    "this update will fail",
  ],
  ["another word", preview, "--fail-on hi", 2, '--fail-on takes will-fail, high, medium or low, not "hi"'],
])("%s ends a pipeline as asked, after the report", async (_, input, args, status, message) => {
  const ended = await report(input, "--offline", ...args.split(" ").filter(Boolean));
  expect(ended).toMatchObject({ status, errors: expect.stringContaining(message) });
  expect(ended.errors === "").toBe(status === 0);
  expect(ended.out === "").toBe(status === 2);
});

const failed = "the preview is empty: the preview failed, and its own message gives the reason";
test.each<[what: string, input: string, args: string, status: number, message: string]>([
  ["nothing", "", "--offline", 1, failed],
  ["nothing from a preview that failed", "\n", "--offline", 1, failed],
  ["a lost file", "", "no.json", 2, "no.json cannot be read: there is no such file; check the name"],
  ["a folder in place of a file", "", tmpdir(), 2, " cannot be read: it is a folder; name a file in it\n"],
  ["--out that is a folder", preview, `--out ${tmpdir()}`, 2, "that is a folder; name a file in it"],
  ["--out in no folder", preview, "--out no/r.md", 2, "--out no/r.md: there is no folder no; make it first"],
])("%s is one message", async (_, input, args, status, message) => {
  const ended = await report(input, ...args.split(" "));
  expect(ended).toEqual({ status, out: "", errors: expect.stringContaining(message) });
  expect(ended.errors.trim().split("\n")).toHaveLength(1);
});

test("users of a file are counted on an embedded console, which nothing changes", async () => {
  const data = join(folder, "console.db");
  const rule = { name: "All", passPercentage: 0, conditions: [{ type: "public" }] };
  const gates = [{ id: "checkout_v2", name: "checkout_v2", rules: [rule] }];
  createEmulator({ profile: "embedded", data, seed: { gates } }).close();
  const was = readFileSync(data);
  const before = { key: "checkout_v2", name: "checkout_v2", rules: [rule] };
  const oldState = { urn, type: newState.type, id: "checkout_v2", inputs: before, outputs: before };
  const inputs = { ...before, rules: [{ ...rule, passPercentage: 100 }] };
  const update = { op: "update", urn, oldState, newState: { ...newState, inputs } };
  const changing = JSON.stringify({ steps: [update] });
  const users = join(folder, "users.csv");
  writeFileSync(users, "userID,plan\nann,pro\nben,free\ncal,\nben,free\n");
  const ids = join(folder, "ids.jsonl");
  const options = `--offline --users ${users} --data ${data} --by plan --show-ids ${ids}`;
  const { status, out, errors } = await report(changing, ...options.split(" "));
  expect(out).toContain(
    '- 4 of 4 users gain gate "checkout_v2" (2 with plan "free", 1 with plan "pro", 1 without plan).',
  );
  expect(out).toContain("- The file repeats ids of users in 1 line: each line counts as a user.");
  const lines = readFileSync(ids, "utf8").trim().split("\n");
  const gains = { kind: "gate", id: "checkout_v2", before: false, after: true };
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
    ["ann", "ben", "cal", "ben"].map((userID) => ({ ...gains, userID })),
  );
  expect(`${out}${errors}`).not.toMatch(/ann|ben|cal\b/);
  expect(errors).toContain("Evaluating users: 0 of 4");
  expect(readFileSync(data).equals(was)).toBe(true);
  expect(status).toBe(0);
  const diagnostics = [{ severity: "error", message: "no entry point" }];
  const ofFailed = await report(JSON.stringify({ steps: [update], diagnostics }), ...options.split(" "));
  expect(ofFailed.out).not.toContain("Users");
});

test.each(["userID", "email", "customIDs.device"])(
  "a report by %s, which names people, is refused",
  async (column) => {
    const users = join(folder, "people.csv");
    writeFileSync(users, "userID,email,customIDs.device\nann,ann@example.com,one\n");
    const { status, errors } = await report(preview, "--offline", "--users", users, "--by", column);
    expect(errors).toContain(`--by ${column}: it names each user, and a report names none`);
    expect(status).toBe(2);
  },
);

const manyPlans = Array.from({ length: 101 }, (_, at) => `{"userID":"${at}","custom":{"plan":"${at}"}}`);

test.each<[what: string, text: string, message: RegExp]>([
  ["users without the column", '{"userID":"ann"}', /--by plan: no user of .*users\.jsonl has it/],
  ["too many plans", manyPlans.join("\n"), /--by plan: users of .*users\.jsonl have more than 100 values/],
  ["a line that is no user", '{"userID":"ann"}\n{"userID"', /users\.jsonl:2: no JSON/],
  ["no user", "", /users\.jsonl: no user is in it/],
  ["users without ids", '{"email":"ann@example.com"}', /no user has an id: name a column or member userID/],
])("a file of users with %s is refused", async (_, text, message) => {
  const users = join(folder, "users.jsonl");
  writeFileSync(users, text);
  const { status, errors } = await report(preview, "--offline", "--users", users, "--by", "plan");
  expect(errors).toMatch(message);
  expect(status).toBe(2);
});
