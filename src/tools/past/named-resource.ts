import type { ResourceDefinition } from "../../provider/schema/define";
import { quote } from "../../provider/texts/issue-text";
import { guess } from "../../provider/texts/misspelling";
import { isNamed, type Resource } from "../stack/resources";
import { UsageError } from "../stack/usage-error";

/** A name of no object, or of several. */
export class UnclearName extends UsageError {
  readonly isAmbiguous: boolean;

  constructor(message: string, isAmbiguous: boolean) {
    super(message);
    this.isAmbiguous = isAmbiguous;
  }
}

/**
 * The one resource of a stack with that name in the program, id or URN.
 * @throws UnclearName where there is none or more than one.
 */
export function resourceNamed(
  resources: readonly Resource[],
  said: string,
  definition?: ResourceDefinition,
): Resource {
  const all = resources.filter((one) => definition === undefined || one.definition === definition);
  const [found, ...others] = all.filter((one) => isNamed(one, said));
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined) throw new UnclearName(severalText([found, ...others], said), true);
  const what = definition === undefined ? "resource" : definition.title;
  const names = all.flatMap(({ name, id }) => (id === undefined ? [name] : [name, id]));
  throw new UnclearName(`the stack has no ${what} ${quote(said)}${guess(said, names, quote)}`, false);
}

function severalText(found: readonly Resource[], said: string): string {
  const kinds = [...new Set(found.map(({ definition }) => definition.name))];
  if (kinds.length > 1)
    return `${kinds.length} kinds have an object ${quote(said)}: give ${kinds.map((kind) => `--kind ${kind}`).join(" or ")}`;
  return `${found.length} resources have the name ${quote(said)}: give the URN of one, ${found.map(({ urn }) => urn).join(" or ")}`;
}
