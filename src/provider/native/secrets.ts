import { idListNames } from "../id-lists/value-type";
import type { ResourceDefinition } from "../schema/define";
import { hiddenMember } from "../values/hidden-state";

/** The fields of a kind that are secrets whatever the program says. */
export function secretFields({ fields }: ResourceDefinition): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.traits.secret === true);
}

/**
 * The members of a state that are secrets: those of the kind, those that the program gives as secrets, and the other forms in which
 * the console returns these.
 */
export function secretMembers(definition: ResourceDefinition, given: ReadonlySet<string>): Set<string> {
  const fields = Object.entries(definition.fields);
  const echoes = fields.flatMap(
    ([
      name,
      {
        traits: { aliasOf },
      },
    ]) => (aliasOf !== undefined && (given.has(name) || given.has(aliasOf)) ? [name, aliasOf] : []),
  );
  // Hashes of ids are hidden, and lead to short ids.
  const hidden = idListNames(definition).some((name) => given.has(name)) ? [hiddenMember] : [];
  return new Set([...secretFields(definition), ...given, ...echoes, ...hidden]);
}
