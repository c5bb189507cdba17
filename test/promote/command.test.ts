import { expect, test } from "@jest/globals";
import { promote } from "../../src/tools/cli/promote";

test.each<[string, string[], string]>([
  ["one stack", ["dev"], "two stacks are needed, found 1"],
  ["one stack twice", ["dev", "dev"], 'both stacks are "dev"'],
  ["one stack by two names", ["dev", "acme/shop/dev"], 'both stacks are "dev"'],
  ["a first --keep that is none", ["dev", "prod", "--keep", "all", "--keep", "ids"], "all"],
  ["a second --keep that is none", ["dev", "prod", "--keep", "percentages", "--keep", "all"], "all"],
])("%s is refused before anything is read", async (_, args, text) => {
  await expect(promote.run([...args, "--yes"])).rejects.toThrow(text);
});
