import { copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { freshFolder } from "../support/folders";
import { startRun } from "../support/run";

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});

/** A run of the stack whose console is embedded. */
const runOf = (said: Record<string, string> = {}, home = folder, config = {}) =>
  startRun({
    config: { "feature-console:profile": "embedded", ...config },
    ...{ folder: home, environment: () => said },
  }).of;
const fileIn = (home: string) => path.join(home, ".feature-console", "console.db");
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const made = async () => {
  const run = runOf();
  const gate = await run(catalog.gate).up({ key: "checkout" });
  const tag = await run(catalog.tag).up({ name: "shop", description: "Shop" });
  await pause(1100);
  return { gate, tag };
};
const said =
  'gate "checkout" is in the state of this stack, and the file of the embedded console, .feature-console/console.db, was made without it: nothing was taken for deleted. ' +
  'Put the lost file back (with its -wal and -shm files), or run "pulumi destroy" and "pulumi up" with FEATURE_CONSOLE_MOVE=1 to make every object anew.';

test("over an embedded console that lost its file a refresh is refused, and the way that it names makes every object anew", async () => {
  const { gate, tag } = await made();
  for (const end of ["", "-wal", "-shm"]) rmSync(`${fileIn(folder)}${end}`, { force: true });
  const run = runOf();
  await expect(run(catalog.gate).refresh(gate)).rejects.toThrow(said);
  // Pulumi asks for all at once: the others keep what state has.
  expect((await run(catalog.tag).refresh(tag))?.id).toBe(tag.id);
  // Also after an up has made something in the new file.
  await runOf()(catalog.gate).up({ key: "another" });
  await expect(runOf()(catalog.gate).refresh(gate)).rejects.toThrow(said);
  const move = () => runOf({ FEATURE_CONSOLE_MOVE: "1" })(catalog.gate);
  await move().destroy(gate);
  expect(await move().up({ key: "checkout" })).toMatchObject({ id: "checkout" });
  expect(statSync(path.join(folder, ".feature-console", "journal")).mode & 0o777).toBe(0o700);
});

test("an object that somebody deleted is gone, and one of a copied file is there", async () => {
  const { gate, tag } = await made();
  const byHand = runOf()(catalog.gate).calls();
  await byHand.delete(gate.id, { ...gate.outputs, onDelete: "delete" });
  expect(await runOf()(catalog.gate).refresh(gate)).toBeUndefined();
  const copy = path.join(folder, "copy");
  mkdirSync(path.dirname(fileIn(copy)), { recursive: true });
  await pause(200);
  copyFileSync(fileIn(folder), fileIn(copy));
  expect((await runOf({}, copy)(catalog.tag).refresh(tag))?.id).toBe(tag.id);
});

test.each([
  ["is in no folder", "a_file/console.db"],
  ["is a folder", ""],
  ["is another file", "a_file"],
])("an embedded console whose path %s says at once which setting is wrong", async (_, name) => {
  writeFileSync(path.join(folder, "a_file"), "This is no database. ".repeat(100));
  const embeddedPath = path.join(folder, name);
  const run = runOf({}, folder, { "feature-console:embeddedPath": embeddedPath });
  await expect(run(catalog.gate).up({ key: "flag_one" })).rejects.toThrow(
    `feature-console:embeddedPath: the embedded console cannot keep its data in "${embeddedPath}"`,
  );
});
