import { catalog } from "../../../provider/definitions/index";
import { defineBehaviour } from "../../console/default-operations";

/** Behaviour of entity properties: as assignment sources, and one can be read. */
export const entityProperty = defineBehaviour({
  definition: catalog.entityProperty,
  texts: {
    missing: "Not Found. The requested resource could not be found.",
  },
});
