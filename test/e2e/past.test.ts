import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench, writesTo } from "./bench";

jest.setTimeout(600_000);

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  await bench.write('new fc.Gate("checkout", {\n  description: "New checkout", // the shop\'s\n});\n');
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

const command = (...args: string[]) => bench.command(...args);

test("a release manager looks at the past of a flag and brings a version back", async () => {
  await bench.raw.gate.patch({ id: "checkout", body: { description: "By hand", tags: ["night"] } });
  bench.emulator.clearRequests();
  const history = await command("history", "checkout");
  expect(history.stdout).toMatch(
    /version 2 · a key, .* UTC\n {2}description New checkout → By hand\n {2}tags night\n/,
  );
  const asked = await command("rollback", "checkout", "--to", "1");
  expect(asked.stderr).toContain("give --yes or --patch where no person can answer");
  await bench.project.write("Pulumi.other.yaml", "config: {}\n");
  const { code, stdout, stderr } = await command("rollback", "checkout", "--to", "1", "--yes");
  expect(stdout).toContain(
    "Stacks that run the same files get this change too, by their next update: look at other.\n",
  );
  expect(stdout).toContain("  description By hand → New checkout\n");
  expect(stderr).toContain('"pulumi up --refresh" brings the console there.');
  expect([history.code, asked.code, code]).toEqual([0, 2, 0]);
  expect(writesTo(bench.emulator)).toEqual([]);
  const source = await readFile(path.join(bench.project.folder, "index.ts"), "utf8");
  expect(source).toContain('description: "New checkout", // the shop\'s');
  expect(source).toContain("tags: []");
  const up = await bench.stack.run(["up", "--refresh", "--yes", "--skip-preview"]);
  expect(up.code).toBe(0);
  expect(await bench.raw.gate.get({ id: "checkout" })).toMatchObject({
    description: "New checkout",
    tags: [],
  });
  const unknown = await command("rollback", "checkout", "--to", "99", "--yes");
  expect(unknown.stderr).toContain("there is no version 99; there are version 3 (");
  expect(unknown.code).toBe(2);
});

test("what comes from the stack's configuration comes back there, by the trial of one more preview", async () => {
  await bench.write(`new fc.Gate("metered", {
  rules: [{ name: "Everyone", passPercentage: new pulumi.Config().requireNumber("share"), conditions: [{ type: "public" }] }],
});
`);
  const settings = async (share: number) => {
    await bench.stack.run(["config", "set", "share", String(share)]);
    await bench.stack.up();
  };
  const file = path.join(bench.project.folder, "Pulumi.test.yaml");
  await settings(10);
  const former = await readFile(file, "utf8");
  await settings(25);
  const source = path.join(bench.project.folder, "index.ts");
  const program = await readFile(source, "utf8");
  const { code, stdout, stderr } = await command("rollback", "metered", "--to", "1", "--yes");
  expect(stdout).toContain(": 25 % → 10 % of everyone\n\n1 object, 1 of them wholly.\n");
  expect(stderr).toContain("Trying 1 setting of Pulumi.test.yaml (pulumi preview) ...");
  expect(stderr).toContain("Changed Pulumi.test.yaml.");
  expect([code, await readFile(file, "utf8"), await readFile(source, "utf8")]).toEqual([0, former, program]);
  await bench.stack.run(["up", "--refresh", "--yes", "--skip-preview"]);
  expect(await bench.raw.gate.get({ id: "metered" })).toMatchObject({ rules: [{ passPercentage: 10 }] });
}, 600_000);
