import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** Test files in portions, the nearest to a source file first: one of the first probably finds its fault. */
const portionSizes = [5, 15, 40, 100, 500];

/** What a test file loads that starts the Pulumi CLI. */
const startsCli = /support\/(pulumi-cli|packed-project|built-package|yaml-project|gitops-example|examples)"/;

/** The test files of a checkout, from its folder. */
export function testFiles(folder: string): string[] {
  return ["test", "policy/test"].flatMap((place) =>
    readdirSync(path.join(folder, place), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => path.posix.join(place, file.replaceAll("\\", "/"))),
  );
}

/** True for a test that runs the real CLI, itself or by what it imports beside itself: it takes many seconds. */
export function runsCli(folder: string, file: string): boolean {
  const text = readFileSync(path.join(folder, file), "utf8");
  const beside = [...text.matchAll(/from "(\.\/[^"]+)"/g)].flatMap(([, name = ""]) => {
    const module = path.join(folder, path.dirname(file), `${name}.ts`);
    return existsSync(module) ? [readFileSync(module, "utf8")] : [];
  });
  return [text, ...beside].some((one) => startsCli.test(one));
}

/** Test files of which one may find a fault in a source file, in portions to be run one after the other. */
export function portionsFor(folder: string, source: string, files: readonly string[]): string[][] {
  const words = new Set(wordsOf(source));
  const nearness = (file: string) => wordsOf(file).filter((word) => words.has(word)).length;
  const sizeOf = (file: string) => statSync(path.join(folder, file)).size;
  const sorted = files
    .map((file) => ({ file, near: nearness(file), size: sizeOf(file) }))
    .sort((one, other) => other.near - one.near || one.size - other.size)
    .map(({ file }) => file);
  const portions: string[][] = [];
  for (const size of portionSizes) if (sorted.length > 0) portions.push(sorted.splice(0, size));
  return portions;
}

/** The words of a path, in the singular. */
function wordsOf(file: string): string[] {
  const words = file.replace(/(\.test)?\.ts$/, "").split(/[/-]/);
  return words
    .map((word) => word.replace(/s$/, ""))
    .filter((word) => !["test", "src", "provider"].includes(word));
}
