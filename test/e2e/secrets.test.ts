import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { base64Forms, contentOf } from "../support/text-on-disk";
import { type Bench, openBench, testKey, told, withoutDebug } from "./bench";

jest.setTimeout(120_000);

let bench: Bench;
beforeAll(async () => {
  bench = await openBench({});
  await bench.stack.setConfig("feature-console:profile", "custom");
  await bench.stack.setConfig("feature-console:baseUrl", bench.emulator.url);
  await bench.stack.setConfig("feature-console:apiKey", testKey, { secret: true });
  // Nothing listens there: that is said, and the password is not.
  await bench.stack.setConfig("feature-console:redisUrl", `redis://:${password}@127.0.0.1:1`, {
    secret: true,
  });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

const password = ["redis", "hush", "word"].join("-");
const hush = ["hush", "hush", "value"].join("-");
const program = (description: string) => `
const quiet = pulumi.secret(${JSON.stringify(hush)});
new fc.Gate("checkout", { description: ${JSON.stringify(description)} });
// The class of a kind whose argument is a secret hides what a program sets in the open.
new fc.WarehouseConnection("warehouse", { bigquery: { project: "shop", privateKey: ${JSON.stringify(hush)} } });
new fc.Layer("area", { idType: "userID", description: quiet });
new fc.DynamicConfig("limits", {
  defaultValue: { text: quiet },
  schema: pulumi.interpolate\`{"title":"\${quiet}"}\`,
  rules: [{ name: "All", passPercentage: 50, conditions: [], returnValue: { text: quiet } }],
});`;

test("after a 401, a failing update and a refresh, the key is nowhere, and neither is a secret argument", async () => {
  await bench.write(program("One"));
  const said = [await bench.stack.preview(), await bench.stack.up()];

  const wrong = await bench.stack.refresh({
    mayFail: true,
    env: { FEATURE_CONSOLE_API_KEY: `${testKey}-wrong` },
  });
  expect(JSON.stringify(told(wrong))).toMatch(/answered 401: .*\[hidden\]/);

  await bench.write(program("Two"));
  const echo = {
    status: 400,
    message: `Not with ${testKey}`,
    errors: [{ property: "a", errorMessage: testKey }],
  };
  bench.emulator.addFaults([{ method: "PATCH", times: 1, status: 400, body: echo }]);
  const failed = await bench.stack.up({ mayFail: true });
  expect(told(failed).checkout).toEqual([
    expect.stringMatching(
      /^1 error occurred:\s+\* Cannot update gate "checkout": .* answered 400: Not with \[hidden\]; a: \[hidden\]/,
    ),
  ]);
  said.push(wrong as never, failed as never, (await bench.stack.refresh()) as never);
  const exported = await bench.stack.run(["stack", "export"]);
  const outputs = said.map(({ stdout, stderr }) => stdout + stderr).join("\n") + exported.stdout;
  const disk = await contentOf(folders());
  expect(disk.length).toBeGreaterThan(5);

  // Pulumi's own log shows what it sends and gets, and not the whole state, which this package reads.
  const reads = outputs.split("\n").filter((line) => line.includes("readStackResourceOutputs"));
  for (const secret of [testKey, password, hush]) expect(reads.join("\n")).not.toContain(secret);

  expect(outputs).toContain("The Redis of feature-console:redisUrl cannot be used (ECONNREFUSED)");
  for (const secret of [testKey, password, hush]) {
    for (const form of [secret, ...base64Forms(secret)]) {
      const shown = secret === hush ? withoutDebug(outputs) : outputs;
      expect([form, shown.includes(form)]).toEqual([form, false]);
      const files = disk.filter(({ text, file }) => text.includes(form) && !isOwnProgram(file));
      expect(files.map(({ file }) => file)).toEqual([]);
    }
  }
  await bench.stack.up();
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("a secret that is refused is not shown, nor what holds it", async () => {
  const refused = `new fc.Gate("checkout", {
    description: "Two",
    rules: [{ name: "All", passPercentage: quiet as never, conditions: [] }],
  });`;
  await bench.write(program("Two").replace('new fc.Gate("checkout", { description: "Two" });', refused));
  const { code, stdout, stderr } = await bench.stack.run(["preview"]);
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain("rules[0].passPercentage: found [secret]; a number is needed");
  expect(stdout + stderr).not.toContain(hush);
});

/** Everything of this run on disk: state, backups, Pulumi's home, the project. */
function folders(): string[] {
  const { PULUMI_HOME = "", PULUMI_BACKEND_URL = "" } = bench.stack.env;
  return [PULUMI_HOME, fileURLToPath(PULUMI_BACKEND_URL), bench.project.folder];
}

/** The program holds the secret argument, as a test's program must. */
function isOwnProgram(file: string): boolean {
  return file === path.join(bench.project.folder, "index.ts");
}
