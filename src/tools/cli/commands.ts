import type { Command } from "./command";

/** Every command by its name, with its line in the overview. */
export const summaries = {
  compare: "Describe how the flags of two stacks differ.",
  doctor: "Check machine, project, settings, key, console and stack, and print the commands to type.",
  drift: "List the changes made in the console with their authors, and write them into the program.",
  emulate: "Run a console on this machine.",
  evaluate: "Evaluate a flag for a user, and show the deciding rule and its reason.",
  explain: "Explain why a preview shows a difference: four values, who decides, what happens next.",
  history: "Show the versions of a flag: who changed what for whom, and when.",
  import: "Write a program for what the console holds, and bring it into state.",
  promote: "Make the program of one stack set what that of another sets.",
  report: "Describe the changes of a preview in plain words, with their risk and its reasons.",
  reviews: "List the open reviews of a stack, or wait for them and commit what is accepted.",
  rollback: "Make the program set what a flag had in an earlier version.",
  verify: "Ask your console the questions that its reference leaves open.",
  "yaml-schema": "Print a JSON Schema by which editors complete programs in YAML.",
} as const satisfies Readonly<Record<string, string>>;

export type CommandName = keyof typeof summaries;

/** Loads a command: a call pays for the code of that one alone. */
export const commands: Readonly<Record<CommandName, () => Command>> = {
  compare: () => (require("./compare") as typeof import("./compare")).compare,
  doctor: () => (require("./doctor") as typeof import("./doctor")).doctor,
  drift: () => (require("./drift") as typeof import("./drift")).drift,
  emulate: () => (require("./emulate") as typeof import("./emulate")).emulate,
  evaluate: () => (require("./evaluate") as typeof import("./evaluate")).evaluate,
  explain: () => (require("./drift") as typeof import("./drift")).explain,
  history: () => (require("./rollback") as typeof import("./rollback")).history,
  import: () => (require("./import") as typeof import("./import")).importCommand,
  promote: () => (require("./promote") as typeof import("./promote")).promote,
  report: () => (require("./report") as typeof import("./report")).report,
  reviews: () => (require("./drift") as typeof import("./drift")).reviews,
  rollback: () => (require("./rollback") as typeof import("./rollback")).rollback,
  verify: () => (require("./verify") as typeof import("./verify")).verify,
  "yaml-schema": () => (require("./yaml-schema") as typeof import("./yaml-schema")).yamlSchema,
};
