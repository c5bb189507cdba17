import { readables } from "../../catalog/index";
import type { Behaviour, Operation } from "../behaviour";

/** A console on the desk is one project. */
const get: Operation = {
  run: () => ({ message: "Project read successfully.", data: { id: "emulated_project" } }),
};

/** How the console tells its project. */
export const project: Behaviour = {
  definition: readables.project,
  texts: { missing: "Project not found.", taken: "" },
  operations: { get },
};
