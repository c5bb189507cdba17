import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { npmCommand, run } from "../../scripts/process/run";
import { isAlive, stopTree, treeOf } from "../../scripts/process/stop";
import { exampleContent } from "../support/examples";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createPulumiPlace, FIRST_CLI_TIMEOUT_MS, type PulumiPlace } from "../support/pulumi-cli";

jest.setTimeout(300_000);

const example = exampleContent("app");
let project: PackedProject;
let place: PulumiPlace;
let dev: ChildProcess | undefined;

beforeAll(async () => {
  project = await createPackedProject(example);
  place = await createPulumiPlace({ PORT: "0", PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  if (dev?.pid !== undefined && dev.exitCode === null) await stopTree(dev.pid);
  await place?.remove();
  await project?.remove();
});

test("a rule that changes reaches the service while it runs, and Ctrl-C ends all of it", async () => {
  dev = startDev();
  const service = await told(dev, /^service: (http:\/\/[^/]+)/m);
  const processes = await treeOf(Number(dev.pid));
  expect(processes.length).toBeGreaterThan(2);

  const users = Array.from({ length: 100 }, (_, index) => `user=${index}`);
  const before = await Promise.all(users.map((user) => ask(service, user)));
  const passing = before.filter(({ newCheckout }) => newCheckout).length;
  expect(passing).toBeGreaterThan(0);
  expect(passing).toBeLessThan(35);
  expect(before).toContainEqual({ newCheckout: false, maxItems: 20, buttonColour: "green" });
  expect(before).toContainEqual({ newCheckout: false, maxItems: 20, buttonColour: "blue" });
  expect(await ask(service, "user=ada&email=ada@example.com")).toMatchObject({
    newCheckout: true,
    maxItems: 50,
  });

  await project.setProgram(example.program.replace("passPercentage: 10,", "passPercentage: 100,"));
  const up = ["up", "--stack", "dev", "--yes", "--skip-preview", "--non-interactive"];
  expect(await run("pulumi", up, { cwd: project.folder, env: place.env })).toMatchObject({ code: 0 });
  await allPass(service, users);
  expect(await treeOf(Number(dev.pid))).toEqual(processes);

  await pressCtrlC(dev);
  expect(await stillAlive(processes)).toEqual([]);
});

test("Ctrl-C while Pulumi is at work leaves neither a process nor a lock", async () => {
  // Pulumi handles signals only while its engine runs: after it has locked the stack and printed "Updating (dev)", and
  // until it unlocks the stack. A program that goes on keeps the engine at work.
  await project.setProgram(`${example.program}\nconsole.error("at work"); setTimeout(() => {}, 60_000);`);
  dev = startDev();
  await told(dev, /(at work)/);
  const processes = await treeOf(Number(dev.pid));
  await pressCtrlC(dev);
  expect(await stillAlive(processes)).toEqual([]);
  const refresh = ["refresh", "--stack", "dev", "--yes", "--skip-preview", "--non-interactive"];
  const { code, stdout, stderr } = await run("pulumi", refresh, { cwd: project.folder, env: place.env });
  expect(code === 0 ? "" : stdout + stderr).toBe("");
});

/** Has a process group of its own, as a terminal gives it. */
function startDev(): ChildProcess {
  return spawn(npmCommand, ["run", "dev"], { cwd: project.folder, env: place.env, detached: true });
}

/** A terminal signals the whole group. */
async function pressCtrlC(child: ChildProcess): Promise<void> {
  const ended = once(child, "close");
  process.kill(-Number(child.pid), "SIGINT");
  await ended;
}

/** Those that have not ended 10 s later: a language host ends a moment after the CLI that started it. */
async function stillAlive(processes: readonly number[]): Promise<number[]> {
  for (const end = Date.now() + 10_000; Date.now() < end && processes.some(isAlive); ) await sleep(100);
  return processes.filter(isAlive);
}

interface Answer {
  newCheckout: boolean;
  maxItems: number;
  buttonColour: string;
}

async function ask(service: string, query: string): Promise<Answer> {
  const response = await fetch(`${service}/?${query}`);
  return (await response.json()) as Answer;
}

/** Asks until everybody gets the new checkout, longer than the service waits between two polls. */
async function allPass(service: string, users: readonly string[]): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(250)) {
    const answers = await Promise.all(users.map((user) => ask(service, user)));
    if (answers.every(({ newCheckout, maxItems }) => newCheckout && maxItems === 50)) return;
  }
  throw new Error("After 30 s the service still answers by the rules that it started with.");
}

/** What stands in the group of a pattern as soon as it is printed. Rejects with all that was printed when the run ends before. */
function told(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const found = pattern.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
    }
    child.once("close", () => reject(new Error(`npm run dev ended:\n${said}`)));
  });
}
