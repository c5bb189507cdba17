import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { findings, writeAll } from "../../scripts/generate/disk";
import { refuseDroppedNames } from "../../scripts/generate/dynamic-v1";
import { definitions, dynamicV1File, generatedFiles } from "../../scripts/generate/files";
import { freshFolder } from "../support/folders";

const repository = path.join(__dirname, "..", "..");
const files = generatedFiles(repository);
let root: string;

beforeEach(() => {
  root = freshFolder();
});

test("files are named when they are missing, different or superfluous, and written once", () => {
  expect(writeAll(root, files)).toHaveLength(files.size);
  expect(writeAll(root, files)).toEqual([]);
  rmSync(path.join(root, "docs/reference/gate.md"));
  writeFileSync(path.join(root, "src/generated/gate.ts"), "edited");
  mkdirSync(path.join(root, "docs/reference/old"));
  writeFileSync(path.join(root, "docs/reference/old/gone.md"), "");
  const wrong = [
    { file: "src/generated/gate.ts", is: "different" },
    { file: "docs/reference/gate.md", is: "missing" },
    { file: "docs/reference/old/gone.md", is: "superfluous" },
  ];
  expect(findings(root, files)).toEqual(wrong);
  expect(writeAll(root, files)).toEqual(wrong);
  expect(findings(root, files)).toEqual([]);
});

test("names that stored state refers to can be added, and cannot be dropped: then nothing is written", () => {
  const others = definitions.filter(({ name }) => name !== "layer");
  const fewer = generatedFiles(repository, others);
  writeAll(root, fewer);
  expect(writeAll(root, files)).not.toEqual([]);
  const dropped = /exports layer, and the catalog no longer has a kind of that name/;
  for (const work of [writeAll, findings]) expect(() => work(root, fewer)).toThrow(dropped);
  expect(readFileSync(path.join(root, dynamicV1File), "utf8")).toBe(files.get(dynamicV1File));
  expect(findings(root, files)).toEqual([]);
  const exported = "export const one = 1;\nexport { two, three as four };\n";
  expect(() => refuseDroppedNames(exported, "")).toThrow(/one, two, four/);
});
