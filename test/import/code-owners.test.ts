import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { codeOwnersText, organizationOf } from "../../src/tools/import/code-owners";
import { type ImportDesk, openImportDesk } from "./desk";

let api: ImportDesk;
beforeEach(async () => {
  const gates = [{ name: "checkout", team: "Growth & Co" }, { name: "search", team: "core" }, { name: "m" }];
  const ids = Array.from({ length: 101 }, (_, at) => `user-${at}`);
  api = await openImportDesk({ gates, segments: [{ name: "vip", type: "id_list", team: "core", ids }] });
});
afterEach(() => api.close());

const importBy = (by: "team" | "kind", folder = api.folder) =>
  api.import({ by, folder, kinds: ["gates", "segments"] });

const git = (...args: string[]) => execFileSync("git", ["-C", api.folder, ...args], { stdio: "ignore" });
const linesOf = (folder: string) =>
  readFileSync(path.join(folder, "CODEOWNERS"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("/"));

test("an import by team makes each team the owner of its files, and nobody of the rest", async () => {
  git("init");
  git("remote", "add", "origin", "git@github.com:acme/flags.git");
  const folder = api.at("infra", "flags");
  mkdirSync(folder, { recursive: true });
  await importBy("team", folder);
  expect(linesOf(folder)).toEqual([
    "/infra/flags/core.ts @acme/core",
    "/infra/flags/growth-co.ts @acme/growth-co",
    "/infra/flags/ids/vip.txt @acme/core",
  ]);
  expect(readFileSync(path.join(folder, "CODEOWNERS"), "utf8")).toContain("at the root of the repository");
});

test("a second import leaves a file that people changed, and prints the lines", async () => {
  await importBy("team");
  // An import that groups otherwise takes its own file away.
  await importBy("kind");
  expect(() => linesOf(api.folder)).toThrow("ENOENT");
  await importBy("team");
  expect(linesOf(api.folder)[0]).toBe("/core.ts @ORGANIZATION/core");
  api.write("CODEOWNERS", "* @acme/platform\n");
  await importBy("team");
  expect(api.read("CODEOWNERS")).toBe("* @acme/platform\n");
  expect(api.lines.filter((line) => line.startsWith("CODEOWNERS stays as it is"))).toEqual([
    expect.stringContaining("/core.ts @ORGANIZATION/core"),
  ]);
});

test.each([
  ["git@github.com:acme/flags.git", "acme"],
  ["https://github.com/acme/flags", "acme"],
  ["ssh://git@gitlab.example.com:2222/acme/platform/flags.git", "acme/platform"],
  ["", undefined],
  ["../flags.git", undefined],
])("the organization of %j is %j", (remote, organization) => {
  expect(organizationOf(remote)).toBe(organization);
});

test("a space in a path is escaped", () => {
  const text = codeOwnersText(new Map([["core.ts", "core"]]), { organization: "acme", prefix: "my flags/" });
  expect(text.trimEnd().split("\n").at(-1)).toBe("/my\\ flags/core.ts @acme/core");
});
