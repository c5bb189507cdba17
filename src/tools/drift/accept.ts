import type { Program } from "./program";
import { type Draft, draftOf } from "./source/draft";
import { edited, inOrder } from "./source/edits";
import { accepted, type Outcome, refused, type Wish } from "./source/wish";

/** The program after values of the console were accepted. */
export interface Acceptance {
  readonly outcomes: readonly Outcome[];
  /** New texts by file, and the old ones. */
  readonly changes: ReadonlyMap<string, { readonly before: string; readonly after: string }>;
}

/** Writes what the console has into the texts of a program. Nothing is written to disk. */
export function intoTexts(program: Program, wishes: readonly Wish[]): Acceptance {
  const drafts = wishes.map((wish) => draftOf(program, wish));
  const changes = new Map<string, { before: string; after: string }>();
  const inside = new Set<Draft>();
  for (const file of new Set(drafts.flatMap(({ call }) => call?.file ?? []))) {
    const here = drafts.filter(({ call }) => call?.file === file);
    const overlapping = overlappingIn(here);
    for (const one of overlapping) inside.add(one);
    const after = edited(
      file.text,
      here.flatMap((one) => (overlapping.has(one) ? [] : one.edits)),
    );
    if (after !== file.text) changes.set(file.fileName, { before: file.text, after });
  }
  return { outcomes: drafts.flatMap((one) => outcomesOf(one, inside.has(one))), changes };
}

function outcomesOf({ resource, values, call, refused: others }: Draft, isInside: boolean): Outcome[] {
  const why = "it stands inside of another change: accept it once more after that";
  const own = values.flatMap((value): Outcome[] => {
    if (call === undefined) return [];
    const { place } = call;
    return [isInside ? refused(resource, value, { why, place }) : accepted(resource, value, place)];
  });
  return [...own, ...others];
}

/** Drafts of one file whose edits overlap those of another one: a call may stand inside of an argument of another call. */
function overlappingIn(drafts: readonly Draft[]): ReadonlySet<Draft> {
  const owners = new Map(drafts.flatMap((draft) => draft.edits.map((edit) => [edit, draft] as const)));
  const found = new Set<Draft>();
  let end = 0;
  for (const edit of inOrder([...owners.keys()])) {
    const draft = owners.get(edit);
    if (edit.start < end && draft !== undefined) found.add(draft);
    end = Math.max(end, edit.end);
  }
  return found;
}
