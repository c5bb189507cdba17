import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";

const root = path.join(__dirname, "..", "..");
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...["docs", "spec"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => path.join(folder, name)),
  ),
  ...readdirSync(path.join(root, "examples"))
    .map((name) => path.join("examples", name, "README.md"))
    .filter((page) => existsSync(path.join(root, page))),
];

/** The name by which a link finds a heading, as the usual viewers make it. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

const textOf = (page: string): string =>
  readFileSync(path.join(root, page), "utf8").replaceAll(/```.*?```/gs, "");

/** Links of a page that lead nowhere. */
function lostIn(page: string, text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? page : path.join(path.dirname(page), file);
    if (file !== "" && !existsSync(path.join(root, target))) return true;
    if (anchor === undefined) return false;
    const headings = (file === "" ? text : textOf(target)).matchAll(/^#+ (.*)$/gm);
    return ![...headings].some(([, heading = ""]) => anchorOf(heading) === anchor);
  });
}

test.each(pages)("every link of %s leads somewhere", (page) => {
  expect(lostIn(page, textOf(page))).toEqual([]);
});

test("a link to a page or a heading that there is not is found", () => {
  const text =
    "# Here\n[a](#here) [b](#there) [c](reference/gate.md#gaterule) [d](reference/gaet.md) [e](../README.md#x)";
  expect(lostIn("docs/page.md", text)).toEqual(["#there", "reference/gaet.md", "../README.md#x"]);
});

/** Paths of code that a page names, below the repository or below `src`. */
function lostFiles(page: string): string[] {
  const text = readFileSync(path.join(root, page), "utf8");
  const files = [...text.matchAll(/`((?:[\w-]+\/)+[\w-]+\.(?:ts|mts|cjs|json))`/g)].map(
    ([, file = ""]) => file,
  );
  return files.filter((file) => !["", "src"].some((folder) => existsSync(path.join(root, folder, file))));
}

test.each(["architecture.md", "adding-a-field.md", "adding-a-resource.md", "creating-an-object.md"])(
  "every file that docs/%s names exists",
  (name) => expect(lostFiles(`docs/${name}`)).toEqual([]),
);

test("every function of the page about a create stands in the file that its row names", () => {
  const page = readFileSync(path.join(root, "docs", "creating-an-object.md"), "utf8");
  const rows = [...page.matchAll(/^\| [^|]+ \| ([^|]+) \| `([^`|]+\.ts)` \|/gm)];
  expect(rows.length).toBeGreaterThan(10);
  for (const [row, functions = "", file = ""] of rows) {
    const code = readFileSync(path.join(root, "src", file), "utf8");
    for (const [, name = ""] of functions.matchAll(/`(\w+)`/g))
      if (!new RegExp(`\\b${name}\\b`).test(code)) throw new Error(`${file} has no ${name}: ${row}`);
  }
});
