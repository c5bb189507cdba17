import type { ResourceDefinition } from "../../src/provider/schema/define";
import { samplesOf } from "../../test/samples";
import { lineWidth, literal } from "./typescript";

/** The smallest program part that makes an object of a kind, on one line where it fits. */
export function smallestExample(definition: ResourceDefinition): string {
  const { smallest } = samplesOf(definition);
  const start = `new fc.${definition.kind}("example", `;
  const flat = literal(smallest, Number.POSITIVE_INFINITY);
  // Room for the beginning of a comment or of a variable.
  const fits = start.length + flat.length + 30 <= lineWidth;
  return `${start}${fits ? flat : literal(smallest, 0)});`;
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
