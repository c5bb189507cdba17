import { expect, test } from "@jest/globals";
import { promote } from "../../src/tools/cli/promote";
import { rollback } from "../../src/tools/cli/rollback";
import { runCommand } from "../cli/run-command";

test.each<[string, string[], string]>([
  ["one stack", ["dev"], "TO is missing: feature-console promote FROM TO [NAME...] [options]"],
  ["one stack twice", ["dev", "dev"], 'both stacks are "dev"'],
  ["one stack by two names", ["dev", "acme/shop/dev"], 'both stacks are "dev"'],
  ["a first --keep that is none", ["dev", "prod", "--keep", "all", "--keep", "ids"], "all"],
  ["a second --keep that is none", ["dev", "prod", "--keep", "percentages", "--keep", "all"], "all"],
])("%s is refused before anything is read", async (_, args, text) => {
  await expect(promote.run([...args, "--yes"])).rejects.toThrow(text);
});

test("where no person can answer, a way without a question is asked for before anything is read", async () => {
  const promoted = await runCommand(promote, ["dev", "prod"]);
  expect(promoted).toMatchObject({
    status: 2,
    errors: expect.stringContaining(": give --yes, --dry-run or --patch "),
  });
  const back = await runCommand(rollback, ["checkout", "--to", "1"]);
  expect(back).toMatchObject({ status: 2, errors: expect.stringContaining(": give --yes or --patch ") });
});
