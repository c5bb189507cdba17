import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { projectFiles } from "../../src/tools/import/pulumi-project";
import { otherMain, projectName } from "../../src/tools/stack/project";

let top: string;
beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), "project-"));
});
afterEach(() => rmSync(top, { recursive: true }));

const versions = { own: "1", sdk: "1" };
const folderOf = (name: string) => {
  mkdirSync(path.join(top, name));
  return path.join(top, name);
};

test.each([
  ["My Flags!", "name: my-flags\n"],
  ["2024", 'name: "2024"\n'],
  ["true", 'name: "true"\n'],
  ["__", "name: flags\n"],
])("a folder called %s becomes a project with a name that is a text", (name, line) => {
  expect(projectFiles(folderOf(name), versions).get("Pulumi.yaml")?.startsWith(line)).toBe(true);
});

test.each([
  ["Pulumi.yaml", "name: 'shop' # ours\nruntime: nodejs\n"],
  ["Pulumi.yml", "runtime: nodejs\nname: shop\n"],
  ["Pulumi.json", '{\n  "name": "shop",\n  "runtime": "nodejs"\n}'],
])("a project in a %s stays one, and its name is read", (file, text) => {
  const folder = folderOf("flags");
  writeFileSync(path.join(folder, file), text);
  expect([...projectFiles(folder, versions).keys()]).toEqual(["package.json", "tsconfig.json", ".gitignore"]);
  expect(projectName(folder)).toBe("shop");
});

test.each([
  ["the folder itself", {}, undefined],
  ["a package without main", { "package.json": "{}" }, undefined],
  ["index.ts", { "package.json": '{ "main": "index.ts" }' }, undefined],
  ["./index.js", { "package.json": '{ "main": "./index.js" }' }, undefined],
  ["a build", { "package.json": '{ "main": "bin/" }' }, "bin"],
  ["a folder of Pulumi.yaml", { "Pulumi.yaml": "name: a\nmain: src # here\n" }, "src"],
  [
    "a package in a folder of Pulumi.yaml",
    { "Pulumi.yaml": "main: src\n", "src/package.json": '{ "main": "go.ts" }' },
    path.join("src", "go.ts"),
  ],
  ["a package back in this folder", { "Pulumi.yaml": "main: ./\n" }, undefined],
] as const)("Pulumi runs %s", (_, files, other) => {
  const folder = folderOf("flags");
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  expect(otherMain(folder)).toBe(other);
});
