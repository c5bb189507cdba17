import { fieldsBy, type ResourceDefinition } from "../schema/define";
import type { OwnerRole } from "../schema/field";
import { isObject, type JsonObject } from "../schema/json";
import { memoized } from "../schema/memoized";
import { treeOf } from "../schema/tree";
import { UNKNOWN } from "../schema/unknown";

/** Tags that name an owner, as a regular expression; what follows is the name. Teams are not part of every plan. */
export const ownerTagPattern = "^(owner|team)[-:]";

/** Names of the fields that name the owner, by how they do. */
const fieldsByRole = memoized((definition: ResourceDefinition) => fieldsBy(definition, ({ owner }) => owner));

/** Fields in which a program names the owner of an object; none where a kind has no owner. */
export const ownerFields = memoized((definition: ResourceDefinition): readonly string[] =>
  Object.values(fieldsByRole(definition)).filter((name) => definition.fields[name]?.mode !== "output"),
);

/** The field of an object's tags; undefined where a kind has none. */
export const tagsField = memoized((definition: ResourceDefinition): string | undefined =>
  Object.keys(treeOf(definition)).find((name) => {
    const { mode, node } = treeOf(definition)[name] ?? {};
    return mode !== "output" && node?.refersTo === "tag";
  }),
);

/**
 * The owner of an object: the team that the program names, or a tag of it, else the team in the console; where neither has a team,
 * the person. A key is no owner. Undefined where there is none.
 */
export function ownerOf(
  definition: ResourceDefinition,
  program: JsonObject,
  live: JsonObject,
): string | undefined {
  const sides = [program, live];
  const named = (role: OwnerRole, values: JsonObject) => values[fieldsByRole(definition)[role] ?? ""];
  const candidates = [
    ...sides.flatMap((values) => [named("team", values), taggedOwner(definition, values)]),
    ...sides.map((values) => named("team-id", values)),
    ...sides.map((values) => personIn(named("person", values))),
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
