import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { findings, writeAll } from "../../scripts/generate/disk";
import { refuseDroppedNames } from "../../scripts/generate/dynamic-v1";
import { definitions, dynamicV1File, generatedFiles } from "../../scripts/generate/files";

const repository = path.join(__dirname, "..", "..");
const files = generatedFiles(repository);
let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "generate-"));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

describe("the files on disk", () => {
  test("are written once, and then there is nothing to do", () => {
    expect(writeAll(root, files)).toHaveLength(files.size);
    expect(writeAll(root, files)).toEqual([]);
  });

  test("are named when they are missing, different or superfluous", () => {
    writeAll(root, files);
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
});

describe("names that stored state refers to", () => {
  const fewer = generatedFiles(
    repository,
    definitions.filter(({ name }) => name !== "layer"),
  );

  test("cannot be dropped, and then nothing is written", () => {
    writeAll(root, files);
    expect(() => writeAll(root, fewer)).toThrow(
      /exports layer, and the catalog no longer has a kind of that name/,
    );
    expect(() => findings(root, fewer)).toThrow(/exports layer/);
    expect(readFileSync(path.join(root, dynamicV1File), "utf8")).toBe(files.get(dynamicV1File));
    expect(findings(root, files)).toEqual([]);
  });

  test("can be added", () => {
    writeAll(root, fewer);
    expect(writeAll(root, files)).not.toEqual([]);
  });

  test("are those of any kind of export", () => {
    expect(() => refuseDroppedNames("export const one = 1;\nexport { two, three as four };\n", "")).toThrow(
      /one, two, four/,
    );
  });
});
