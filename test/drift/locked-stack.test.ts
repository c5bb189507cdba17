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
    return Promise.resolve({
      status: isRefused ? 255 : 0,
      stdout: "",
      stderr: isRefused ? lockedBy(pid) : "",
    });
  };
  return { pulumi, asked };
}

describe.each(["refresh", "up"] as const)("drift --accept was killed in its %s and is run again", (verb) => {
  const command = [verb, "--yes", "--skip-preview", "--target", "urn:one"];

  test("the lock that it left is taken away, with a line", async () => {
    const { pulumi, asked } = locked(ended());
    const lines: string[] = [];
    await stackOf(pulumi, "dev", (line) => lines.push(line))[verb](["urn:one"]);
    const named = [...command, "--stack", "dev"];
    expect(asked).toEqual([named, ["cancel", "--yes", "--stack", "dev"], named]);
    expect(lines).toEqual(["stack dev is locked by a process that was killed: its lock is taken away"]);
  });

  test("so is that of the selected stack", async () => {
    const { pulumi, asked } = locked(ended());
    const lines: string[] = [];
    await stackOf(pulumi, undefined, (line) => lines.push(line))[verb](["urn:one"]);
    expect(asked).toEqual([command, ["cancel", "--yes"], command]);
    expect(lines).toEqual([
      "the selected stack is locked by a process that was killed: its lock is taken away",
    ]);
  });

  test("a process that runs keeps its lock, and is waited for", async () => {
    const { pulumi, asked } = locked(process.pid, 2);
    const lines: string[] = [];
    await stackOf(pulumi, "dev", (line) => lines.push(line))[verb](["urn:one"]);
    expect(asked.map(([first]) => first)).toEqual([verb, verb]);
    expect(lines).toEqual(["waiting for the process that works on stack dev"]);
  });
});
