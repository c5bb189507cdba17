import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, statSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type ImportDesk, openImportDesk } from "./desk";

let api: ImportDesk;
beforeEach(async () => {
  api = await openImportDesk({ gates: [{ id: "checkout", name: "Checkout", description: "New checkout" }] });
});
afterEach(() => api.close());

const modeOf = (...names: string[]) => statSync(api.at(...names)).mode & 0o777;
const usualMode = 0o666 & ~process.umask();

test("what holds the console's data is for this user alone, and git sees the program alone", async () => {
  await api.import();
  expect(modeOf(".feature-console")).toBe(0o700);
  for (const name of readdirSync(api.at(".feature-console")))
    expect([name, modeOf(".feature-console", name)]).toEqual([name, 0o600]);
  expect(modeOf("gates.ts")).toBe(usualMode);
  spawnSync("git", ["init", "-q"], { cwd: api.folder });
  const { stdout } = spawnSync("git", ["status", "--porcelain", "-uall"], { cwd: api.folder });
  const seen = String(stdout)
    .split("\n")
    .filter((line) => line.includes(".feature-console"));
  expect(seen).toEqual(["?? .feature-console/import.json"]);
});

test("what an earlier version made open is closed, and a source keeps its mode", async () => {
  await api.import();
  chmodSync(api.at(".feature-console"), 0o755);
  for (const name of ["import.json", "import-dev.json"]) chmodSync(api.at(".feature-console", name), 0o644);
  chmodSync(api.at("gates.ts"), 0o640);
  api.write("gates.ts", `${api.read("gates.ts")}// mine\n`);
  await api.import({ force: true });
  expect(modeOf(".feature-console")).toBe(0o700);
  expect(modeOf(".feature-console", "import.json")).toBe(0o600);
  expect(modeOf(".feature-console", "import-dev.json")).toBe(0o600);
  expect(modeOf("gates.ts")).toBe(0o640);
});

test("a file that is read-only is refused before anything is written", async () => {
  api.write("gates.ts", "// mine\n");
  chmodSync(api.at("gates.ts"), 0o444);
  const before = readdirSync(api.folder);
  await expect(api.import({ force: true })).rejects.toThrow(
    /gates\.ts cannot be written: it is read-only; "chmod u\+w .*gates\.ts" makes it writable\. Nothing was written$/,
  );
  expect(readdirSync(api.folder)).toEqual(before);
  expect(api.read("gates.ts")).toBe("// mine\n");
});
