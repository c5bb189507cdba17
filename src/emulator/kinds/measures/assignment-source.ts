import { catalog } from "../../../provider/definitions/index";
import { defineBehaviour } from "../../console/default-operations";

/** Behaviour of assignment sources. An update that leaves optional fields out keeps them (section 13, row 23). */
export const assignmentSource = defineBehaviour({
  definition: catalog.assignmentSource,
  texts: { missing: "No assignment source was found with the given name" },
});
