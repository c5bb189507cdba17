import { inputNames, type ResourceDefinition } from "../../src/core/define";
import { digestedNames } from "../../src/core/id-changes";
import { optionsOf } from "../../src/core/options";
import type { ClassFacts } from "../../src/pulumi/resource";
import { smallestExample } from "./examples";
import { kebab, withArticle } from "./names";
import { generatedNotice } from "./typescript";

/** The text of `src/generated/classes.ts`: the resource class of every kind, and all interfaces. */
export function classesText(definitions: readonly ResourceDefinition[]): string {
  const files = definitions.map(({ kind }) => ({ kind, file: kebab(kind) }));
  const lines = [
    `// ${generatedNotice}`,
    "",
    'import { type ResourceClass, type ResourceInstance, resourceClass } from "../pulumi/resource";',
    ...files.map(({ kind, file }) => `import type { ${kind}Args, ${kind}State } from "./${file}";`),
    "",
    ...files.map(({ file }) => `export type * from "./${file}";`),
    "",
  ];
  return `${lines.join("\n")}\n${definitions.map(classText).join("\n")}`;
}

function classText(definition: ResourceDefinition): string {
  const { kind, doc } = definition;
  const example = smallestExample(definition).split("\n");
  const types = `<${kind}Args, ${kind}State>`;
  const facts = Object.entries(factsOf(definition)).map(
    ([name, fact]) => `  ${name}: ${JSON.stringify(fact)},`,
  );
  return [
    "/**",
    ` * ${doc}`,
    " * @example",
    ...example.map((line) => ` * ${line}`),
    " */",
    `export const ${kind}: ResourceClass${types} = resourceClass${types}({`,
    ...facts,
    "});",
    `/** The outputs of ${withArticle(definition.title)}. */`,
    `export type ${kind} = ResourceInstance<${kind}State>;`,
    "",
  ].join("\n");
}

function factsOf(definition: ResourceDefinition): ClassFacts {
  const { kind, name, fields } = definition;
  return {
    kind,
    name,
    outputs: [...new Set([...Object.keys(fields), ...Object.keys(optionsOf(definition))])],
    secrets: inputNames(definition).filter((input) => fields[input]?.facts.secret === true),
    idSets: digestedNames(definition),
    twins: Object.entries(fields).flatMap(([one, { facts }]): [string, string][] =>
      facts.aliasOf === undefined ? [] : [[one, facts.aliasOf]],
    ),
  };
}
