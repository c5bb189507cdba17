import type { Cell } from "./cell";

/** Why a cell may end otherwise than the program says, where nobody can do better; undefined where it must be right. */
export function limitOf(cell: Cell): string | undefined {
  return limits.find(({ holds }) => holds(cell))?.why;
}

/** The console thinks ids up and takes a name twice, so nothing tells that two objects of it are one too many. */
const mayRepeat = ({ subject }: Cell): boolean => subject.definition.identity.derived === "server";

const limits: readonly { readonly why: string; readonly holds: (cell: Cell) => boolean }[] = [
  {
    why: "a create that something on the way delivers twice makes two objects, and of names that need not be unique nothing tells that one is too many",
    holds: (cell) => cell.verb === "create" && cell.row.form.twice !== undefined && mayRepeat(cell),
  },
];
