import type { ResourceDefinition } from "../../src/core/define";
import { smallestExample } from "./examples";
import { kebab } from "./names";
import { generatedNotice } from "./typescript";

/** The text of `src/generated/classes.ts`: the resource class of every kind, and all interfaces. */
export function classesText(definitions: readonly ResourceDefinition[]): string {
  const files = definitions.map(({ kind }) => ({ kind, file: kebab(kind) }));
  const lines = [
    `// ${generatedNotice}`,
    "",
    'import { catalog } from "../catalog";',
    'import { type ResourceClass, type ResourceInstance, resourceClass } from "../pulumi/resource";',
    ...files.map(({ kind, file }) => `import type { ${kind}Args, ${kind}State } from "./${file}";`),
    "",
    ...files.map(({ file }) => `export type * from "./${file}";`),
    "",
  ];
  return `${lines.join("\n")}\n${definitions.map(classText).join("\n")}`;
}

function classText(definition: ResourceDefinition): string {
  const { kind, name, doc } = definition;
  const example = smallestExample(definition).split("\n");
  const types = `<${kind}Args, ${kind}State>`;
  return [
    "/**",
    ` * ${doc}`,
    " * @example",
    ...example.map((line) => ` * ${line}`),
    " */",
    `export const ${kind}: ResourceClass${types} = resourceClass${types}(catalog.${name});`,
    `/** ${capitalised(definition.title)} with its outputs. */`,
    `export type ${kind} = ResourceInstance<${kind}State>;`,
    "",
  ].join("\n");
}

function capitalised(title: string): string {
  return `The ${title}`;
}
