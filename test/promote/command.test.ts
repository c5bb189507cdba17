import { expect, test } from "@jest/globals";
import { compare } from "../../src/tools/cli/compare";
import { drift } from "../../src/tools/cli/drift";
import { carriedOut } from "../../src/tools/cli/planned-change";
import { promote } from "../../src/tools/cli/promote";
import { rollback } from "../../src/tools/cli/rollback";
import type { Acceptance, ProgramPorts } from "../../src/tools/rewrite/into-program";
import { runCommand } from "../cli/run-command";
import { freshFolder } from "../support/folders";

test.each<[string, string[], string]>([
  ["one stack", ["dev"], "TO is missing: feature-console promote FROM TO [NAME...] [options]"],
  ["one stack twice", ["dev", "dev"], 'both stacks are "dev"'],
  ["one stack by two names", ["dev", "acme/shop/dev"], 'both stacks are "dev"'],
  ["a first --keep that is none", ["dev", "prod", "--keep", "all", "--keep", "ids"], "all"],
  ["a second --keep that is none", ["dev", "prod", "--keep", "percentages", "--keep", "all"], "all"],
])("%s is refused before anything is read", async (_, args, text) => {
  await expect(promote.run([...args, "--yes"])).rejects.toThrow(text);
});

test("outside a project, a command says where to run it", async () => {
  const cwd = freshFolder();
  for (const [command, ...args] of [
    [promote, "dev", "prod"],
    [rollback, "checkout", "--to", "1"],
    [compare, "dev", "prod"],
    [drift],
  ] as const)
    expect(await runCommand(command, args, { cwd })).toMatchObject({
      status: 2,
      errors: expect.stringContaining("there is no Pulumi.yaml here or above: run it in the folder of your"),
    });
  const place = { cwd, env: { PATH: "" } };
  const { errors } = await runCommand(compare, ["acme/shop/dev", "acme/shop/prod"], place);
  expect(errors).toContain("the Pulumi CLI does not start");
});

test("where no person can answer, the plan is shown and nothing is written", async () => {
  const acceptance = { changes: new Map([["index.ts", {}]]), outcomes: [] } as unknown as Acceptance;
  const options = { patch: false, yes: false };
  const written = carriedOut("The plan.\n", acceptance, freshFolder(), {} as ProgramPorts, options);
  await expect(written).rejects.toThrow("nothing is written: give --yes, or --patch, where no person can");
});
