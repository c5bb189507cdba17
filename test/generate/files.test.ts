import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { findings, writeAll } from "../../scripts/generate/disk";
import { refuseDroppedNames } from "../../scripts/generate/dynamic-v1";
import { definitions, dynamicV1File, generatedFiles } from "../../scripts/generate/files";
import { kebab } from "../../scripts/generate/names";
import { generatedNotice } from "../../scripts/generate/typescript";
import { type ConditionType, conditionTypes } from "../../src/provider/definitions/parts/condition-types";
import { conditions } from "../samples/conditions";
import { freshFolder } from "../support/folders";

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
      expect(text("docs/reference/README.md")).toMatch(new RegExp(`^- \\[.*\\b${kind}\\b.*\\]\\(`, "m"));
    },
  );
});

describe("a page of the reference", () => {
  test.each([
    ["an id", "gate", "id of a [ReleasePipeline](release-pipeline.md)"],
    ["a name that is the id", "gate", "name of a [UnitIdType](unit-id-type.md)"],
    ["a name beside the id", "README", "name of a [TargetApp](target-app.md)"],
    ["an element of the one object of a kind", "gate", "name in [Environments](environments.md)"],
    ["what a type tells", "conditions", '`"fails_gate"` id of a [Gate](gate.md)'],
    ["a nested member", "param-store", "id of an [Experiment](experiment.md)"],
  ])("links the kind that is meant: %s, page %s", (_, kind, expected) => {
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

  test("tells an argument on its own page where it differs from most kinds, and else names it", () => {
    const own = "- `tags` (`string[]`; name of a [Tag](tag.md); *fixed*): Tag names.";
    expect(text("docs/reference/segment.md")).toContain(own);
    expect(text("docs/reference/gate.md")).toMatch(
      /^- `tags`, .*: \[common arguments\]\(README.md#common-arguments\)\.$/m,
    );
    expect(text("docs/reference/README.md")).toContain(own.replace("; *fixed*", ""));
  });

  test("links the members of a nested object that another page describes", () => {
    const link = "The same as [DynamicConfigOwnerArgs](dynamic-config.md#dynamicconfigownerargs).";
    expect(text("docs/reference/prompt.md")).toContain(link);
    expect(text("docs/reference/dynamic-config.md")).toContain("- `ownerType` (`string | null`): ");
  });

  test("has one section for actions that say the same", () => {
    const page = text("docs/reference/reviews.md");
    expect(page).toContain("## DynamicConfigReviewApproval, ExperimentReviewApproval, GateReviewApproval");
    for (const argument of ["dynamicConfig", "experiment", "gate", "review"])
      expect(page.split(`- \`${argument}\` (`)).toHaveLength(2);
    expect(page.match(/`reason` .*: /g)).toEqual([
      "`reason` (`string`; not empty): ",
      "`reason` (`string`; required; not empty): ",
    ]);
  });
});

test.each(definitions.filter(({ lifecycle }) => lifecycle.create.how !== "run").map(({ kind }) => kind))(
  "the page of a %s links an example in YAML and in Python that makes one",
  (kind) => {
    const page = files.get(`docs/reference/${kebab(kind)}.md`) ?? "";
    const [, yaml = "", python = ""] = /^In \[YAML\]\((.+)\) and \[Python\]\((.+)\)\.$/m.exec(page) ?? [];
    const { resources } = parse(text(`docs/reference/${yaml}`)) as {
      resources: Record<string, { type: string }>;
    };
    expect(Object.values(resources).map(({ type }) => type)).toContain(`feature-console:${kind}`);
    expect(text(`docs/reference/${python}`)).toContain(`fc.${kind}(`);
  },
);

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
  test.each([
    ["segment", '`ids` of `type: "user_store_id_list"` cannot be read: state keeps their number and hashes.'],
    ["segment", '(`"archive"`, `"delete"`, `"retain"`): The effect of destroy. Left out: delete.'],
    ["assignment-source", "The API has no read of one assignment source."],
    ["alert", "unless it is equal: then creation fails."],
    ["experiment", "from `decision_made` or `abandoned` to `setup` (needs `allowReset: true`)"],
    ["gate", 'A change of `idType` replaces it: gate "old" is archived first, and comes back'],
    ["key", "`id`: a digest of the first `value`; a new value does not change it."],
    ["prompt", "A change of `name` replaces it: the old object stays, and another one is created."],
    ["warehouse-connection", "*kept*; secret): Connection to Snowflake."],
  ])("says of a %s: %s", (kind, sentence) => {
    expect(text(`docs/reference/${kind}.md`)).toContain(sentence);
  });

  test("lists the kinds whose edits show by their values alone", () => {
    const [, byValue = ""] =
      /where reads show neither, by value: (.*)/.exec(text("docs/reference/README.md")) ?? [];
    expect(byValue).toContain("[Tag](tag.md)");
    expect(byValue).not.toMatch(/\[(?:Gate|Metric|WarehouseConnection|GateLaunch)\]/);
  });

  test.each(definitions.map(({ kind }) => kind))("names no request of a %s", (kind) => {
    const pages = [...files].filter(([file]) => file.startsWith("docs/reference/"));
    const page = pages.find(([, content]) => new RegExp(`^##? .*\\b${kind}\\b`, "m").test(content));
    expect(page?.[1]).not.toMatch(/\b(?:GET|POST|PUT|PATCH|DELETE) \//);
  });
});

describe("on the disk", () => {
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
});
