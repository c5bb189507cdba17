import type { Command } from "./command";

/** Groups of the overview, in their order. */
const groups = ["start", "review", "keep in step", "diagnose"] as const;

interface Entry {
  readonly group: (typeof groups)[number];
  /** Its line in the overview. */
  readonly summary: string;
  /** Loads it: a call pays for the code of that one alone. */
  readonly load: () => Command;
}

/** Every command by its name. */
export const commands = {
  import: {
    group: "start",
    summary: "Write a program for what the console holds, and adopt it.",
    load: () => (require("./import") as typeof import("./import")).importCommand,
  },
  emulate: {
    group: "start",
    summary: "Run a console on this machine.",
    load: () => (require("./emulate") as typeof import("./emulate")).emulate,
  },
  "yaml-schema": {
    group: "start",
    summary: "Print a JSON Schema by which editors complete YAML.",
    load: () => (require("./yaml-schema") as typeof import("./yaml-schema")).yamlSchema,
  },
  report: {
    group: "review",
    summary: "Describe the changes of a preview, their risk and its reasons.",
    load: () => (require("./report") as typeof import("./report")).report,
  },
  evaluate: {
    group: "review",
    summary: "Evaluate a flag for a user, and show the deciding rule.",
    load: () => (require("./evaluate") as typeof import("./evaluate")).evaluate,
  },
  compare: {
    group: "review",
    summary: "Describe how the flags of two stacks differ.",
    load: () => (require("./compare") as typeof import("./compare")).compare,
  },
  reviews: {
    group: "review",
    summary: "List the open reviews of a stack, or wait for them.",
    load: () => (require("./drift") as typeof import("./drift")).reviews,
  },
  drift: {
    group: "keep in step",
    summary: "List changes made in the console, and write them into the program.",
    load: () => (require("./drift") as typeof import("./drift")).drift,
  },
  promote: {
    group: "keep in step",
    summary: "Make one stack's program set what that of another sets.",
    load: () => (require("./promote") as typeof import("./promote")).promote,
  },
  rollback: {
    group: "keep in step",
    summary: "Make the program set what a flag had in an earlier version.",
    load: () => (require("./rollback") as typeof import("./rollback")).rollback,
  },
  history: {
    group: "keep in step",
    summary: "Show the versions of a flag: who changed what, and when.",
    load: () => (require("./rollback") as typeof import("./rollback")).history,
  },
  doctor: {
    group: "diagnose",
    summary: "Check everything that a run needs, and print what to type.",
    load: () => (require("./doctor") as typeof import("./doctor")).doctor,
  },
  explain: {
    group: "diagnose",
    summary: "Explain why a preview shows a difference, or none.",
    load: () => (require("./drift") as typeof import("./drift")).explain,
  },
  verify: {
    group: "diagnose",
    summary: "Ask your console what its reference leaves open.",
    load: () => (require("./verify") as typeof import("./verify")).verify,
  },
} as const satisfies Readonly<Record<string, Entry>>;

export type CommandName = keyof typeof commands;

/** The commands of each group, with their lines. */
export const overview = groups.map((group) => ({
  group,
  entries: Object.entries(commands).filter(([, entry]) => entry.group === group),
}));
