import type { ResourceDefinition } from "../../src/provider/schema/define";
import { conditionExamples } from "./conditions";
import { generatedNotice, lineWidth, literal } from "./typescript";

/** The smallest program part that makes an object of a kind, on one line where it fits. */
export function smallestExample({ kind, samples }: ResourceDefinition): string {
  const start = `new fc.${kind}("example", `;
  const flat = literal(samples.smallest, Number.POSITIVE_INFINITY);
  // Room for the beginning of a comment or of a variable.
  const fits = start.length + flat.length + 30 <= lineWidth;
  return `${start}${fits ? flat : literal(samples.smallest, 0)});`;
}

/** The program part that says every argument of a kind. */
export function fullestExample({ kind, samples }: ResourceDefinition): string {
  return `new fc.${kind}("example", ${literal(samples.fullest, 0)});`;
}

/** A whole program with the smallest object of a kind. */
export function exampleProgram(definition: ResourceDefinition): string {
  const { name } = definition;
  return [
    'import * as fc from "pulumi-feature-console";',
    "",
    `const ${name} = ${smallestExample(definition)}`,
    "",
    `export const ${name}Id = ${name}.id;`,
  ].join("\n");
}

/**
 * The text of `test/generated/samples.ts`: the samples of every kind as a program, a line each. It is compiled and never
 * run, and so proves that the written interfaces take what the definitions call valid.
 */
export function samplesText(definitions: readonly ResourceDefinition[]): string {
  const flat = (sample: unknown) => literal(sample, Number.POSITIVE_INFINITY);
  const programs = definitions.map(({ kind, name, samples }) => {
    const make = (size: string, sample: unknown) =>
      `export const ${name}${size} = new fc.${kind}("${size.toLowerCase()}", ${flat(sample)});`;
    return `${make("Smallest", samples.smallest)}\n${make("Fullest", samples.fullest)}\n`;
  });
  const lines = conditionExamples().map((example) => `  ${example},\n`);
  const conditions = `export const conditions: fc.ConditionArgs[] = [\n${lines.join("")}];\n`;
  return `// ${generatedNotice}\n\nimport * as fc from "../../src/index";\n\n${[...programs, conditions].join("\n")}`;
}
