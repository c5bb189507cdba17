import { catalog } from "../../../provider/definitions";
import type { ResourceDefinition } from "../../../provider/schema/define";
import { textsIn } from "../../../provider/schema/json";
import { snakeCase } from "../../../provider/texts/argument-names";
import { compareText } from "./names";
import type { ProgramObject } from "./program-object";

/** Property by which objects are put together, each group in a file. */
export type Grouping = "kind" | "team" | "tag" | "single";

/** The file of a group, without its extension, by what an object is. */
export function groupOf(by: Grouping, one: ProgramObject): string {
  switch (by) {
    case "kind":
      return kindGroup(one.definition);
    case "team":
      return fileName(one.live.team ?? one.live.teamID, noTeam);
    case "tag":
      return fileName(textsIn(one.live.tags).sort(compareText)[0], "untagged");
    case "single":
      return "resources";
  }
}

/** The group of what has no team. */
const noTeam = "no-team";

/** True for the group of a team, in an import by team. */
export function isTeam(group: string): boolean {
  return group !== noTeam;
}

/** The groups in which the order of kinds is that of the catalog. */
export const preferredGroups: readonly string[] = Object.values<ResourceDefinition>(catalog).map(kindGroup);

function kindGroup({ plural, kind }: ResourceDefinition): string {
  return snakeCase(plural ?? `${kind}s`).replaceAll("_", "-");
}

/** Characters; in the longest encoding of each, a file system still takes the name. */
const longestName = 50;

/** `index` loads the others; the rest are devices on Windows, with any extension. */
const reserved = /^(index|con|prn|aux|nul|(com|lpt)\d)$/;

/** A text as the name of a file. */
export function fileName(text: unknown, otherwise: string): string {
  if (typeof text !== "string") return otherwise;
  const letters = text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  const name = [...letters]
    .slice(0, longestName)
    .join("")
    .replace(/^-+|-+$/g, "");
  return name === "" || reserved.test(name) ? `${otherwise}-${name}`.replace(/-$/, "") : name;
}
