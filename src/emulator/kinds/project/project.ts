import { readables } from "../../../provider/definitions/index";
import type { Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";

/** A console on the desk is one project. */
const get: Operation = {
  run: () => ({ message: "Project read successfully.", data: { id: "emulated_project" } }),
};

/** How the console tells its project. */
export const project = defineBehaviour({
  definition: readables.project,
  operations: { get },
});
