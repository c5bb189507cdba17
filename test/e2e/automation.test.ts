import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type Finished, run } from "../../scripts/process/run";
import { startEmulator } from "../../src/emulator";
import { exampleContent } from "../support/examples";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createPulumiPlace, FIRST_CLI_TIMEOUT_MS, type PulumiPlace } from "../support/pulumi-cli";
import { rawClient } from "../support/raw-client";

jest.setTimeout(600_000);

let project: PackedProject;
let place: PulumiPlace;

beforeAll(async () => {
  project = await createPackedProject(exampleContent("automation"));
  place = await createPulumiPlace({ PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await place?.remove();
  await project?.remove();
});

test("a tenant that fails is named and holds up none of the others", async () => {
  const { code, stdout } = await deploy({ acme: 250, globex: 10 }, "--apply");
  expect(stdout).toMatch(
    /\[1\/2\] acme: failed\n[\s\S]*passPercentage[\s\S]*\[2\/2\] globex: done, \{"create":2\}/,
  );
  expect(stdout).toMatch(/1 of 2 tenants are fine\nfailed: acme\n$/);
  expect(code).toBe(1);
  expect(await share("globex")).toBe(10);
});

test("without --apply it reviews, and nothing is written", async () => {
  const { code, stdout } = await deploy({ globex: 50 });
  expect(stdout).toMatch(/\[1\/1\] globex: preview \.\.\.\n[\s\S]*10 %[^\n]*50 %[\s\S]*nothing was applied/);
  expect(code).toBe(0);
  expect(await share("globex")).toBe(10);
});

/** Runs the example for these tenants, each with its share of users. */
async function deploy(shares: Record<string, number>, ...args: string[]): Promise<Finished> {
  const tenants = Object.entries(shares).map(([name, checkoutShare]) => [name, { checkoutShare }]);
  await project.write("tenants.json", JSON.stringify(Object.fromEntries(tenants)));
  return run("node", ["deploy.mts", ...args], { cwd: project.folder, env: place.env, timeoutMs: 400_000 });
}

/** The share of users that the console of a tenant lets in. */
async function share(tenant: string): Promise<unknown> {
  const data = path.join(project.folder, ".feature-console", `${tenant}.db`);
  const emulator = await startEmulator({ profile: "embedded", data });
  const raw = rawClient({ profile: "custom", baseUrl: emulator.url, apiKey: "none" });
  const { rules } = (await raw.gate.get({ id: "checkout_v2" })) as { rules: { passPercentage: number }[] };
  await emulator.close();
  return rules[0]?.passPercentage;
}
