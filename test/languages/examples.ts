import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { packageSchemaFile } from "../../scripts/generate/package-schema";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { nativePrefix } from "../../src/provider/pulumi/stored-names";
import type { JsonObject } from "../../src/provider/schema/json";

type ExampleLanguage = "typescript" | "python" | "go" | "yaml";

/** Kind -> its example in a language, as the package schema has it. */
export function examplesIn(language: ExampleLanguage): ReadonlyMap<string, string> {
  const { resources } = JSON.parse(readFileSync(path.join(repositoryRoot, packageSchemaFile), "utf8")) as {
    readonly resources: Readonly<Record<string, { readonly description: string }>>;
  };
  return new Map(
    Object.entries(resources).map(([token, { description }]) => [
      token.replace(nativePrefix, ""),
      new RegExp(`^\`\`\`${language}\n([^]*?)\n\`\`\`$`, "m").exec(description)?.[1] ?? "",
    ]),
  );
}

/** A resource that an example makes, with `NAME-id` and such in the place of outputs. */
export interface Made {
  readonly type: string;
  readonly name: string;
  readonly inputs: JsonObject;
}

/** The resources of an example in YAML. */
export function madeByYaml(text: string): Made[] {
  const { resources } = parse(text) as {
    resources: Record<string, { type: string; name?: string; properties: JsonObject }>;
  };
  const filled = (value: unknown): unknown =>
    typeof value === "string"
      ? value.replace(/^\$\{([\w-]+)\.(\w+)\}$/, (_, key: string, output: string) => {
          const made = resources[key];
          if (made === undefined) throw new Error(`no resource is called ${key}`);
          return `${made.name ?? key}-${output}`;
        })
      : Array.isArray(value)
        ? value.map(filled)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one)]))
          : value;
  return Object.entries(resources).map(([key, { type, name = key, properties }]) => ({
    type: type.replace(":", ":index:"),
    ...{ name, inputs: filled(properties) as JsonObject },
  }));
}

/** A program in Python that runs each example of a file, and compares what it sends with what is expected. */
export const exampleRunner = `import json
import sys
import pulumi

sent = []


class Console(pulumi.runtime.Mocks):
    def new_resource(self, args):
        sent.append({"type": args.typ, "name": args.name, "inputs": args.inputs})
        kept = {"ids": {"count": 2, "hash": "x"}} if "ids" in args.inputs else {}
        return [args.name + "-id", {"name": args.name + "-name", **kept}]

    def call(self, args):
        return {}


def plain(value, in_condition=False):
    # A condition is one of several types: its members go to the plugin under the names of Python.
    if isinstance(value, list):
        return [plain(one, in_condition) for one in value]
    if not isinstance(value, dict):
        return value
    if "4dabf18193072939515e22adb298388d" in value:  # a secret
        return plain(value["value"])
    name = lambda key: key.replace("_", "").lower() if in_condition else key
    return {name(key): plain(one, in_condition or key == "conditions") for key, one in value.items()}


with open("examples.json") as file:
    examples = json.load(file)
for kind, example in examples.items():
    sent.clear()
    pulumi.runtime.set_mocks(Console())

    @pulumi.runtime.test
    def run():
        exec(compile(example["text"], kind, "exec"), {})

    run()
    key = lambda made: made["type"] + made["name"]
    if sorted(plain(sent), key=key) != sorted(plain(example["made"]), key=key):
        sys.exit(f"{kind}: sent {json.dumps(sent)}, expected {json.dumps(example['made'])}")
`;
