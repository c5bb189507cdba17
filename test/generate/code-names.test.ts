import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";

const root = path.join(__dirname, "..", "..");
const pageOf = (name: string) => readFileSync(path.join(root, "docs", name), "utf8");

/** Paths of code that a page names, below the repository or below `src`. */
function lostFiles(text: string): string[] {
  const files = [...text.matchAll(/`((?:[\w-]+\/)+[\w-]+\.(?:ts|mts|cjs|json))`/g)].map(
    ([, file = ""]) => file,
  );
  return files.filter((file) => !["", "src"].some((folder) => existsSync(path.join(root, folder, file))));
}

test.each(["architecture.md", "adding-a-field.md", "adding-a-resource.md", "creating-an-object.md"])(
  "every file that docs/%s names exists",
  (name) => expect(lostFiles(pageOf(name))).toEqual([]),
);

test("every function of the page about a create stands in the file that its row names", () => {
  const rows = [...pageOf("creating-an-object.md").matchAll(/^\| [^|]+ \| ([^|]+) \| `([^`|]+\.ts)` \|/gm)];
  expect(rows.length).toBeGreaterThan(10);
  for (const [row, functions = "", file = ""] of rows) {
    const code = readFileSync(path.join(root, "src", file), "utf8");
    for (const [, name = ""] of functions.matchAll(/`(\w+)`/g))
      if (!new RegExp(`\\b${name}\\b`).test(code)) throw new Error(`${file} has no ${name}: ${row}`);
  }
});
