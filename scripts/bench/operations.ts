import type { Wording } from "./subjects";

/** What is measured, in this order on one stack. */
export const operations = [
  { name: "preview of new", wording: "first", command: ["preview"], expects: "create" },
  { name: "up of new", wording: "first", command: ["up", "--yes", "--skip-preview"], expects: "created" },
  {
    name: "no-op preview",
    wording: "first",
    command: ["preview", "--expect-no-changes"],
    expects: "unchanged",
  },
  {
    name: "update of all",
    wording: "changed",
    command: ["up", "--yes", "--skip-preview"],
    expects: "updated",
  },
  {
    name: "refresh",
    wording: "changed",
    command: ["refresh", "--yes", "--skip-preview"],
    expects: "unchanged",
  },
  {
    name: "destroy",
    wording: "changed",
    command: ["destroy", "--yes", "--skip-preview"],
    expects: "deleted",
  },
] as const satisfies readonly Operation[];

/** An update that finds nothing to do. */
export const quietUpdate = {
  name: "quiet update",
  wording: "first",
  command: ["up", "--yes", "--skip-preview", "--expect-no-changes"],
  expects: "unchanged",
} as const satisfies Operation;

/** The operation of this name. */
export function operationOf(name: OperationName): Operation {
  return operations.find((one) => one.name === name) as Operation;
}

/** A whole command of the Pulumi CLI. */
export interface Operation {
  readonly name: string;
  /** What the program says when it runs. */
  readonly wording: Wording;
  readonly command: readonly string[];
  /** Word beside the number of gates in what the CLI prints at the end. */
  readonly expects: string;
}

/** Name of an operation. */
export type OperationName = (typeof operations)[number]["name"];
