import { isObject } from "../schema/json";
import { neutralUnitIdMember, type Profile } from "./profile";

/** Places of the member whose name differs from console to console. */
const holder = "idTypeMapping";

/**
 * Renames the unit-id member inside the `idTypeMapping` of an object, at any depth, to or from the console's name. Only
 * the object's own is meant: a member of that name inside a value that users made is theirs.
 */
export function renameUnitIds(value: unknown, profile: Profile, direction: "send" | "read"): unknown {
  if (profile.unitIdMember === neutralUnitIdMember) return value;
  const [from, to] =
    direction === "send"
      ? [neutralUnitIdMember, profile.unitIdMember]
      : [profile.unitIdMember, neutralUnitIdMember];
  if (!isObject(value) || value[holder] === undefined) return value;
  return { ...value, [holder]: renamed(value[holder], from, to) };
}

function renamed(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name === from ? to : name, renamed(member, from, to)]),
  );
}
