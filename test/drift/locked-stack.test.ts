import { spawnSync } from "node:child_process";
import { hostname } from "node:os";
import { expect, test } from "@jest/globals";
import { stackOf } from "../../src/tools/stack/stack";

/** Runs a verb on a stack that a process locks until somebody cancels, or until it was asked twice. */
async function run(verb: "refresh" | "up", pid: number) {
  const [asked, lines]: [string[], string[]] = [[], []];
  const lock =
    "error: the stack is currently locked by 1 lock(s).\n  file:///state/.pulumi/locks/1.json: created by";
  const stderr = `${lock} dev@${hostname()} (pid ${pid}) at 2026-01-02T03:04:05Z\n`;
  const pulumi = (args: readonly string[]) => {
    asked.push(args.join(" "));
    return Promise.resolve({ status: asked.length === 1 ? 255 : 0, stdout: "", stderr });
  };
  await stackOf(pulumi, "dev", (line) => lines.push(line))[verb](["urn:one"]);
  return { asked, lines };
}

// What a lock may do else is in test/import/into-state.test.ts.
test.each(["refresh", "up"] as const)(
  "drift --accept was killed in its %s and is run again",
  async (verb) => {
    const command = `${verb} --yes --skip-preview --target urn:one --stack dev`;
    expect(await run(verb, spawnSync(process.execPath, ["--version"]).pid)).toEqual({
      asked: [command, "cancel --yes --stack dev", command],
      lines: ["stack dev is locked by a process that was killed: its lock is taken away"],
    });
    expect(await run(verb, process.pid)).toEqual({
      asked: [command, command],
      lines: ["waiting for the process that works on stack dev"],
    });
  },
);

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
