import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import type { PulumiCommand } from "../../src/provider/pulumi/runs/cli";
import { lockHolders, withLock } from "../../src/tools/stack/stack-lock";
import { type ImportDesk, inState, openImportDesk, pulumiOf } from "./desk";

const locked =
  "error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with `pulumi cancel`.\n" +
  "  file:///state/.pulumi/locks/1.json: created by dev@laptop (pid 4711) at 2026-01-02T03:04:05Z\n";
const done = { status: 0, stderr: "", stdout: "" };
const refused = { status: 255, stderr: locked, stdout: "" };
const cancel = "cancel --yes --stack dev";

test("who holds a lock is read from what Pulumi says", () => {
  expect(lockHolders(locked)).toEqual([{ host: "laptop", pid: 4711 }]);
  expect(lockHolders("error: something else")).toEqual([]);
});

test.each([
  ["that a killed process left is taken away", false, ["import", cancel, "import"], [refused, done]],
  ["of a process that runs is waited for", true, ["import", "import", "import"], [refused, refused, done]],
  [
    "that cannot be taken away is told, and not tried for ever",
    false,
    ["import", cancel, "import"],
    [refused, refused],
  ],
])("a lock %s", async (_, isRunning, commands, answers) => {
  const asked: string[] = [];
  const left = [...answers];
  const pulumi: PulumiCommand = (args) => {
    asked.push(args.join(" "));
    return Promise.resolve((args[0] === "cancel" ? done : left.shift()) ?? refused);
  };
  const ports = { sleep: () => Promise.resolve(), report: () => undefined, isAlive: () => isRunning };
  expect(await withLock(pulumi, "dev", ["import"], ports)).toMatchObject(answers.at(-1) ?? done);
  expect(asked).toEqual(commands);
});

describe("a stack", () => {
  const options = { kinds: ["gates", "segments"], run: true, stack: "dev" };
  let api: ImportDesk;
  beforeEach(async () => {
    api = await openImportDesk({
      segments: [{ name: "staff", id: "staff", type: "rule_based", rules: [] }],
      gates: [{ name: "old", id: "old" }],
    });
  });
  afterEach(() => api.close());

  const install = () => {
    mkdirSync(api.at("node_modules"));
    symlinkSync(repositoryRoot, api.at("node_modules", "pulumi-feature-console"));
  };

  /** Imports beside another import, which takes the file away; after `ends` such tries it has brought all in. */
  const importBesideAnother = (ends: number) => {
    install();
    let tries = 0;
    const both = [inState("Segment", "staff"), inState("Gate", "old")];
    const pulumi = pulumiOf(() => (tries >= ends ? both : []));
    return api.import(options, (args) => {
      if (args[0] !== "import") return pulumi(args);
      tries += 1;
      rmSync(api.at(".feature-console", "import-dev.json"));
      const stderr = "error: could not read import file: open import-dev.json: no such file or directory";
      return Promise.resolve({ status: 255, stdout: "", stderr });
    });
  };

  test("that another import fills at the same time: the second goes on where the first has ended", async () => {
    expect((await importBesideAnother(1)).state).toEqual({ stack: "dev", added: 0, changes: [] });
  });

  test("that other imports go on filling: it says so", async () => {
    await expect(importBesideAnother(3)).rejects.toThrow(
      /^other imports are going on in .*Wait until they have ended/,
    );
  });

  test("that has an object under another name is told, and nothing is brought in", async () => {
    await api.import({ kinds: options.kinds });
    install();
    const state = [inState("Gate", "the old one", "old")];
    await expect(
      api.import(
        options,
        pulumiOf(() => state),
      ),
    ).rejects.toThrow(
      'stack dev has these under other names, or other objects under these names: gate "old" (there as "the old one")',
    );
  });

  test("of another project of the same name is not taken, and no file is left", async () => {
    const pulumi = pulumiOf(() => [inState("Gate", "of another folder")]);
    await expect(api.import(options, pulumi)).rejects.toThrow(
      /^stack dev of project .* is there, with 1 resource outside .* such as "of another folder"/,
    );
    expect(readdirSync(api.folder)).toEqual([]);
    // One that was there is its owner's, whatever else its stack has.
    api.write("Pulumi.yaml", "name: mine\nruntime: nodejs\n");
    await expect(api.import(options, pulumi)).rejects.toThrow("its packages are not installed");
    expect(readdirSync(api.folder)).toContain("gates.ts");
  });
});
