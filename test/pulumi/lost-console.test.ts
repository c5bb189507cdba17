import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { catalog } from "../../src/provider/definitions";
import { providerOf } from "../../src/provider/pulumi/provider";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { type Driver, driverOf } from "../support/driver";
import { inProcess, startProcess } from "../support/in-process";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "lost-console-"));
  file = path.join(folder, ".feature-console", "console.db");
});
afterEach(() => removeTree(folder));

/** A run of the stack whose console is embedded. */
const runOf = (said: Record<string, string> = {}) => {
  const environment = () => said;
  const process = startProcess({ "feature-console:profile": "embedded" }, { folder, environment });
  process.stack = "shop/dev";
  return (definition: ResourceDefinition): Driver =>
    driverOf({
      ...{ definition, stack: () => "dev" },
      backend: () => inProcess(providerOf(definition, process)),
    });
};
const lose = () => {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
};
const made = async () => {
  const run = runOf();
  const gate = await run(catalog.gate).up({ key: "checkout" });
  const tag = await run(catalog.tag).up({ name: "shop", description: "Shop" });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  return { gate, tag };
};
const said =
  'gate "checkout" is in the state of this stack, and the file of the embedded console, .feature-console/console.db, was made without it: nothing was taken for deleted. ' +
  'Put the lost file back (with its -wal and -shm files), or run "pulumi destroy" and "pulumi up" with FEATURE_CONSOLE_MOVE=1 to make every object anew.';

test("a refresh over an embedded console that lost its file is refused, by its name", async () => {
  const { gate, tag } = await made();
  lose();
  const run = runOf();
  await expect(run(catalog.gate).refresh(gate)).rejects.toThrow(said);
  // Pulumi asks for all at once: the others keep what state has.
  expect((await run(catalog.tag).refresh(tag))?.id).toBe(tag.id);
});

test("also after an up has made something in the new file", async () => {
  const { gate } = await made();
  lose();
  await runOf()(catalog.gate).up({ key: "another" });
  await expect(runOf()(catalog.gate).refresh(gate)).rejects.toThrow(said);
});

test("an object that somebody deleted is gone, and one of a copied file is there", async () => {
  const { gate, tag } = await made();
  const byHand = runOf()(catalog.gate).calls();
  await byHand.delete(gate.id, { ...gate.outputs, onDelete: "delete" });
  expect(await runOf()(catalog.gate).refresh(gate)).toBeUndefined();
  const copy = path.join(folder, "copy", ".feature-console", "console.db");
  mkdirSync(path.dirname(copy), { recursive: true });
  await new Promise((resolve) => setTimeout(resolve, 200));
  copyFileSync(file, copy);
  folder = path.join(folder, "copy");
  expect((await runOf()(catalog.tag).refresh(tag))?.id).toBe(tag.id);
  folder = path.dirname(folder);
});

test("the way on: a destroy finds nothing to delete, and an up makes every object anew", async () => {
  const { gate } = await made();
  lose();
  const move = () => runOf({ FEATURE_CONSOLE_MOVE: "1" })(catalog.gate);
  await move().destroy(gate);
  expect(await move().up({ key: "checkout" })).toMatchObject({ id: "checkout" });
  expect(statSync(path.join(folder, ".feature-console", "journal")).mode & 0o777).toBe(0o700);
});
