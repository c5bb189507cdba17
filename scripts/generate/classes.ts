import type { ResourceDefinition } from "../../src/core/define";
import { smallestExample } from "./examples";
import { kebab, withArticle } from "./names";
import { generatedNotice, lineWidth } from "./typescript";

/** The text of `src/generated/classes.ts`: the resource class of every kind, and all interfaces. */
export function classesText(definitions: readonly ResourceDefinition[]): string {
  const files = definitions.map(({ kind }) => ({ kind, file: kebab(kind) }));
  const lines = [
    `// ${generatedNotice}`,
    "",
    'import { managed } from "../catalog";',
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
  const head = `export const ${kind}: ResourceClass${types} =`;
  const body = `resourceClass${types}(managed.${name});`;
  return [
    "/**",
    ` * ${doc}`,
    " * @example",
    ...example.map((line) => ` * ${line}`),
    " */",
    head.length + body.length < lineWidth ? `${head} ${body}` : `${head}\n  ${body}`,
    `/** The outputs of ${withArticle(definition.title)}. */`,
    `export type ${kind} = ResourceInstance<${kind}State>;`,
    "",
  ].join("\n");
}
