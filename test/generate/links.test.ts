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
