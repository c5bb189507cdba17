import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { catalog } from "../../src/provider/definitions";
import { providerOf } from "../../src/provider/pulumi/provider";

const folder = mkdtempSync(path.join(tmpdir(), "feature-console-embedded-"));
afterAll(() => removeTree(folder));
const file = path.join(folder, "a_file");
writeFileSync(file, "This is no database. ".repeat(100));

test.each([
  ["is in no folder", path.join(file, "console.db")],
  ["is a folder", folder],
  ["is another file", file],
])("an embedded console whose path %s says at once which setting is wrong", async (_, embeddedPath) => {
  const settings: Record<string, string> = {
    "feature-console:profile": "embedded",
    "feature-console:embeddedPath": embeddedPath,
  };
  const gate = providerOf(catalog.gate);
  const get = (name: string) => settings[name];
  await gate.configure({ config: { get, require: (name) => get(name) ?? "" } });
  await expect(gate.create({ key: "flag_one", name: "Flag one" })).rejects.toThrow(
    `feature-console:embeddedPath: the embedded console cannot keep its data in "${embeddedPath}"`,
  );
});
