import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";

const emptyFolder = () => realpathSync(mkdtempSync(path.join(tmpdir(), "feature-console-")));

const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map(removeTree));
});

/** An empty folder, which ends with the test. */
export function freshFolder(): string {
  const folder = emptyFolder();
  folders.push(folder);
  return folder;
}

/** An empty folder, which ends with the file of tests. */
export function folderOfFile(): string {
  const folder = emptyFolder();
  afterAll(() => removeTree(folder));
  return folder;
}
