import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, jest, test } from "@jest/globals";
import { parse } from "yaml";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { type FakeGitLab, type PipelineResult, runPipeline, startFakeGitLab } from "../support/gitlab";
import { gitopsExample as example, reportMarker } from "../support/gitops-example";
import { createStandIns, type StandInCall, type StandIns } from "../support/stand-ins";
import type { Workflow } from "../support/workflow";
import { readOnlyKey, testKey } from "./bench";

// What the commands do is seen in gitops.test.ts, where the workflow for GitHub types them. This pipeline types the same ones:
// here it is seen when, in which order, and with which key.

jest.setTimeout(600_000);

const file = example.files?.[".gitlab-ci.yml"] ?? "";
const reviewToken = ["gitlab", "review"].join("-");
const push = { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main", CI_DEFAULT_BRANCH: "main" };
const schedule = { ...push, CI_PIPELINE_SOURCE: "schedule" };
const mergeRequest = { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_IID: "7" };
const backend = "https://state.example.com";

const login = "pulumi login";
/** The command that reports, of the packages in a folder of the checkout. */
const reportIn = (folder: string) => `npx --no --prefix ${folder} -- feature-console report`;
const making = "--fail-on will-fail --out report.md preview.json";
const report = `${reportIn("main/policies")} ${making}`;
/** The rules of the house in a folder of the checkout. */
const rulesIn = (folder: string) =>
  `pulumi preview --policy-pack ${folder}/node_modules/pulumi-feature-console-policy --policy-pack-config ${folder}/policies.json --color never`;
const rulesOfTheHouse = rulesIn("main/policies");
/** Writes a report as the command does, whose first line names the stack. */
const reports = (text: string, status = 0) =>
  Object.fromEntries(
    ["main/policies", "policies"].map((folder) => [
      `${reportIn(folder)} ${making}`,
      `printf '%s\\n' '${reportMarker}' '${text}' > report.md; exit ${status}`,
    ]),
  );

let gitLab: FakeGitLab;
let commands: StandIns;
let folder: string;
let shared: Record<string, string>;
const said: string[] = [];
const typed: StandInCall[] = [];

beforeAll(async () => {
  gitLab = await startFakeGitLab(reviewToken, "/api/v4/projects/42/merge_requests/7/notes");
  commands = createStandIns("pulumi", "npx", "npm");
  folder = await mkdtemp(path.join(tmpdir(), "feature-console-gitops-"));
  await mkdir(path.join(folder, "policies"));
  for (const name of [".gitlab-ci.yml", "policies/policies.json"])
    await writeFile(path.join(folder, name), example.files?.[name] ?? "");
  const git = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  for (const args of [
    ["init", "--quiet", "--initial-branch", "main"],
    ["add", ".gitlab-ci.yml", "policies"],
    [...git, "commit", "--quiet", "--message", "Flags"],
    ["remote", "add", "origin", "https://gitlab.example.com/shop/flags.git"],
  ])
    await run("git", args, { cwd: folder });
  shared = {
    ...{ PULUMI_BACKEND_URL: backend, PULUMI_CONFIG_PASSPHRASE: "correct horse" },
    ...{ CI_API_V4_URL: `${gitLab.url}/api/v4`, CI_PROJECT_ID: "42", REVIEW_TOKEN: reviewToken },
    ...{ FEATURE_CONSOLE_READ_ONLY_KEY: readOnlyKey, CI_COMMIT_SHA: "c0ffee" },
    CI_MERGE_REQUEST_DIFF_BASE_SHA: "main",
  };
});
afterEach(() => commands.answer({}));
afterAll(async () => {
  await removeTree(folder);
  await commands?.remove();
  await gitLab?.close();
});

const lines = (calls: readonly StandInCall[]) => calls.map(({ line }) => line);
const noteTexts = () => gitLab.notes.map(({ body }) => body);

test("a merge request gets one note, which later pipelines bring up to date; what breaks a rule of the house fails the job after that", async () => {
  gitLab.addNote("Looks good to me");
  commands.answer(reports("10 % → 25 %"));
  const first = await happens(mergeRequest);
  expect(first).toMatchObject({ code: 0, jobs: ["preview", "note"] });
  expect(lines(first.calls)).toEqual([
    ...[login, "npm test", "pulumi stack select prod", "pulumi preview --json --show-sames"],
    ...[report, rulesOfTheHouse],
  ]);
  expect(noteTexts()).toEqual(["Looks good to me", `${reportMarker}\n10 % → 25 %\n`]);
  // The rules of `main`, whatever the branch has made of its own.
  const rules = await readFile(path.join(folder, "main/policies/policies.json"), "utf8");
  expect(rules).toBe(example.files?.["policies/policies.json"]);
  // The tests of the flags ask nothing of the console.
  const [, tests, , ...asking] = first.calls;
  expect([tests?.key, ...new Set(asking.map(({ key }) => key))]).toEqual(["", readOnlyKey]);

  // An update that is bound to fail, too.
  commands.answer(reports("This update will fail.", 7));
  expect((await happens(mergeRequest)).code).not.toBe(0);
  expect(noteTexts()[1]).toBe(`${reportMarker}\nThis update will fail.\n`);

  commands.answer({ ...reports("10 % → 90 %"), [rulesOfTheHouse]: "echo 'from 10 % to 90 %'; exit 255" });
  const second = await happens(mergeRequest);
  expect(second.code).not.toBe(0);
  expect(second.output).toContain("from 10 % to 90 %");
  expect(noteTexts()).toEqual(["Looks good to me", `${reportMarker}\n10 % → 90 %\n`]);
});

test("a merge request under which a test of the flags fails is not previewed", async () => {
  const before = noteTexts();
  commands.answer({ "npm test": "echo 'rule \"Everyone else\" decided'; exit 1" });
  const { code, output, calls } = await happens(mergeRequest);
  expect(code).not.toBe(0);
  expect(output).toContain('rule "Everyone else" decided');
  expect(lines(calls)).toEqual([login, "npm test"]);
  expect(noteTexts()).toEqual(before);
});

test("a preview that fails fails the job, says why, and leaves the note as it was", async () => {
  const before = noteTexts();
  const why = `${reportIn("main/policies")} --offline preview.json`;
  commands.answer({ "pulumi preview --json": "echo '{}'; exit 255", [why]: "echo 'why it failed'" });
  const { code, output, calls } = await happens(mergeRequest);
  expect(code).not.toBe(0);
  expect(output).toContain("why it failed");
  expect(lines(calls).at(-1)).toBe(why);
  expect(noteTexts()).toEqual(before);
});

test("a merge applies what its note shows, by the one command that has the key that may write, and nothing else", async () => {
  const reportOnMain = `${reportIn("policies")} ${making}`;
  const pushed = { ...push, FEATURE_CONSOLE_WRITE_KEY: testKey };
  commands.answer(reports("10 % → 90 %"));
  const early = await happens(pushed);
  expect(early).toMatchObject({
    jobs: ["apply"],
    output: expect.stringContaining("not the one that was rev"),
  });
  expect(early.code).not.toBe(0);
  expect(lines(early.calls).at(-1)).toBe(reportOnMain);

  gitLab.merge();
  const { code, jobs, calls } = await happens(pushed);
  expect({ code, jobs }).toEqual({ code: 0, jobs: ["apply"] });
  expect(calls).toEqual([
    { line: login, key: "" },
    { line: "pulumi stack select --create prod", key: "" },
    { line: "pulumi preview --json --show-sames", key: readOnlyKey },
    { line: reportOnMain, key: readOnlyKey },
    { line: rulesIn("policies"), key: readOnlyKey },
    { line: "pulumi up --yes --skip-preview --color never", key: testKey },
  ]);

  // Merged on Thursday, something else by Saturday: somebody reads it first.
  commands.answer(reports("10 % → 95 %"));
  const later = await happens(pushed);
  const [, digest = ""] = /REVIEWED=(\w{64})/.exec(later.output) ?? [];
  expect([later.code === 0, lines(later.calls).at(-1)]).toEqual([false, reportOnMain]);
  commands.answer({ "pulumi preview --json": "exit 255" });
  const failed = await happens(pushed);
  const why = `${reportIn("policies")} --offline preview.json`;
  expect([failed.code === 0, lines(failed.calls).at(-1)]).toEqual([false, why]);
  commands.answer(reports("10 % → 95 %"));
  const web = { ...pushed, CI_PIPELINE_SOURCE: "web" };
  expect(await happens({ ...web, REVIEWED: digest })).toMatchObject({ code: 0, jobs: ["apply"] });
  expect((await happens(web)).jobs).toEqual([]);
});

test("the scheduled check fails at what was changed in the console, and at a merge that was not applied", async () => {
  const drift = "npx --no -- feature-console drift";
  commands.answer({ [drift]: "exit 7" });
  const changed = await happens(schedule);
  expect([changed.code === 0, changed.jobs, lines(changed.calls).at(-1)]).toEqual([false, ["drift"], drift]);

  commands.answer({ "pulumi preview": "printf 'to\\033[2J update\\n'; exit 255" });
  const unapplied = await happens(schedule);
  expect(unapplied.code).not.toBe(0);
  // What speaks to a terminal is taken out.
  expect(unapplied.output).toContain("to[2J update");
  expect(unapplied.calls.at(-1)?.key).toBe(readOnlyKey);
});

test("a push to another branch starts nothing", async () => {
  expect((await happens({ ...push, CI_COMMIT_BRANCH: "topic" })).jobs).toEqual([]);
});

test("it types the commands of the workflow for GitHub, word by word, and leaves none out", () => {
  const { jobs } = parse(example.files?.[".github/workflows/flags.yml"] ?? "") as Workflow;
  const scripts = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run: script = "" }) => script));
  const there = scripts.flatMap((script) => script.match(/^ *(?:npm test|pulumi|npx) ?[^>|\n]*/gm) ?? []);
  const known = (line: string) => !line.startsWith("pulumi login");
  expect([...new Set(lines(typed))].filter(known).sort()).toEqual(
    [...new Set(there.map((line) => line.trim()))].filter(known).sort(),
  );
});

test("no key and no token is in what was printed or noted", () => {
  expect(said.length).toBeGreaterThan(6);
  for (const secret of [testKey, readOnlyKey, reviewToken])
    expect([...said, ...noteTexts()].filter((text) => text.includes(secret))).toEqual([]);
});

test("only a merge gets the key that may write; jobs that use the state wait for one another", () => {
  // `!reference` stands for lines of another job, whose name is enough here.
  const tags = [{ tag: "!reference", collection: "seq" as const }];
  const jobs = parse(file, { customTags: tags as never }) as Record<
    string,
    { resource_group?: string; environment?: unknown }
  >;
  const holding = (name: string) =>
    Object.entries(jobs).flatMap(([job, text]) => (JSON.stringify(text).includes(name) ? [job] : []));
  expect(holding("$FEATURE_CONSOLE_WRITE_KEY")).toEqual(["apply"]);
  // What writes notes checks nothing out and installs nothing.
  expect(JSON.stringify(jobs.note)).toContain('"GIT_STRATEGY":"none"');
  expect(JSON.stringify(jobs.note)).not.toMatch(/install|npm|npx|pulumi/);
  expect([jobs.apply?.environment, jobs.preview?.environment]).toEqual(["production", undefined]);
  expect(jobs.drift?.resource_group).toBe(jobs.apply?.resource_group);
  expect(file).not.toMatch(/PULUMI_SKIP_CONFIRMATIONS=|paths: (?!\[report\.md\])/);
});

test("the README names every variable that the pipeline uses", () => {
  const names = new Set(file.match(/(?:FEATURE_CONSOLE|PULUMI|REVIEW)_[A-Z_]+/g));
  for (const name of ["FEATURE_CONSOLE_API_KEY", "PULUMI_SKIP_CONFIRMATIONS"]) names.delete(name);
  expect(names.size).toBe(6);
  for (const name of names) expect(example.files?.["README.md"]).toContain(`\`${name}\``);
});

/** Lets something happen to the repository. */
async function happens(
  variables: Record<string, string>,
): Promise<PipelineResult & { readonly calls: StandInCall[] }> {
  // A job begins with a checkout, and nothing beside it.
  for (const made of ["main", "report.md", "preview.json"])
    await rm(path.join(folder, made), { recursive: true, force: true });
  const env = cleanEnvironment();
  const PATH = [commands.folder, env.PATH].join(path.delimiter);
  const result = await runPipeline(folder, { ...shared, ...variables }, { ...env, PATH });
  said.push(result.output);
  const calls = commands.take();
  typed.push(...calls);
  return { ...result, calls };
}
