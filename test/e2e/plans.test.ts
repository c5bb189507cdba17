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

const ramped = (share: number, more = "") =>
  `new fc.Gate("checkout", { rules: [{ name: "Everyone", passPercentage: ${share}, conditions: [{ type: "public" }] }]${more} });`;
const shareNow = async () => {
  const { rules } = (await bench.raw.gate.get({ id: "checkout" })) as unknown as {
    rules: { passPercentage: number }[];
  };
  return rules[0]?.passPercentage;
};

test("on-call sets a rule 50 → 0 % and 50 → 80 % is merged: plain, by a plan saved before or after, nothing is overwritten until somebody decides", async () => {
  await bench.write(ramped(50));
  expect(await run("up", "--yes", "--skip-preview")).toEqual(isWell);
  await bench.write(ramped(80));
  expect(await run("preview", "--save-plan=before.json")).toEqual(isWell);
  const rules = [{ name: "Everyone", passPercentage: 0, conditions: [{ type: "public" }] }];
  await bench.raw.gate.patch({ id: "checkout", body: { rules } } as never);
  expect(await run("preview", "--save-plan=after.json")).toEqual(isWell);
  bench.emulator.clearRequests();
  for (const plan of [[], ["--plan=before.json"], ["--plan=after.json"]]) {
    const { code, errors } = await run("up", "--yes", "--skip-preview", ...plan);
    expect(code).not.toBe(0);
    expect(errors.join("\n")).toMatch(
      /rules\[0\]\.passPercentage of "Everyone" was 50, is 0 now, and the program sets 80\. Nothing was sent\. .*drift --accept checkout.*pulumi refresh/,
    );
  }
  expect(changesTo(bench.emulator)).toEqual([]);
  expect(await shareNow()).toBe(0);
  // To decide anew: a refresh, and the preview shows it.
  expect(await run("refresh", "--yes", "--skip-preview")).toEqual(isWell);
  expect((await bench.stack.run(["preview", "--diff"])).stdout).toMatch(/passPercentage: 0 => 80/);
  expect(await run("up", "--yes", "--skip-preview")).toEqual(isWell);
  expect(await shareNow()).toBe(80);
});

test("overwriteConsoleEdits overwrites on purpose, by the option and by the setting", async () => {
  const rules = [{ name: "Everyone", passPercentage: 0, conditions: [{ type: "public" }] }];
  const setByHand = () => bench.raw.gate.patch({ id: "checkout", body: { rules } } as never);
  await setByHand();
  await bench.write(ramped(90, ", overwriteConsoleEdits: true"));
  expect(await run("up", "--yes", "--skip-preview")).toEqual(isWell);
  expect(await shareNow()).toBe(90);
  await setByHand();
  await bench.write(ramped(70));
  await bench.stack.run(["config", "set", "feature-console:overwriteConsoleEdits", "true"]);
  const { code, stdout, stderr } = await bench.stack.run(["up", "--yes", "--skip-preview"]);
  await bench.stack.run(["config", "rm", "feature-console:overwriteConsoleEdits"]);
  expect(code).toBe(0);
  expect(`${stdout}${stderr}`).toContain(
    "was 90, is 0 now, and the program sets 70. Overwritten, because overwriteConsoleEdits is set.",
  );
  expect(await shareNow()).toBe(70);
});

test("a destroy that runs the program leaves nothing in state", async () => {
  expect(await run("destroy", "--yes", "--skip-preview", "--run-program")).toEqual(isWell);
  const { deployment } = await bench.stack.exportStack();
  expect(deployment.resources ?? []).toEqual([]);
});
