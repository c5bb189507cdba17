import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { CliResult } from "../support/cli-output";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { allOf } from "../support/raw-client";
import { type Bench, openBench, testKey, told, withoutDebug } from "./bench";

// The key of the console, a password, secret arguments, and keys that the console makes: in no output, no state and no file.

jest.setTimeout(240_000);

let bench: Bench;
beforeAll(async () => {
  bench = await openBench({});
  await bench.stack.setConfig("feature-console:profile", "custom");
  await bench.stack.setConfig("feature-console:baseUrl", bench.emulator.url);
  await setKey(`${testKey}-former`);
  // Nothing listens there: that is said, and the password is not.
  await bench.stack.setConfig("feature-console:redisUrl", `redis://:${password}@127.0.0.1:1`, {
    secret: true,
  });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

const setKey = (key: string) => bench.stack.setConfig("feature-console:apiKey", key, { secret: true });

const password = ["redis", "hush", "word"].join("-");
const hush = ["hush", "hush", "value"].join("-");
const checkout = (description: string) => `new fc.Gate("checkout", { description: "${description}" });`;
const program = (description: string, rotation: string) => `
const quiet = pulumi.secret(${JSON.stringify(hush)});
${checkout(description)}
// The class of a kind whose argument is a secret hides what a program sets in the open.
new fc.WarehouseConnection("warehouse", { bigquery: { project: "shop", privateKey: ${JSON.stringify(hush)} } });
new fc.Layer("area", { idType: "userID", description: quiet });
new fc.DynamicConfig("limits", {
  defaultValue: { text: quiet },
  schema: pulumi.interpolate\`{"title":"\${quiet}"}\`,
  rules: [{ name: "All", passPercentage: 50, conditions: [], returnValue: { text: quiet } }],
});
const key = new fc.Key("servers", { description: "Servers", type: "SERVER", rotation: "${rotation}", onRotation: "keep" });
// What takes the value is hidden with it.
export const value = key.value;
export const id = key.id;`;

const keys = () => allOf(bench.raw.key.list());
const statuses = async () => (await keys()).map(({ status }) => status).sort();

const said: string[] = [];
const noted = <T extends CliResult>(result: T): T => {
  said.push(result.stdout + result.stderr);
  return result;
};
/** The values that the console's keys have had. */
const values = new Set<string>();
const noteValues = async () => {
  for (const { key } of await keys()) values.add(String(key));
};

test("made with a key of the console, which is refused once, and read again", async () => {
  await bench.write(program("One", "1"));
  const env = { FEATURE_CONSOLE_API_KEY: testKey };
  noted(await bench.stack.preview({ env, args: ["--diff"] }));
  noted(await bench.stack.up({ env, args: ["--diff"] }));
  await noteValues();
  const wrong = { FEATURE_CONSOLE_API_KEY: `${testKey}-wrong` };
  const refused = noted(
    await bench.stack.refresh({ mayFail: true, env: wrong, args: ["--target", "**::checkout"] }),
  );
  const reasons = Object.values(told(refused))
    .flat()
    .filter((line) => line.startsWith("Cannot read"));
  expect(reasons.sort()).toEqual([
    expect.stringMatching(
      /^Cannot read gate "checkout": .* answered 401: .*\[hidden\].*Check the key in FEATURE_CONSOLE_API_KEY/s,
    ),
    // Pulumi's host writes a line of its own.
    'Cannot read gate "checkout": the reason is in the error of that resource.',
  ]);
  noted(await bench.stack.refresh({ env, args: ["--expect-no-changes"] }));
});

test("read with the key of the last update, which a refused refresh says: the configured one is another by now", async () => {
  await setKey(testKey);
  const refused = noted(await bench.stack.refresh({ mayFail: true, args: ["--target", "**::checkout"] }));
  expect(Object.values(told(refused)).flat().join("\n")).toContain(
    "a command uses the feature-console:apiKey of the last update, which state holds. To use another, set FEATURE_CONSOLE_API_KEY",
  );
});

test("changed and rotated, where the console's refusals say all that they know", async () => {
  const body = {
    status: 400,
    message: `Not with ${[testKey, ...values].join(" ")}`,
    errors: [{ property: "a", errorMessage: testKey }],
  };
  await bench.write(program("Two", "2"));
  const refusal = { times: 1, status: 400, body };
  bench.emulator.addFaults([
    { ...refusal, method: "PATCH", path: "/gates" },
    { ...refusal, method: "POST", path: "/keys" },
  ]);
  const failed = noted(await bench.stack.up({ mayFail: true, args: ["--diff", "--continue-on-error"] }));
  expect(told(failed).checkout).toEqual([
    expect.stringMatching(
      /^1 error occurred:\s+\* Cannot update gate "checkout": .* answered 400: Not with \[hidden\].*; a: \[hidden\]/,
    ),
  ]);
  expect(told(failed).servers?.join()).toContain("Not with [hidden]");
  noted(await bench.stack.up());
  await noteValues();
  expect(await statuses()).toEqual(["active", "active"]);
  expect(values.size).toBe(2);
});

test("a secret that is refused is not shown, nor what holds it", async () => {
  const refused = `new fc.Gate("checkout", {
    description: "Two",
    rules: [{ name: "All", passPercentage: quiet as never, conditions: [] }],
  });`;
  await bench.write(program("Two", "2").replace(checkout("Two"), refused));
  const { code, stdout, stderr } = noted(await bench.stack.run(["preview"]));
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain("rules[0].passPercentage: found [secret]; a number is needed");
});

test("in nothing of that, nor on disk, is any of them", async () => {
  const disk = await contentOf(folders());
  for (const command of [["export"], ["output", "--json"], ["--show-urns", "--show-ids"]])
    noted(await bench.stack.run(["stack", ...command]));
  noted(await bench.stack.destroy());
  expect(await statuses()).toEqual(["active", "deactivated"]);
  disk.push(...(await contentOf(folders())));
  expect(disk.length).toBeGreaterThan(10);
  const outputs = said.join("\n");
  expect(outputs).toContain("[secret]");
  expect(outputs).toContain("The Redis of feature-console:redisUrl cannot be used (ECONNREFUSED)");
  // Pulumi's own log shows what it sends and gets, and not the whole state, which this package reads.
  const reads = outputs.split("\n").filter((line) => line.includes("readStackResourceOutputs"));
  for (const secret of [testKey, password, hush, ...values]) {
    expect(reads.join("\n")).not.toContain(secret);
    const shown = secret === testKey || secret === password ? outputs : withoutDebug(outputs);
    for (const form of [secret, ...base64Forms(secret)]) {
      expect([form, shown.split("\n").filter((line) => line.includes(form))]).toEqual([form, []]);
      const files = disk.filter(({ text, file }) => text.includes(form) && !isOwnProgram(file));
      expect(files.map(({ file }) => file)).toEqual([]);
    }
  }
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

/** Every file below some folders, its bytes as text. */
async function contentOf(roots: string[]): Promise<{ file: string; text: string }[]> {
  const found: { file: string; text: string }[] = [];
  for (const root of roots) {
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile()) found.push({ file, text: await readFile(file, "latin1") });
    }
  }
  return found;
}

/** What base64 makes of a text, wherever it begins; the ends, which depend on what stands beside it, cut off. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((shift) =>
    Buffer.from(" ".repeat(shift) + text)
      .toString("base64")
      .replace(/=+$/, "")
      .slice(shift === 0 ? 0 : 4, -2),
  );
}
