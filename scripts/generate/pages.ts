import type { ResourceDefinition } from "../../src/provider/schema/define";
import { kebab } from "./names";

/** Pages of actions by their file below `docs/reference`, each with its title. */
export const actionPages = { "reviews.md": "Reviews", "releases.md": "Releases" } as const;

/** The page of a kind that carries something out once; undefined for one that is an object. */
export function actionPageOf({ kind, lifecycle }: ResourceDefinition): keyof typeof actionPages | undefined {
  if (lifecycle.create.how !== "run") return undefined;
  return kind.includes("Review") ? "reviews.md" : "releases.md";
}

/** The page of a kind below `docs/reference`. */
export function pageOf(definition: ResourceDefinition): string {
  return actionPageOf(definition) ?? `${kebab(definition.kind)}.md`;
}

/** Languages of which each page links an example, with its file below `docs/reference`. */
export const languages = [
  ["YAML", (kind: string) => `yaml/${kebab(kind)}.yaml`],
  ["Python", (kind: string) => `python/${kebab(kind)}.py`],
] as const;
