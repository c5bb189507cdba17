import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { run } from "../scripts/process/run";
import { repositoryRoot } from "../scripts/pulumi-cli/environment";
import { folderOnPath } from "../scripts/pulumi-cli/on-path";
import { nodeProblem } from "../src/node-version";
import { folderOfFile } from "./support/folders";

describe("the version of Node", () => {
  test.each([
    "22.19.0",
    "22.19.1",
    "22.20.0",
    "23.0.0",
    "24.9.0",
    "100.0.0",
    "22.19.0-nightly2025",
    "25.0.0-rc.1",
  ])("%s runs", (version) => expect(nodeProblem(version)).toBeUndefined());

  test.each(["22.18.9", "22.2.0", "22.0.0", "20.20.2", "18.0.0", "9.22.0", "0.10.48", ""])(
    "%j is told to be too old, with what is needed and what to do",
    (version) =>
      expect(nodeProblem(version)).toBe(
        `pulumi-feature-console needs Node 22.19 or newer; this is ${version}. Install a newer Node, or put one first on PATH.`,
      ),
  );
});

const commands = folderOfFile();
const launcher = path.join(repositoryRoot, "plugin", "pulumi-resource-feature-console");
const needed = "pulumi-feature-console needs Node 22.19 or newer, and PATH has none.";

test("the plugin of the npm package says that no Node is there", async () => {
  for (const name of ["sh", "dirname"])
    symlinkSync(path.join(folderOnPath(name, process.env.PATH ?? "") ?? "", name), path.join(commands, name));
  const without = await run(launcher, [], { env: { PATH: commands } });
  expect([without.code, without.stderr]).toEqual([1, expect.stringContaining(needed)]);

  // Any program called so gets the plugin and its arguments.
  symlinkSync(
    path.join(folderOnPath("echo", process.env.PATH ?? "") ?? "", "echo"),
    path.join(commands, "node"),
  );
  const started = await run(launcher, ["127.0.0.1:1"], { env: { PATH: commands } });
  expect(started.stdout).toBe(`${path.join(repositoryRoot, "plugin")}/../dist/plugin.js 127.0.0.1:1\n`);
  expect(readFileSync(`${launcher}.cmd`, "utf8")).toContain(needed);
});
