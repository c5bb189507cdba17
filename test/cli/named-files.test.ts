import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { requireReplaceable, requireWritable, writeNamedFile } from "../../src/tools/cli/named-files";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "named-files-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (file: string) => statSync(file).mode & 0o777;

test("a new file is for this user alone; one that is there keeps its mode", () => {
  const [fresh, shared] = [path.join(folder, "report.md"), path.join(folder, "shared.md")];
  writeFileSync(shared, "one");
  chmodSync(shared, 0o644);
  for (const file of [fresh, shared]) writeNamedFile("--out", file, "text");
  expect([fresh, shared].map(modeOf)).toEqual([0o600, 0o644]);
});

test("a file and a folder that are read-only are refused before any work", () => {
  const file = path.join(folder, "report.md");
  writeFileSync(file, "one");
  chmodSync(file, 0o444);
  for (const require of [requireWritable, requireReplaceable])
    expect(() => require("--out", file)).toThrow(
      /^--out .*report\.md cannot be written: it is read-only; "chmod u\+w/,
    );
  chmodSync(folder, 0o555);
  for (const require of [requireWritable, requireReplaceable])
    expect(() => require("--out", path.join(folder, "new.md"))).toThrow(/its folder is read-only/);
  chmodSync(folder, 0o755);
  expect(readFileSync(file, "utf8")).toBe("one");
});

test("a device takes what is written", () => {
  for (const require of [requireWritable, () => writeNamedFile("--out", "/dev/null", "text")])
    expect(() => require("--out", "/dev/null")).not.toThrow();
});
