import type { ResourceDefinition } from "../../src/provider/schema/define";
import { generatedNotice } from "./typescript";

/** The text of `src/generated/dynamic-v1.ts`: what provider texts in stored state refer to. */
export function dynamicV1Text(definitions: readonly ResourceDefinition[]): string {
  const lines = [
    `// ${generatedNotice}`,
    "",
    "// Stored state refers to these by name, as `pulumi-feature-console/dynamic/v1`. Frozen for ever: names may be",
    "// added and never removed or renamed.",
    "",
    'import "../node-guard";',
    'import "../embedded-console";',
    'import { managed } from "../provider/definitions";',
    'import { providerOf } from "../provider/pulumi/provider";',
    "",
    ...definitions.flatMap(({ name, title }) => [
      `/** What Pulumi calls for ${title} resources. */`,
      `export const ${name} = providerOf(managed.${name});`,
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * Guards the promise to stored state.
 * @throws Error when the new text lacks a name that the existing one exports.
 */
export function refuseDroppedNames(existing: string, next: string): void {
  const kept = new Set(exportedNames(next));
  const dropped = exportedNames(existing).filter((name) => !kept.has(name));
  if (dropped.length === 0) return;
  throw new Error(
    `src/generated/dynamic-v1.ts exports ${dropped.join(", ")}, and the catalog no longer has a kind of that name. ` +
      "Stored state refers to these names, so none may go: bring the kind back, or give it its old name again.",
  );
}

function exportedNames(text: string): string[] {
  const declared = [...text.matchAll(/^export (?:const|let|function|class) (\w+)/gm)].map(
    (match) => match[1] ?? "",
  );
  const listed = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap((match) => (match[1] ?? "").split(","));
  // Of `here as there`, the world outside sees `there`.
  return [...declared, ...listed.map((item) => item.trim().split(/\s+/).at(-1) ?? "")].filter(
    (name) => name !== "",
  );
}
