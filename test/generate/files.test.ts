import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { definitions, generatedFiles } from "../../scripts/generate/files";
import { generatedNotice } from "../../scripts/generate/typescript";
import { type ConditionType, conditionTypes } from "../../src/provider/definitions/parts/condition-types";
import { conditions } from "../samples/conditions";

const root = path.join(__dirname, "..", "..");
const files = generatedFiles(root);

function text(file: string): string {
  const found = files.get(file);
  if (found === undefined) throw new Error(`nothing generates ${file}`);
  return found;
}

describe("generated files", () => {
  test("come out the same each time", () => {
    expect([...generatedFiles(root)]).toEqual([...files]);
  });

  // JSON has no comments.
  const commentable = [...files.keys()].filter((file) => !file.endsWith(".json"));
  test.each(commentable)("%s says that it is generated", (file) => {
    expect(text(file).split("\n")[0]).toContain(generatedNotice);
  });

  test.each(definitions.map(({ kind, name }) => [kind, name]))(
    "%s has a class and a stored name",
    (kind, name) => {
      const type = `(?:${kind}Class|ResourceClass<${kind}Args, ${kind}State, "${kind}">)`;
      expect(text("src/generated/classes.ts")).toMatch(new RegExp(`export const ${kind}: ${type} = `));
      const provider = `export const ${name} = providerOf(managed.${name});`;
      expect(text("src/generated/dynamic-v1.ts")).toContain(provider);
      expect(text("docs/reference/README.md")).toContain(`- [${kind}](`);
    },
  );
});

describe("a page of the reference", () => {
  test.each([
    ["an id", "gate", "id of a [ReleasePipeline](release-pipeline.md)"],
    ["a name that is the id", "gate", "name of a [UnitIdType](unit-id-type.md)"],
    ["a name beside the id", "gate", "name of a [TargetApp](target-app.md)"],
    ["an element of the one object of a kind", "gate", "name in [Environments](environments.md)"],
    ["what a type tells", "conditions", '`"fails_gate"` id of a [Gate](gate.md)'],
    ["a nested member", "param-store", "id of an [Experiment](experiment.md)"],
  ])("links the kind that is meant: %s of a %s", (_, kind, expected) => {
    expect(text(`docs/reference/${kind}.md`)).toContain(expected);
  });

  test("lists under a condition of a segment the types alone that it can have", () => {
    const [, ofSegments = ""] = text("docs/reference/conditions.md").split("### SegmentConditionArgs");
    expect(ofSegments).toContain('`"fails_segment"`');
    expect(ofSegments).not.toContain("fails_gate");
  });

  test("tells an option on its own page where it differs from kind to kind, and else in the list of all", () => {
    expect(text("docs/reference/layer.md")).toContain("Left out: delete.");
    expect(text("docs/reference/gate.md")).not.toContain("Left out: the setting of the provider");
    expect(text("docs/reference/README.md")).toContain("- `overwriteConsoleEdits` (`boolean`): ");
  });
});

test("the reference shows a condition of each type of which a form is known", () => {
  const known = Object.entries<ConditionType>(conditionTypes).filter(([, type]) => type.operators !== "any");
  expect(conditions.map(({ type }) => type)).toEqual(known.map(([name]) => name));
});

describe("interfaces", () => {
  const gate = text("src/generated/gate.ts");
  const common = text("src/generated/common-members.ts");

  test("take from one place what several kinds have", () => {
    const doc = "/** Tag names. Default: `[]`. Removing it empties it. */";
    expect(gate).toContain('extends Pick<CommonArgs, "tags" |');
    expect([gate.includes(doc), common.split(doc).length - 1]).toEqual([false, 1]);
  });
});

describe("the reference", () => {
  const unreadable = "cannot be read; state keeps the number and hashes of what the program said.";
  test.each([
    ["segment", "Create: `POST /segments`, then `ids` as an update would."],
    ["segment", `\`ids\` of \`type: "user_store_id_list"\`: ${unreadable}`],
    ["segment", "at most 1000 in one request."],
    ["segment", 'is refused before anything is sent; with `onImmutableChange: "replace"` it replaces.'],
    ["segment", "delete (default): `DELETE /segments/{id}`"],
    ["assignment-source", "The API has no read of one assignment source."],
    ["alert", "one that is equal is refused"],
    ["tag", "It shows neither a version nor a time of change: edits are detected by their values."],
  ])("says of a %s: %s", (kind, sentence) => {
    expect(text(`docs/reference/${kind}.md`)).toContain(sentence);
  });
});
