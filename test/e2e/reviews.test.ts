import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { createClient } from "../../src/provider/client";
import type { JsonObject } from "../../src/provider/schema/json";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench, personKey, toldInAll } from "./bench";

jest.setTimeout(240_000);

/** A gate whose changes need a review, by its own setting. */
const program = (share: number) => `
new fc.Gate("checkout", {
  reviewSettings: { requiredReview: true },
  reviews: "open",
  rules: [{ name: "Everyone", passPercentage: ${share}, conditions: [{ type: "public" }] }],
});`;

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  await bench.write(program(10));
  await bench.stack.up();
  await bench.write(program(50));
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

/** Runs the packed command in the folder of the project. */
function reviews(...args: string[]) {
  const main = path.join(bench.project.folder, "node_modules/pulumi-feature-console/dist/tools/cli/main.js");
  return run(process.execPath, [main, "reviews", ...args], {
    cwd: bench.project.folder,
    env: bench.stack.env,
    timeoutMs: 120_000,
  });
}

const person = () => createClient({ profile: "custom", baseUrl: bench.emulator.url, apiKey: personKey });
const shareOf = ({ rules }: JsonObject) => (rules as JsonObject[])[0]?.passPercentage;
const live = async () => shareOf((await bench.raw.gate.get({ id: "checkout" })) as unknown as JsonObject);
const stored = async () =>
  ((await bench.state()).checkout as { outputs: JsonObject & { __reviews?: unknown } }).outputs;

test("a preview says that a change needs a review, and an update opens it", async () => {
  const preview = await bench.stack.preview();
  expect(toldInAll(preview)).toContain(
    'gate "checkout": a change of rules needs a review: "pulumi up" opens one and does not apply the change.',
  );
  expect(toldInAll(await bench.stack.up())).toContain(
    'gate "checkout": waits for approval: review 1 of rules (pending).',
  );
  expect(await live()).toBe(10);
  const outputs = await stored();
  expect(shareOf(outputs)).toBe(10);
  expect(outputs.__reviews).toMatchObject([{ id: "1", slot: "rules", status: "pending" }]);
});

test("while it is open, previews show the difference and the review, and updates open no other", async () => {
  const preview = await bench.stack.preview();
  expect(preview.changeSummary).toMatchObject({ update: 1 });
  expect(toldInAll(preview)).toContain(
    'gate "checkout": review 1 of rules is pending: "pulumi up" does not apply its change.',
  );
  await bench.stack.up();
  expect(await live()).toBe(10);
  const list = await reviews("--json");
  expect(JSON.parse(list.stdout)).toEqual({
    reviews: [
      {
        ...{ resource: "checkout", object: 'gate "checkout"', review: "1", change: "rules" },
        ...{ status: "pending", isNoted: true },
      },
    ],
  });
  expect(list.code).toBe(7);
});

test("reviews --wait commits what a person accepts, and the next update brings it into state", async () => {
  const waiting = reviews("--wait", "--every", "1");
  await person().gate.approveReview({ id: "checkout", reviewID: "1", body: {} } as never);
  const { code, stdout } = await waiting;
  expect(stdout).toContain('gate "checkout": review 1 of rules is committed (resource checkout)');
  expect(code).toBe(0);
  expect(await live()).toBe(50);
  await bench.stack.refresh();
  await bench.stack.up();
  const outputs = await stored();
  expect(shareOf(outputs)).toBe(50);
  expect(outputs.__reviews).toBeUndefined();
  const quiet = await bench.stack.run(["preview", "--expect-no-changes"]);
  expect(quiet.code).toBe(0);
});

test("an accepted review is committed by the next update alone", async () => {
  await bench.write(program(75));
  await bench.stack.up();
  expect(await live()).toBe(50);
  await person().gate.approveReview({ id: "checkout", reviewID: "2", body: {} } as never);
  await bench.stack.up();
  expect(await live()).toBe(75);
  expect((await bench.stack.run(["preview", "--expect-no-changes"])).code).toBe(0);
});
