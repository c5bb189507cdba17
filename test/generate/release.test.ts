import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { pagesOfTarballs } from "../../scripts/generate/tarballs";
import { removeTree } from "../../scripts/process/atomic-folder";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

const folder = mkdtempSync(path.join(tmpdir(), "feature-console-release-"));
afterAll(() => removeTree(folder));

const manifests = ["package.json", "policy/package.json"];

const versionsIn = (root: string): string[] =>
  manifests.map((file) => JSON.parse(readFileSync(path.join(root, file), "utf8")).version);

/** Copies what a release of the packages reads and writes. */
function copyOfManifests(): void {
  const examples = readdirSync(path.join(repositoryRoot, "examples"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `examples/${name}/package.json`)
    // One in several languages is no package of npm.
    .filter((file) => existsSync(path.join(repositoryRoot, file)));
  for (const file of ["package-lock.json", ".changeset/config.json", ...manifests, ...examples]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(repositoryRoot, file), path.join(folder, file), { force: false });
  }
  symlinkSync(path.join(repositoryRoot, "node_modules"), path.join(folder, "node_modules"));
}

test("a changeset of the package gives it, and the policy pack, its next version", () => {
  copyOfManifests();
  const [major = "", minor = ""] = versionsIn(repositoryRoot)[0]?.split(".") ?? [];
  writeFileSync(
    path.join(folder, ".changeset/one.md"),
    '---\n"pulumi-feature-console": minor\n"pulumi-feature-console-policy": minor\n---\n\nFlags fly.\n',
  );
  execFileSync(path.join(repositoryRoot, "node_modules/.bin/changeset"), ["version"], { cwd: folder });
  const next = `${major}.${Number(minor) + 1}.0`;
  expect(versionsIn(folder)).toEqual([next, next]);
  expect(readFileSync(path.join(folder, "CHANGELOG.md"), "utf8")).toContain("Flags fly.");

  cpSync(path.join(repositoryRoot, "README.md"), path.join(folder, "README.md"));
  cpSync(path.join(repositoryRoot, "policy/README.md"), path.join(folder, "policy/README.md"));
  cpSync(path.join(repositoryRoot, "docs"), path.join(folder, "docs"), { recursive: true });
  const pages = pagesOfTarballs(folder, new Map());
  expect(pages.size).toBeGreaterThan(6);
  for (const text of pages.values())
    for (const [file] of text.matchAll(/pulumi-feature-console(-policy)?-\d\S*\.tgz/g))
      expect(file).toMatch(new RegExp(`-${next}\\.tgz$`));
});
