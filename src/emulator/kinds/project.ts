import { readables } from "../../catalog/index";
import type { Operation } from "../behaviour";
import { defineBehaviour } from "../default-operations";

/** A console on the desk is one project. */
const get: Operation = {
  run: () => ({ message: "Project read successfully.", data: { id: "emulated_project" } }),
};

/** How the console tells its project. */
export const project = defineBehaviour({
  definition: readables.project,
  operations: { get },
});
