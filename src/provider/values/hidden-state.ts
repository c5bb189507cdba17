import { isInternal } from "../schema/internal";
import { isObject, type JsonObject, kept } from "../schema/json";

/** The one member of a state that no program sees. Stored: frozen for ever. */
export const hiddenMember = "__featureConsole";

/** A state as Pulumi stores it: the object, and its internal members in one hidden member. The state that a preview foretells has none, and no such member. */
export function packed(state: JsonObject): JsonObject {
  const [hidden, shown] = parted(state);
  return Object.keys(hidden).length === 0 ? shown : { ...shown, [hiddenMember]: hidden };
}

/** A state as the engine knows it, also one that the dynamic provider wrote. */
export function unpacked(state: JsonObject): JsonObject {
  const { [hiddenMember]: hidden, ...shown } = state;
  return isObject(hidden) ? { ...shown, ...hidden } : shown;
}

/** Values without hidden members. */
export function shownIn(values: JsonObject): JsonObject {
  const [, shown] = parted(values);
  return shown;
}

function parted(values: JsonObject): [hidden: JsonObject, shown: JsonObject] {
  return [kept(values, isInternal), kept(values, (name) => !isInternal(name))];
}
