import { spawnSync } from "node:child_process";
import { hostname } from "node:os";
import { describe, expect, test } from "@jest/globals";
import { stackOf } from "../../src/tools/stack/stack";

/** A process of this machine that has ended. */
const ended = () => spawnSync(process.execPath, ["--version"]).pid;

const lockedBy = (pid: number) =>
  "error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with `pulumi cancel`.\n" +
  `  file:///state/.pulumi/locks/1.json: created by dev@${hostname()} (pid ${pid}) at 2026-01-02T03:04:05Z\n`;

/** A `pulumi` whose stack is locked, until somebody cancels or until it was asked that often. */
function locked(pid: number, untilAsked = Number.POSITIVE_INFINITY) {
  const asked: string[][] = [];
  let isLocked = true;
  const pulumi = (args: readonly string[]) => {
    asked.push([...args]);
    if (args[0] === "cancel") isLocked = false;
    const isRefused = isLocked && asked.length < untilAsked && args[0] !== "cancel";
    const [status, stderr] = isRefused ? [255, lockedBy(pid)] : [0, ""];
    return Promise.resolve({ status, stdout: "", stderr });
  };
  return { pulumi, asked };
}

describe.each(["refresh", "up"] as const)("drift --accept was killed in its %s and is run again", (verb) => {
  const command = [verb, "--yes", "--skip-preview", "--target", "urn:one"];
  const run = async ({ pulumi }: ReturnType<typeof locked>, stack?: string) => {
    const lines: string[] = [];
    await stackOf(pulumi, stack, (line) => lines.push(line))[verb](["urn:one"]);
    return lines;
  };

  test.each([
    ["stack dev", "dev", ["--stack", "dev"]],
    ["the selected stack", undefined, []],
  ])("the lock that it left on %s is taken away, with a line", async (what, stack, option) => {
    const left = locked(ended());
    expect(await run(left, stack)).toEqual([
      `${what} is locked by a process that was killed: its lock is taken away`,
    ]);
    const named = [...command, ...option];
    expect(left.asked).toEqual([named, ["cancel", "--yes", ...option], named]);
  });

  test("a process that runs keeps its lock, and is waited for", async () => {
    const busy = locked(process.pid, 2);
    expect(await run(busy, "dev")).toEqual(["waiting for the process that works on stack dev"]);
    expect(busy.asked.map(([first]) => first)).toEqual([verb, verb]);
  });
});

test("its program is read by a preview that no refusal stops; other settings are tried by one that a refusal stops", async () => {
  const asked: unknown[] = [];
  const pulumi = (...call: unknown[]) => {
    asked.push(call);
    return Promise.resolve({ status: 0, stdout: '{"steps":[]}', stderr: "" });
  };
  const stack = stackOf(pulumi, "dev");
  await stack.preview();
  await stack.preview({ configFile: "tried.yaml" });
  const preview = ["preview", "--json", "--show-sames"];
  expect(asked).toEqual([
    [[...preview, "--stack", "dev"], { FEATURE_CONSOLE_READ_PROGRAM: "1" }],
    [[...preview, "--config-file", "tried.yaml", "--stack", "dev"]],
  ]);
});
