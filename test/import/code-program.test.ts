import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import type { PulumiCommand } from "../../src/provider/pulumi/runs/cli";
import type { ImportOptions } from "../../src/tools/import/import-project";
import { quotedText, readableText } from "../../src/tools/import/program/code-text";
import { goProgram } from "../../src/tools/import/program/go-program";
import { packageSchema } from "../../src/tools/import/program/typed-value";
import { languages } from "../../src/tools/import/program-language";
import { deskOf } from "../emulator/desk";
import { awkwardTexts } from "./console/texts";
import { type ImportDesk, inState, openImportDesk, pulumiOf } from "./desk";

const rules = (type: string, targetValue: unknown) => [
  { name: "One", passPercentage: 12.5, conditions: [{ type, targetValue }] },
];
const kinds = ["gates", "layers", "segments", "dynamic-configs"];

let api: ImportDesk;
beforeEach(async () => {
  api = await openImportDesk({
    gates: [
      { id: "checkout_v2", name: "checkout_v2", rules: rules("passes_segment", "staff") },
      { id: "for", name: "for", rules: rules("weather", ["rain"]), description: 'two\n"lines"' },
      { id: "staff", name: "staff" },
    ],
    layers: [{ id: "spaced_name", name: "Spaced: name", idType: "userID" }],
    segments: [
      { id: "staff", name: "staff", type: "rule_based" },
      { id: "many", name: "many", type: "id_list", ids: Array.from({ length: 101 }, (_, at) => `u${at}`) },
    ],
    dynamic_configs: [{ id: "sizes", name: "sizes", defaultValue: { a_b: [1, true], at: { x: 2 } } }],
  });
});
afterEach(() => api.close());

const made = (language: "python" | "go", file: string) => languages[language].madeIn(file, api.read(file));
const everything = [
  ...["DynamicConfig sizes", "Gate checkout_v2", "Gate for", "Gate staff"],
  ...["Layer Spaced: name", "Segment many", "Segment staff"],
];
const named = (found: ReturnType<typeof made>) => found.map(({ kind, name }) => `${kind} ${name}`).sort();

test("a console in Python has each resource under its name, types by class, references, and files of ids", async () => {
  await api.import({ language: "python", kinds });
  const text = api.read("__main__.py");
  expect(named(made("python", "__main__.py"))).toEqual(everything);
  expect(text).toContain(
    "from typing import Any, cast\nimport pulumi\nimport pulumi_feature_console as fc\n\n",
  );
  expect(text).toContain("target_value=[staff_segment.id]");
  expect(text).toContain('for_gate = fc.Gate(\n    "for",\n    description="""two\n"lines\\"""",');
  expect(text).toContain('conditions=[cast(Any, {"type": "weather", "targetValue": ["rain"]})]');
  expect(text).toContain('spaced_name = fc.Layer("Spaced: name", id_type="userID")');
  expect(text).toContain('ids=pulumi.FileAsset("./ids/many.txt")');
  expect(text).toContain('default_value={"a_b": [1, True], "at": {"x": 2}}');
  expect(text.indexOf("staff_segment = ")).toBeLessThan(text.indexOf("staff_segment.id"));
  expect(api.read("ids/many.txt").split("\n")).toHaveLength(102);
  expect(api.read("Pulumi.yaml")).toContain("runtime: python\n");
  expect(api.read(".gitignore")).toContain("/venv/\n");
});

test("a console in Go has typed values, a variable only where something refers to it, and a module", async () => {
  await api.import({ language: "go", kinds });
  const text = api.read("main.go");
  expect(named(made("go", "main.go"))).toEqual(everything);
  expect(text).toContain('staffSegment, err := fc.NewSegment(ctx, "staff"');
  expect(text).toContain("TargetValue: pulumi.StringArray{staffSegment.ID()}");
  expect(text).toContain('if _, err := fc.NewGate(ctx, "for", &fc.GateArgs{');
  expect(text).toContain('Description: pulumi.String(`two\n"lines"`)');
  expect(text).toContain('"at": pulumi.Map{"x": pulumi.Float64(2)}');
  expect(text).toContain('Ids: pulumi.NewFileAsset("./ids/many.txt")');
  expect(api.read("go.mod")).toMatch(/^module import-desk-[\w-]+\n\ngo 1\.25\n$/);
});

describe.each([
  ["python", "__main__.py", "# ours\nimport pulumi_feature_console as fc\n\nfresh = 1\n"],
  [
    "go",
    "main.go",
    'package main\n\nimport (\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t\treturn nil\n\t})\n}\n',
  ],
  [
    "yaml",
    "Main.yaml",
    "# ours\nresources:\n    fresh: # a name\n        type: random:RandomId\n# between\noutputs:\n    a: 1\n",
  ],
] as const)("a program in %s that is there", (language, file, before) => {
  const state: ReturnType<typeof inState>[] = [];
  const addNew = (more: Partial<ImportOptions> = {}, pulumi: PulumiCommand = pulumiOf(() => state)) =>
    api.import({ language, kinds, onlyNew: true, stack: "dev", ...more }, pulumi);
  beforeEach(() => {
    state.splice(0);
    api.write("Pulumi.yaml", `name: ours\nruntime: ${language}\n`);
    api.write(file, before);
    const type = "feature-console:index:Gate";
    state.push({ ...inState("Gate", "staff"), type, urn: `urn:pulumi:dev::ours::${type}::staff` });
  });

  test("gets what the stack lacks, keeps every line, and a second run adds nothing", async () => {
    const { folder, unwanted } = await addNew();
    expect(folder).toMatchObject({ appended: [file], foreign: [], remove: [] });
    expect(unwanted).toBe(1);
    const text = api.read(file);
    for (const line of before.split("\n")) expect(text.split("\n")).toContain(line);
    const found = languages[language].madeIn(file, text);
    expect(
      found
        .filter(({ kind }) => kind === "Gate")
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["checkout_v2", "for"]);
    expect((await addNew()).folder).toMatchObject({ appended: [], write: [".gitignore"].slice(1) });
    expect(api.read(file)).toBe(text);
    await deskOf(api.emulator).must("POST", "/gates", { name: "fresh", id: "fresh" });
    await addNew();
    expect(languages[language].madeIn(file, api.read(file)).length).toBe(found.length + 1);
  });

  test("keeps its line ends", async () => {
    api.write(file, before.replaceAll("\n", "\r\n"));
    await addNew();
    expect(api.read(file).replaceAll("\r\n", "")).not.toContain("\n");
  });
});

test.each([
  [
    "python",
    "__main__.py",
    'import pulumi_feature_console as flags\n\nflags.Gate("for")\nother.Gates("staff")\n',
  ],
  [
    "python",
    "__main__.py",
    'from pulumi_feature_console import Gate\n\nGate(\n    "for", opts="\\x41"\n)\nGate("\\x41")\n',
  ],
  ["go", "main.go", 'func run(c *pulumi.Context) error {\n\tflags.NewGate(\n\t\tc, "for", nil)\n'],
] as const)("a program in %s may call the package otherwise: %#", (language, file, text) => {
  const found = languages[language].madeIn(file, text);
  expect(found[0]).toEqual({ kind: "Gate", name: "for" });
  expect(named(found)).not.toContain("Gate staff");
});

test("a program in Go that begins in another file is refused before anything is written", async () => {
  const options = { language: "go", kinds: ["gates"] } as const;
  api.write("app_test.go", "package main\n\nfunc main() {}\n");
  api.write("tool.go", "//go:build ignore\n\npackage main\n\nfunc main() {}\n");
  await api.import({ ...options, dryRun: true });
  api.write("app.go", "package main\n\nfunc main() {}\n");
  for (const onlyNew of [true, false])
    await expect(api.import({ ...options, onlyNew, stack: "dev" })).rejects.toThrow(
      /begins in app\.go, .* Nothing was written\. Rename that file to main\.go and give --only-new/,
    );
  expect(() => api.read("main.go")).toThrow("ENOENT");
  api.write("main.go", "package main\n\nfunc run(ctx *pulumi.Context) error {\n\treturn nil\n}\n");
  await api.import(
    { ...options, onlyNew: true, stack: "dev" },
    pulumiOf(() => []),
  );
  expect(api.read("main.go")).toContain("imported(ctx)");
});

test("resources in YAML come behind those that are there, under keys that nothing has", async () => {
  api.write(
    "Pulumi.yaml",
    "name: ours\nruntime: yaml\nvariables: { staffGate: 1 }\nresources:\n  staff:\n    type: a:b:C\noutputs: {}\n",
  );
  await api.import(
    { language: "yaml", kinds: ["gates", "segments"], onlyNew: true, stack: "dev" },
    pulumiOf(() => []),
  );
  const program = parse(api.read("Pulumi.yaml")) as { resources: object; outputs: object };
  expect(program.outputs).toEqual({});
  expect(Object.keys(program.resources)).toEqual([
    "staff",
    "checkout_v2",
    "for",
    "staffGate2",
    "many",
    "staffSegment",
  ]);
  expect(() => api.read("Main.yaml")).toThrow("ENOENT");
  api.write("Pulumi.yaml", "name: ours\nruntime: yaml\nresources: {}\n");
  await expect(
    api.import(
      { language: "yaml", kinds, onlyNew: true, stack: "dev" },
      pulumiOf(() => []),
    ),
  ).rejects.toThrow("Pulumi.yaml: its resources are no block");
});

test("in Go the program calls what is added, under a name of its own; one without such a function is refused", () => {
  const program =
    "package main\n\nfunc main() { pulumi.Run(program) }\n\nfunc program(c *pulumi.Context) error {\n\treturn nil\n}\n";
  const more = (before: string) =>
    goProgram([{ kind: "Tag", name: "a", args: {}, dependsOn: [] }], packageSchema(), () => "a", before);
  const once = more(program);
  expect(once).toContain(
    "error {\n\tif err := imported(c); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n",
  );
  expect(once.match(/^import fc /gm)).toHaveLength(1);
  expect(more(once)).toContain("if err := imported2(c); err != nil {");
  expect(more(once).match(/^import fc /gm)).toHaveLength(1);
  expect(() => more("package main\n")).toThrow("main.go has no function of a *pulumi.Context");
});

test("every text means itself in quotes, and all of it can be seen", () => {
  for (const text of [...awkwardTexts, "\u{e0001}", "\u200b\u2028"]) {
    const quoted = quotedText(text);
    expect(quoted).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    const short = quoted.replace(/\\U([0-9a-f]{8})/g, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    );
    expect(JSON.parse(short)).toBe(text.toWellFormed());
  }
  expect(readableText("a\nb", (text) => `'${text}'`)).toBe("'a\nb'");
  expect(readableText("a\n\u200b", (text) => `'${text}'`)).toBe('"a\\n\\u200b"');
});
