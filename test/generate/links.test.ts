import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { packedNodeModules } from "../support/built-package";

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

const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset)="([^"]+)"/g)]
    .map(([, link, picture = ""]) => link ?? picture)
    .filter((link) => !/^[a-z]+:/.test(link));

function lostIn(page: string, text: string): string[] {
  return linksIn(text).filter((link) => {
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

/** What npm would publish. */
const packed = packedNodeModules().then((modules) => {
  const folder = path.join(modules, "pulumi-feature-console");
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Set(files.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name))));
});

test("every link of a page that npm publishes leads to a file that it publishes too", async () => {
  const published = await packed;
  const folders = new Set([...published].flatMap((file) => parents(file)));
  const lost = [...published]
    .filter((file) => file.endsWith(".md"))
    .flatMap((page) =>
      linksIn(textOf(page)).flatMap((link) => {
        const [file = ""] = link.split("#");
        const target = path.posix.join(path.posix.dirname(page), file).replace(/\/$/, "");
        return file === "" || published.has(target) || folders.has(target) ? [] : `${page}: ${link}`;
      }),
    );
  expect(lost).toEqual([]);
});

function parents(file: string): string[] {
  const folder = path.posix.dirname(file);
  return folder === "." ? [] : [folder, ...parents(folder)];
}

test("no page installs this package, or starts its commands, by a name that anybody may take in a registry", async () => {
  const published = [...(await packed)].filter((file) => file.endsWith(".md"));
  const installs = /(?:npm (?:install|i)|pnpm add|yarn add|bun add)\b[^\n`|]*/g;
  for (const page of [...new Set([...pages, ...published, "policy/README.md"])].filter(isOurs)) {
    const lines = readFileSync(path.join(root, page), "utf8").match(installs) ?? [];
    expect([
      page,
      lines.filter((line) => / pulumi-feature-console(?:-policy)?(?:@|\s|$)/.test(line)),
    ]).toEqual([page, []]);
  }
  expect(textOf("docs/commands.md")).toContain(
    "Elsewhere npx offers a package of that name from the registry",
  );
});

/** Changes of the past stand as they were. */
const isOurs = (page: string) => !page.endsWith("CHANGELOG.md");

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

test("every name in a row of the page about a create stands in the file of the row", () => {
  const page = readFileSync(path.join(root, "docs", "creating-an-object.md"), "utf8");
  const rows = [...page.matchAll(/^\| [^|]+ \| ([^|]+) \| `([^`|]+\.ts)` \| (.+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(10);
  for (const [row, functions = "", file = "", job = ""] of rows) {
    const code = readFileSync(path.join(root, "src", file), "utf8");
    for (const [, name = ""] of `${functions} ${job}`.matchAll(/`#?(\w+)`/g))
      if (!new RegExp(`\\b${name}\\b`).test(code)) throw new Error(`${file} has no ${name}: ${row}`);
  }
});
