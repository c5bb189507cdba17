import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Every page in which people read of a tarball of ours, by the version that its package.json has: file → text. */
export function pagesOfTarballs(
  root: string,
  written: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const names = ["package.json", "policy/package.json"].map((manifest) => {
    const { name, version } = JSON.parse(readFileSync(path.join(root, manifest), "utf8"));
    return { called: new RegExp(`\\b${name}-\\d+\\.\\d+\\.\\d+\\.tgz`, "g"), name: `${name}-${version}.tgz` };
  });
  const docs = readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => path.posix.join("docs", file.replaceAll(path.sep, "/")));
  const pages = new Map<string, string>();
  for (const file of ["README.md", "policy/README.md", ...docs]) {
    const text = written.get(file) ?? readFileSync(path.join(root, file), "utf8");
    const isNamed = names.some(({ called }) => text.search(called) >= 0);
    if (isNamed)
      pages.set(
        file,
        names.reduce((is, { called, name }) => is.replace(called, name), text),
      );
  }
  return pages;
}
