import { type Comparison, isDrift } from "./comparison";
import type { Program } from "./program";
import { allRefused, type Draft, draftOf, isProvedIn, type Wish } from "./source/draft";
import type { Outcome } from "./source/edits";
import { type Edit, edited, inOrder } from "./source/edits";

/** The program after values of the console were accepted. */
export interface Acceptance {
  readonly outcomes: readonly Outcome[];
  /** New texts by file, and the old ones. */
  readonly changes: ReadonlyMap<string, { readonly before: string; readonly after: string }>;
}

/** Writes what the console has into the texts of a program. Nothing is written to disk. */
export function accepted(program: Program, wishes: readonly Wish[]): Acceptance {
  const drafts = wishes.map((wish) => draftOf(program, wish));
  const refused = new Map<Draft, string>();
  const changes = new Map<string, { before: string; after: string }>();
  const changing = drafts.filter(({ edits }) => edits.length > 0);
  for (const name of new Set(changing.flatMap(({ at }) => at?.file ?? []))) {
    const all = changing.filter(({ at }) => at?.file === name);
    const apart = apartFromOthers(all);
    for (const one of all)
      if (!apart.has(one))
        refused.set(one, "it stands inside of another change: accept it once more after that");
    const before = all[0]?.at?.call.file.text ?? "";
    const edits = [...apart].flatMap((one) => one.edits);
    const after = edited(before, edits);
    const calls = program.callsAfter(name, after);
    const isProved = calls !== undefined && [...apart].every((one) => isProvedIn(program, one, calls));
    if (isProved && after !== before) changes.set(name, { before, after });
    if (!isProved)
      for (const one of apart) refused.set(one, "the changes of its file could not be proved together");
  }
  const outcomes = drafts.flatMap((draft) => {
    const why = refused.get(draft);
    return why === undefined ? draft.outcomes : allRefused(draft, why);
  });
  return { outcomes, changes };
}

/** Those whose edits overlap no other's: a call may stand inside of an argument of another one. */
function apartFromOthers(drafts: readonly Draft[]): ReadonlySet<Draft> {
  const owners = new Map(drafts.flatMap((draft) => draft.edits.map((edit) => [edit, draft] as const)));
  const bad = new Set<Draft | undefined>();
  let last: Edit | undefined;
  for (const edit of inOrder([...owners.keys()])) {
    if (last !== undefined && edit.start < last.end) bad.add(owners.get(edit));
    if (last === undefined || edit.end > last.end) last = edit;
  }
  return new Set(drafts.filter((draft) => !bad.has(draft)));
}

/**
 * Values that are to go into the program. Without names: those that changed in the console, of arguments that the program leaves
 * alone meanwhile. `urns`: of these resources all in which console and program differ.
 */
export function wishesOf(comparisons: readonly Comparison[], urns: ReadonlySet<string> | undefined): Wish[] {
  return comparisons.flatMap((comparison): Wish[] => {
    const { resource, values, differences, what } = comparison;
    if (urns !== undefined ? !urns.has(resource.urn) : !isDrift(comparison)) return [];
    if (what === "dropped" || what === "new" || what === "same") return [];
    const isChanged = (name: string) =>
      differences.some((one) => one.name === name && one.standing === "changed");
    const isNamed = urns !== undefined;
    return [{ comparison, isNamed, values: values.filter(({ name }) => isNamed || isChanged(name)) }];
  });
}
