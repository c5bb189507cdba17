import { spawnSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { run } from "../../scripts/process/run";

const node = process.execPath;

/** Waits until a process is gone, five seconds at most: one that is ended on a busy machine first has to have a turn. */
async function ended(pid: string): Promise<boolean> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" });
    // Where nothing collects the ended, they stay listed as zombies.
    if (/^(Z.*)?\s*$/.test(stdout)) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

test("what a command prints and its exit code are told", async () => {
  const program = 'console.log("out"); console.error("err"); process.exitCode = 3';
  const pieces: string[] = [];
  const finished = await run(node, ["-e", program], { onOutput: (text) => pieces.push(text) });
  expect(finished).toEqual({ code: 3, stdout: "out\n", stderr: "err\n" });
  expect(pieces.sort()).toEqual(["err\n", "out\n"]);
});

test("a command that cannot start says so", async () => {
  const finished = await run("no-such-program", []);
  expect(finished).toMatchObject({ code: 1, problem: expect.stringContaining("cannot start: ") });
});

test.each([
  ["a time limit", "stopped after 6 s"],
  ["a reason", "no progress"],
])("%s ends a command and all that it started, even what does not listen", async (why, problem) => {
  const deaf = 'process.on("SIGINT", () => {}); setInterval(() => {}, 1000);';
  const child = `spawn(process.execPath, ["-e", ${JSON.stringify(deaf)}], { detached: true, stdio: "ignore" })`;
  const program = `${deaf} console.log(require("node:child_process").${child}.pid)`;
  let started = "";
  const onOutput = (text: string) => {
    started += text;
  };
  const shouldStop = () => (started === "" ? undefined : problem);
  const options = why === "a reason" ? { shouldStop } : { timeoutMs: 6000 };
  expect(await run(node, ["-e", program], { ...options, onOutput })).toMatchObject({ code: 1, problem });
  expect(Number(started)).toBeGreaterThan(0);
  await expect(ended(started.trim())).resolves.toBe(true);
});
