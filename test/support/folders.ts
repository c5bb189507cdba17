import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";

const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map(removeTree));
});

/** An empty folder, which ends with the test. */
export function freshFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-"));
  folders.push(folder);
  return folder;
}
