import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { createPackedProject, type PackedProject } from "../support/packed-project";

const guide = readFileSync(path.join(repositoryRoot, "docs", "testing.md"), "utf8");

/** A file of the guide, whose first line is its name. */
function fileOf(name: string): string {
  const [, text] = guide.split(`\`\`\`ts\n// ${name}\n`);
  if (text === undefined) throw new Error(`docs/testing.md shows no ${name}`);
  return text.slice(0, text.indexOf("```"));
}

let project: PackedProject;
beforeAll(async () => {
  const files = { "index.test.ts": fileOf("index.test.ts") };
  project = await createPackedProject({ program: fileOf("index.ts"), files });
}, 300_000);
afterAll(() => project.remove());

async function runTests() {
  // Whatever is set where a test runs, no console is asked.
  const env = {
    ...process.env,
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: "http://127.0.0.1:9",
  };
  const result = await run(process.execPath, ["--test"], { cwd: project.folder, env, timeoutMs: 60_000 });
  return { ...result, output: result.stdout + result.stderr };
}

test("the tests of the guide, and those of who sees a flag, pass, end and leave no file", async () => {
  await project.write("flags.test.ts", fileOf("flags.test.ts"));
  const before = readdirSync(project.folder);
  const result = await runTests();
  expect(result.output).toContain("pass 6");
  expect(result.code).toBe(0);
  expect(readdirSync(project.folder)).toEqual(before);
  rmSync(path.join(project.folder, "flags.test.ts"));
}, 120_000);

test.each([
  ["12.5", "300", "rules[1].passPercentage: found 300; at most 100 is allowed"],
  ["{ idType:", "{ idTpye:", 'idTpye: unknown argument; did you mean "idType"?'],
])(
  "with a slip, %s to %s, they fail as the guide shows",
  async (right, wrong, reason) => {
    // Not as a program of the tests, whose types have to be right.
    await project.write("index.ts", fileOf("index.ts").replace(right, wrong));
    const result = await runTests();
    const line = `[Error: failed to register new resource checkout_v2 [pulumi-nodejs:dynamic/feature-console:Gate]: ${reason}]`;
    expect(guide).toContain(line);
    expect(result.output).toContain(line);
    expect(result.output).toContain("fail 3");
    expect(result.code).toBe(1);
  },
  120_000,
);
