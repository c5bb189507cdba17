import { fieldsWith, type ObjectDefinition, wireName } from "../../../provider/schema/define";
import { isObject, type JsonObject, kept } from "../../../provider/schema/json";
import { memoized } from "../../../provider/schema/memoized";
import { propertiesOf, treeOf } from "../../../provider/schema/tree";
import { isNothing } from "../../../provider/values/compare";
import type { Call } from "../behaviour";

/**
 * The members of a body without objects that hold no value, such as `owner: {}`: for an owner that is certain
 * (console-api/corrections-2.md, section 3), for other objects with members of their own the switch `emptyObjects` tells.
 */
export function withoutEmptyObjects({ behaviour, switches }: Call, sent: JsonObject): JsonObject {
  const membersOf = switches.emptyObjects === "absent" ? objectMembers : ownerMembers;
  const names = membersOf(behaviour.definition);
  return kept(sent, (name, value) => !(names.includes(name) && isObject(value) && holdsNoValue(value)));
}

/** Members that are objects whose members are known; one of any members may well be empty on purpose. */
const objectMembers = memoized((definition: ObjectDefinition): readonly string[] =>
  Object.entries(treeOf(definition)).flatMap(([name, { node }]) =>
    propertiesOf(node) === undefined || node.sameAs === "opaque" ? [] : [wireName(definition, name)],
  ),
);

const ownerMembers = memoized((definition: ObjectDefinition): readonly string[] =>
  fieldsWith(definition, ({ traits }) => traits.ofKey !== undefined).map((name) =>
    wireName(definition, name),
  ),
);

function holdsNoValue(value: unknown): boolean {
  return isNothing(value) || (isObject(value) && Object.values(value).every(holdsNoValue));
}
