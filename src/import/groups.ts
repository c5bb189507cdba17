import { catalog } from "../catalog";
import { compareText } from "./names";
import type { ProgramObject } from "./program-object";

/** What objects are put together by, each group in a file. */
export const groupings = ["kind", "team", "tag", "single"] as const;

/** One of them. */
export type Grouping = (typeof groupings)[number];

/** The file of a group, without its extension, by what an object is. */
export function groupOf(by: Grouping, one: ProgramObject): string {
  switch (by) {
    case "kind":
      return kebab(one.definition.plural ?? `${one.kind}s`);
    case "team":
      return fileName(one.live.team ?? one.live.teamID, "no-team");
    case "tag":
      return fileName(firstTag(one.live.tags), "untagged");
    case "single":
      return "resources";
  }
}

/** The groups in which the order of kinds is that of the catalog. */
export const preferredGroups: readonly string[] = Object.values(catalog).map((definition) =>
  kebab("plural" in definition ? definition.plural : `${definition.kind}s`),
);

function firstTag(tags: unknown): unknown {
  return Array.isArray(tags) ? tags.map(String).sort(compareText)[0] : undefined;
}

function kebab(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();
}

/** A text as the name of a file; `index` loads the others. */
export function fileName(text: unknown, otherwise: string): string {
  if (typeof text !== "string") return otherwise;
  const name = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return name === "" || name === "index" ? `${otherwise}-${name}`.replace(/-$/, "") : name;
}
