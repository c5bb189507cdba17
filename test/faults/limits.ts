import type { Cell } from "./cell";

/** Why a cell may end otherwise than the program says, where nobody can do better; undefined where it must be right. */
export function limitOf(cell: Cell): string | undefined {
  return limits.find(({ holds }) => holds(cell))?.why;
}

const createOf = ({ subject }: Cell) => subject.definition.lifecycle.create;

/** Names of such objects may be the same, so nothing tells that two of them are one too many. */
const isNameless = (cell: Cell): boolean => {
  const create = createOf(cell);
  return create.how === "send" && create.duplicates === "allowed";
};

const limits: readonly { readonly why: string; readonly holds: (cell: Cell) => boolean }[] = [
  {
    why: "a create that something on the way delivers twice makes two objects, and of names that need not be unique nothing tells that one is too many",
    holds: (cell) => cell.verb === "create" && cell.row.form.twice !== undefined && isNameless(cell),
  },
];
