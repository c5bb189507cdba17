import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, changesTo, openBench } from "./bench";

jest.setTimeout(300_000);

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

const gate = (key: string, description: string) =>
  `new fc.Gate("${key}", { key: "${key}", description: "${description}" });`;
const keysOf = async () => Object.keys(await bench.state()).sort();

/** Runs the CLI; its exit code comes with what it printed, which tells why. */
async function run(...args: string[]) {
  const { code, stdout, stderr } = await bench.stack.run(args);
  return { code, errors: `${stdout}\n${stderr}`.split("\n").filter((line) => line.includes("error:")) };
}

const isWell = { code: 0, errors: [] };

test.each([
  ["gates to create", `${gate("one", "First")}\n${gate("two", "Second")}`, ["one", "two"]],
  ["one to change and one to delete", gate("one", "Another"), ["one"]],
  ["nothing to do", gate("one", "Another"), ["one"]],
  ["a program that has no resources left", "", []],
])("an update by a saved plan: %s", async (_what, program, left) => {
  await bench.write(program);
  expect(await run("preview", "--save-plan=plan.json")).toEqual(isWell);
  expect(await run("up", "--yes", "--skip-preview", "--plan=plan.json")).toEqual(isWell);
  expect(await keysOf()).toEqual(left);
});

test("an update that holds itself to its own preview", async () => {
  await bench.write(gate("three", "Third"));
  expect(await run("up", "--yes", "--strict")).toEqual(isWell);
  expect(await keysOf()).toEqual(["three"]);
});

test("what Pulumi notes for that is no change of anything", async () => {
  bench.emulator.clearRequests();
  for (const command of [
    ["preview"],
    ["up", "--yes", "--skip-preview"],
    ["refresh", "--yes", "--run-program"],
  ])
    expect(await run(...command, "--expect-no-changes")).toEqual(isWell);
  expect(changesTo(bench.emulator)).toEqual([]);
});

test("a destroy that runs the program leaves nothing in state", async () => {
  expect(await run("destroy", "--yes", "--skip-preview", "--run-program")).toEqual(isWell);
  const { deployment } = await bench.stack.exportStack();
  expect(deployment.resources ?? []).toEqual([]);
});
