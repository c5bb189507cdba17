import type { ObjectDefinition } from "../../src/provider/schema/define";
import { quote } from "../../src/provider/texts/issue-text";

/** What is wrong with a definition and what no type can say. */
export interface Slip {
  /** Where, for example `fields.rules.conditions[].targetValue.refersTo`. */
  readonly path: string;
  /** What was found and what to do. */
  readonly message: string;
}

/** Everything that definitions may speak of. */
export interface Surroundings {
  /** Every definition, by the name under which the catalog exports it. */
  readonly definitions: Readonly<Record<string, ObjectDefinition>>;
  /** Names of the kinds of objects, to which others refer. */
  readonly kinds: readonly string[];
}

/** The slip of a name that is not among those that there are; none where it is. */
export function unknownName(path: string, name: string, known: readonly string[], what: string): Slip[] {
  if (known.includes(name)) return [];
  return [{ path, message: `there is no ${what} ${quote(name)}; there are ${known.join(", ") || "none"}` }];
}
