import path from "node:path";
import { runInherited } from "../../scripts/process/run.ts";
import { proofOptions, texts } from "../../scripts/prove-options.ts";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment.ts";

const about = "Runs the tests that play a sample of their cases in `npm test` with all of them.";

const { file: wanted } = proofOptions("cases", about, {
  file: texts("TEXT", "Only files whose path holds this text, such as core/merge"),
});

const files = [
  "acceptance/acceptance",
  "acceptance/taken-over",
  "core/merge",
  "core/reach-changes",
  "core/rule-changes",
  "e2e/guides",
  "e2e/shared-state",
  "engine/refresh-by-list",
  "id-lists/digest",
  "import/every-case",
  "import/round-trip",
  "laws/console-edits",
  "laws/properties",
  "laws/replacements",
  "pulumi/requests",
  "testing/runners",
].filter((file) => wanted?.some((text) => file.includes(text)) ?? true);

const modules = path.join(repositoryRoot, "node_modules");
process.exitCode = await runInherited(
  path.join(modules, ".bin", "node"),
  [path.join(modules, "jest", "bin", "jest.js"), ...files.map((file) => `test/${file}.test.ts`)],
  { cwd: repositoryRoot, env: { ...process.env, FEATURE_CONSOLE_TEST_ALL: "1" } },
);
