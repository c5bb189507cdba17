import type { ResourceDefinition } from "../schema/define";
import { isObject, type JsonObject } from "../schema/json";
import { memoized } from "../schema/memoized";
import { treeOf } from "../schema/tree";
import { UNKNOWN } from "../schema/unknown";

/** Tags that name an owner, as a regular expression; what follows is the name. Teams are not part of every plan. */
export const ownerTagPattern = "^(owner|team)[-:]";

/** Fields in which a program says whose an object is; none where a kind knows no owner. */
export const ownerFields = memoized(({ fields }: ResourceDefinition): readonly string[] =>
  Object.keys(fields).filter((name) => {
    const { mode, facts } = fields[name] ?? {};
    return mode === "input" && [facts?.refersTo, facts?.names, facts?.ofKey && "team"].includes("team");
  }),
);

/** The field of an object's tags; undefined where a kind has none. */
export const tagsField = memoized((definition: ResourceDefinition): string | undefined =>
  Object.keys(treeOf(definition)).find((name) => {
    const { mode, node } = treeOf(definition)[name] ?? {};
    return mode !== "output" && node?.refersTo === "tag";
  }),
);

/**
 * Whose an object is: the team that the program names, or a tag of it, else what the console says; where neither knows a team, the
 * person. A key is nobody. Undefined where nobody says it.
 */
export function ownerOf(
  definition: ResourceDefinition,
  wants: JsonObject,
  live: JsonObject,
): string | undefined {
  const sides = [wants, live];
  const candidates = [
    ...sides.flatMap((values) => [values.team, taggedOwner(definition, values)]),
    ...sides.map(({ teamID }) => teamID),
    ...sides.map(({ owner }) => personIn(owner)),
  ];
  return candidates.find((one): one is string => typeof one === "string" && one !== "" && one !== UNKNOWN);
}

function taggedOwner(definition: ResourceDefinition, values: JsonObject): string | undefined {
  const tags = values[tagsField(definition) ?? ""];
  if (!Array.isArray(tags)) return undefined;
  const pattern = new RegExp(ownerTagPattern, "u");
  const tag = tags.find((one): one is string => typeof one === "string" && pattern.test(one));
  return tag?.replace(pattern, "");
}

function personIn(owner: unknown): unknown {
  const { ownerEmail, ownerName, ownerType } = isObject(owner) ? owner : {};
  return ownerType === "SDK_KEY" ? undefined : ownerEmail || ownerName;
}
