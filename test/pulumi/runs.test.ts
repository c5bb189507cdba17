import { describe, expect, test } from "@jest/globals";
import { failureText } from "../../src/provider/pulumi/runs/cli";
import { RunProgress } from "../../src/provider/pulumi/runs/run";
import { changeLink } from "../../src/provider/pulumi/runs/session";

const [hub, lab] = ["https://github.example", "https://gitlab.example/shop/flags"];
const github = { GITHUB_SERVER_URL: hub, GITHUB_REPOSITORY: "shop/flags", GITHUB_SHA: "abc123" };
const gitlab = { CI_PROJECT_URL: lab, CI_COMMIT_SHA: "abc123" };

test.each<[string, Record<string, string>, string | undefined]>([
  ["a pull request", { ...github, GITHUB_REF: "refs/pull/7/merge" }, `${hub}/shop/flags/pull/7`],
  ["a push", { ...github, GITHUB_REF: "refs/heads/main" }, `${hub}/shop/flags/commit/abc123`],
  ["a merge request", { ...gitlab, CI_MERGE_REQUEST_IID: "7" }, `${lab}/-/merge_requests/7`],
  ["a commit of GitLab", gitlab, `${lab}/-/commit/abc123`],
  ["no pipeline", {}, undefined],
])("the description of a review links to %s", (_, environment, link) => {
  expect(changeLink(environment)).toBe(link);
});

const failed = (...diagnostics: [severity: string, message: string][]) => ({
  status: 255,
  stdout: JSON.stringify({ diagnostics: diagnostics.map(([severity, message]) => ({ severity, message })) }),
  stderr: "warning: using a host from $PATH\n",
});
const ended = "error: an unhandled error occurred: program exited with non-zero exit code: 1\n";

test("a preview that fails tells its errors, and not what the program has printed", () => {
  expect(failureText(failed(["info#err", "Reading.\n"], ["error", "error: rules: 250 is too much\n"]))).toBe(
    "error: rules: 250 is too much",
  );
});

test("of a program that only ended it tells the last lines that it printed", () => {
  const printed = Array.from({ length: 20 }, (_, at): [string, string] => ["info#err", `  line ${at}\n\n`]);
  const missing: [string, string] = ["info#err", "ModuleNotFoundError: No module named 'pulumi'\n\n"];
  const lines = failureText(failed(...printed, missing, ["error", ended])).split("\n");
  expect(lines).toHaveLength(11);
  expect(lines.slice(-3)).toEqual([
    "  line 19",
    "ModuleNotFoundError: No module named 'pulumi'",
    ended.trim(),
  ]);
});

test("what is no JSON is told as it is, with spaces for tabs", () => {
  const missing = "error: Missing required configuration variable 'flags:share'\n\tplease set a value\n";
  expect(failureText({ status: 255, stdout: "", stderr: missing })).toBe(
    "error: Missing required configuration variable 'flags:share'\n    please set a value",
  );
});

describe("the writes that are left", () => {
  /** The writes that are left after these events, each so many times, where so many were sent. */
  function writesLeft(
    sent: number,
    ...events: [count: number, event: (run: RunProgress, index: number) => void][]
  ) {
    const run = new RunProgress();
    for (const [count, event] of events) for (let index = 0; index < count; index += 1) event(run, index);
    return run.writesLeft(sent);
  }

  type Run = RunProgress;
  const isNew = (declared?: number) => (run: Run) => run.checked(true, declared);
  const started = (run: Run) => run.started();
  const compared = (how: "nothing" | "update" | "replace") => (run: Run) => run.compared(how);

  test("the writes that are left are unknown where no program has told how many resources it declares", () => {
    expect(writesLeft(0)).toBeUndefined();
    expect(writesLeft(0, [1, isNew()])).toBeUndefined();
  });

  test("they are exact in a first run: every resource declared that was not written", () => {
    expect(writesLeft(890, [900, isNew(5000)], [890, started])).toBe(4110);
  });

  test("they count the writes that a resource takes", () => {
    const events: Parameters<typeof writesLeft>[1][] = [
      [20, isNew(100)],
      [10, started],
    ];
    expect([writesLeft(30, ...events), writesLeft(5, ...events)]).toEqual([270, 95]);
  });

  test("of resources not seen yet they expect what those seen have shown", () => {
    const seen = (run: Run, index: number) => {
      run.checked(false, 1000);
      run.compared(index % 4 === 0 ? "update" : "nothing");
    };
    expect(writesLeft(50, [200, seen], [50, started])).toBe(200);
  });

  test("they are none when the program has nothing to change", () => {
    expect(writesLeft(0, [1, (run) => run.checked(false, 2)], [1, compared("nothing")])).toBeUndefined();
  });

  test("they count a replacement once although it is checked twice, and no comparison of a refresh", () => {
    const replaced = (run: Run) => {
      run.checked(false, 20);
      run.compared("replace");
      run.checked(true, 20);
    };
    expect(writesLeft(0, [10, replaced])).toBe(20);
    expect(writesLeft(0, [50, compared("update")], [10, isNew(20)])).toBe(20);
  });
});
