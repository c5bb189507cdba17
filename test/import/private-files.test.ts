import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, statSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type ImportDesk, openImportDesk } from "./desk";

let desk: ImportDesk;
beforeEach(async () => {
  desk = await openImportDesk({ gates: [{ id: "checkout", name: "Checkout", description: "New checkout" }] });
});
afterEach(() => desk.close());

const modeOf = (...names: string[]) => statSync(desk.at(...names)).mode & 0o777;
const usualMode = 0o666 & ~process.umask();

test("what holds the console's data is for this user alone, and git sees the program alone", async () => {
  await desk.import();
  expect(modeOf(".feature-console")).toBe(0o700);
  for (const name of readdirSync(desk.at(".feature-console")))
    expect([name, modeOf(".feature-console", name)]).toEqual([name, 0o600]);
  expect(modeOf("gates.ts")).toBe(usualMode);
  spawnSync("git", ["init", "-q"], { cwd: desk.folder });
  const { stdout } = spawnSync("git", ["status", "--porcelain", "-uall"], { cwd: desk.folder });
  const seen = String(stdout)
    .split("\n")
    .filter((line) => line.includes(".feature-console"));
  expect(seen).toEqual(["?? .feature-console/import.json"]);
});

test("what an earlier version made open is closed, and a source keeps its mode", async () => {
  await desk.import();
  chmodSync(desk.at(".feature-console"), 0o755);
  for (const name of ["import.json", "import-dev.json"]) chmodSync(desk.at(".feature-console", name), 0o644);
  chmodSync(desk.at("gates.ts"), 0o640);
  desk.write("gates.ts", `${desk.read("gates.ts")}// mine\n`);
  await desk.import({ force: true });
  expect(modeOf(".feature-console")).toBe(0o700);
  expect(modeOf(".feature-console", "import.json")).toBe(0o600);
  expect(modeOf(".feature-console", "import-dev.json")).toBe(0o600);
  expect(modeOf("gates.ts")).toBe(0o640);
});

test("a file that is read-only is refused before anything is written", async () => {
  desk.write("gates.ts", "// mine\n");
  chmodSync(desk.at("gates.ts"), 0o444);
  const before = readdirSync(desk.folder);
  await expect(desk.import({ force: true })).rejects.toThrow(
    /gates\.ts cannot be written: it is read-only; "chmod u\+w .*gates\.ts" makes it writable\. Nothing was written$/,
  );
  expect(readdirSync(desk.folder)).toEqual(before);
  expect(desk.read("gates.ts")).toBe("// mine\n");
});

test("so is a folder", async () => {
  chmodSync(desk.folder, 0o555);
  await expect(desk.import()).rejects.toThrow(
    /cannot be written: its folder is read-only; .*Nothing was written$/,
  );
  chmodSync(desk.folder, 0o755);
  expect(readdirSync(desk.folder)).toEqual([]);
});
