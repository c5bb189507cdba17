import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { patchedText } from "../world/source-copy";
import { plantedFaults } from "./faults";
import { readRecord } from "./record";

// Which test finds each of them, `npm run prove -- planted` looks.

test.each(plantedFaults.map((fault) => [fault.name, fault] as const))(
  "the source still has the place for this fault: %s",
  (_, fault) => {
    const text = readFileSync(path.join(repositoryRoot, "src", fault.file), "utf8");
    expect(() => patchedText(text, fault)).not.toThrow();
  },
);

test("each fault has a name of its own, and an entry in the record of what found it", () => {
  const names = plantedFaults.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(readRecord()).sort()).toEqual([...names].sort());
});
