import { expect, test } from "@jest/globals";
import { failureText } from "../../src/provider/pulumi/runs/cli";

const failed = (...diagnostics: [severity: string, message: string][]) => ({
  status: 255,
  stdout: JSON.stringify({ diagnostics: diagnostics.map(([severity, message]) => ({ severity, message })) }),
  stderr: "warning: using a host from $PATH\n",
});
const ended = "error: an unhandled error occurred: program exited with non-zero exit code: 1\n";

test("a preview that fails tells its errors, and not what the program has printed", () => {
  expect(failureText(failed(["info#err", "Reading.\n"], ["error", "error: rules: 250 is too much\n"]))).toBe(
    "error: rules: 250 is too much",
  );
});

test("of a program that only ended it tells the last lines that it printed", () => {
  const printed = Array.from({ length: 20 }, (_, at): [string, string] => ["info#err", `  line ${at}\n\n`]);
  const missing: [string, string] = ["info#err", "ModuleNotFoundError: No module named 'pulumi'\n\n"];
  const lines = failureText(failed(...printed, missing, ["error", ended])).split("\n");
  expect(lines).toHaveLength(11);
  expect(lines.slice(-3)).toEqual([
    "  line 19",
    "ModuleNotFoundError: No module named 'pulumi'",
    ended.trim(),
  ]);
});

test("what is no JSON is told as it is, with spaces for tabs", () => {
  const missing = "error: Missing required configuration variable 'flags:share'\n\tplease set a value\n";
  expect(failureText({ status: 255, stdout: "", stderr: missing })).toBe(
    "error: Missing required configuration variable 'flags:share'\n    please set a value",
  );
});
