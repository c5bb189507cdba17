import { isObject } from "../core/json";
import { neutralUnitIdMember, type Profile } from "./profile";

/** Where the member stands whose name differs from console to console. */
const holder = "idTypeMapping";

/** Renames the unit-id member inside every `idTypeMapping`, at any depth, to or from the console's name. */
export function renameUnitIds(value: unknown, profile: Profile, direction: "send" | "read"): unknown {
  if (profile.unitIdMember === neutralUnitIdMember) return value;
  const [from, to] =
    direction === "send"
      ? [neutralUnitIdMember, profile.unitIdMember]
      : [profile.unitIdMember, neutralUnitIdMember];
  return renameInside(value, from, to, false);
}

function renameInside(value: unknown, from: string, to: string, inHolder: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => renameInside(item, from, to, inHolder));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      inHolder && name === from ? to : name,
      renameInside(member, from, to, inHolder || name === holder),
    ]),
  );
}
