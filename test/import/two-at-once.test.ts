import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import type { PulumiCommand } from "../../src/provider/pulumi/runs/cli";
import { type ImportDesk, openImportDesk } from "./desk";

const type = "pulumi-nodejs:dynamic/feature-console:Segment";
const resource = { type, urn: `urn:pulumi:dev::flags::${type}::staff`, id: "staff" };

let desk: ImportDesk;
beforeEach(async () => {
  desk = await openImportDesk({ segments: [{ name: "staff", id: "staff", type: "rule_based", rules: [] }] });
  const modules = path.join(desk.folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  symlinkSync(repositoryRoot, path.join(modules, "pulumi-feature-console"));
});
afterEach(() => desk.close());

/** A `pulumi` whose import finds that another one has taken away the file; after `ends` such tries that one has brought all in. */
function pulumiBesideAnother(ends: number): PulumiCommand {
  let tries = 0;
  return ([verb, what]) => {
    if (verb === "import") {
      tries += 1;
      rmSync(path.join(desk.folder, ".feature-console", "import-dev.json"));
      const stderr = "error: could not read import file: open import-dev.json: no such file or directory";
      return Promise.resolve({ status: 255, stdout: "", stderr });
    }
    const answers: Record<string, unknown> = {
      "stack ls": [{ name: "dev" }],
      "stack export": { deployment: { resources: tries >= ends ? [resource] : [] } },
      "preview --json": { steps: [] },
    };
    return Promise.resolve({ status: 0, stdout: JSON.stringify(answers[`${verb} ${what}`]), stderr: "" });
  };
}
const importing = (ends: number) =>
  desk.import({ kinds: ["segments"], run: true, stack: "dev" }, pulumiBesideAnother(ends));

test("of two imports at once the second goes on where the first has ended", async () => {
  const { state } = await importing(1);
  expect(state).toEqual({ stack: "dev", added: 0, changes: [] });
});

test("where others go on, it says so", async () => {
  await expect(importing(3)).rejects.toThrow(/^other imports are going on in .*Wait until they have ended/);
});
