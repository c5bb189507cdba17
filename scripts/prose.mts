import { createHash } from "node:crypto";
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { lintFiles } from "./prose/lint.ts";

const help = `npm run prose [-- FOLDER or FILE …] [--count]

Lists the sentences that break the rules of language which a machine can hold: in pages, messages, help texts and trait docs.
--count  Prints the number of findings of each room instead.`;

/** Pages and programs that people read, without generated ones: their sentences come from trait docs. */
const read = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "docs/**/*.md",
  "examples/*/README.md",
  "policy/README.md",
];
const programs = ["src/**/*.ts", "policy/src/**/*.ts"];
const generated = ["docs/reference/", "src/generated/"];

/** Rooms and pages whose sentences are not all mended. */
const notYet = ["src/provider/words/", "src/emulator/"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
});
const root = path.join(import.meta.dirname, "..");
const isAsked = (file: string) =>
  positionals.length === 0
    ? !notYet.some((room) => file.startsWith(room))
    : positionals.some((asked) => file.startsWith(path.normalize(asked)));
const files = globSync([...read, ...programs], { cwd: root, exclude: (name) => name === "node_modules" })
  .filter((file) => !generated.some((folder) => file.startsWith(folder)) && isAsked(file))
  .sort();

/** Digests of files without a finding, with the rules: they are not read again until one of both changes. */
const cacheFile = path.join(root, "node_modules", ".cache", "prose.json");
const ruleFolder = path.join(import.meta.dirname, "prose");
const rules = readdirSync(ruleFolder).map((name) => readFileSync(path.join(ruleFolder, name), "utf8"));
const digestOf = (file: string) =>
  createHash("sha256")
    .update([...rules, file, readFileSync(path.join(root, file), "utf8")].join("\0"))
    .digest("base64");

function knownDigests(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(readFileSync(cacheFile, "utf8")) as string[]);
  } catch {
    return new Set();
  }
}

if (values.help) {
  console.log(help);
} else {
  const digests = new Map(files.map((file) => [file, digestOf(file)] as const));
  const known = knownDigests();
  const findings = await lintFiles(
    root,
    files.filter((file) => !known.has(digests.get(file) ?? "")),
  );
  for (const { file } of findings) digests.delete(file);
  mkdirSync(path.dirname(cacheFile), { recursive: true });
  writeFileSync(cacheFile, JSON.stringify([...digests.values()]));
  if (values.count) {
    const rooms = new Map<string, number>();
    for (const { file } of findings) rooms.set(path.dirname(file), (rooms.get(path.dirname(file)) ?? 0) + 1);
    for (const [room, count] of rooms) console.log(`${count}\t${room}`);
  } else {
    for (const { file, line, message } of findings) console.log(`${file}:${line}  ${message}`);
  }
  console.log(`${files.length} files, ${findings.length} findings`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
