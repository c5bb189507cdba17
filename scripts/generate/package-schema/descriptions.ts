import { managed } from "../../../src/provider/definitions";
import { nativePrefix } from "../../../src/provider/pulumi/stored-names";
import type { ResourceDefinition } from "../../../src/provider/schema/define";
import type { JsonObject } from "../../../src/provider/schema/json";
import { expectedId, idArguments, secretOf } from "../../../src/provider/schema/object-id";
import { Reference, type ValueTypes } from "../../../src/tools/import/program/typed-value";
import { exampleProgram } from "../examples";
import { type MadeObject, objectsMadeBy } from "../made-objects";
import { goExample, pythonExample, withLists, yamlExample } from "./example-texts";

/** Where examples begin in the description of a resource: the mark of Pulumi's registry. */
const examplesMark = "{{% examples %}}";

/**
 * The description of a kind as Pulumi's registry shows it: with its example in each language, and how to import an object.
 * `typical`: a program of the examples.
 */
export function describedKind(
  definition: ResourceDefinition,
  typical: string | undefined,
  schema: ValueTypes,
): string {
  const { program, objects } = exampleOf(definition, typical, schema);
  const texts = {
    typescript: program.replace('"pulumi-feature-console"', '"pulumi-feature-console/native"'),
    python: pythonExample(objects, schema),
    go: goExample(objects, schema),
    yaml: yamlExample(objects),
  };
  const blocks = Object.entries(texts).map(([language, text]) => `\`\`\`${language}\n${text}\n\`\`\`\n`);
  const example = `{{% example %}}\n\n${blocks.join("\n")}\n{{% /example %}}`;
  return [
    definition.doc,
    `${examplesMark}\n## Example Usage\n\n${example}\n{{% /examples %}}`,
    ...objects.slice(-1).flatMap((made) => importText(definition, made)),
  ].join("\n\n");
}

/** The example of a kind, and what it makes. One that asks the console for a value belongs to TypeScript alone. */
function exampleOf(
  definition: ResourceDefinition,
  typical: string | undefined,
  schema: ValueTypes,
): { readonly program: string; readonly objects: readonly MadeObject[] } {
  const programs = [typical ?? [], exampleProgram(definition)].flat();
  for (const program of programs) {
    try {
      return { program, objects: objectsMadeBy(program, (args, kind) => withLists(args, kind, schema)) };
    } catch (error) {
      if (program === programs.at(-1)) throw error;
    }
  }
  throw new Error(`${definition.kind} has no example.`);
}

/** The command that brings an object into the state; none for a kind that no id leads to. */
function importText(definition: ResourceDefinition, made: MadeObject): string[] {
  if (definition.lifecycle.create.how === "run" || secretOf(definition) !== undefined) return [];
  const words = [made.name, idOf(made) ?? "ID"].map((word) => (/^[\w.:-]+$/.test(word) ? word : `"${word}"`));
  const command = `pulumi import ${nativePrefix}${made.kind} ${words.join(" ")}`;
  return [`## Import\n\n\`\`\`sh\n${command}\n\`\`\`\n`];
}

/** The id that the console gives an object; undefined where nothing but the console knows it. */
function idOf(made: MadeObject): string | undefined {
  const definition = Object.values<ResourceDefinition>(managed).find(({ kind }) => kind === made.kind);
  if (definition === undefined) return undefined;
  const given = replaced(made.args, idOf) as JsonObject;
  const [calling = ""] = idArguments(definition);
  const args: JsonObject = { [calling]: made.name, ...given };
  return idArguments(definition).some((name) => args[name] === undefined)
    ? undefined
    : expectedId(definition, args);
}

/** The same value with another in the place of each reference. */
function replaced(value: unknown, by: (made: MadeObject, output: string) => unknown): unknown {
  if (value instanceof Reference) return by(value.made as MadeObject, value.output);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => replaced(one, by));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, by)]));
}
