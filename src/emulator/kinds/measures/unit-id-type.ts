import { catalog } from "../../../provider/definitions/index";
import { defineBehaviour } from "../../console/default-operations";

/** Behaviour of unit id types. No text is published for them (assumption: those of the other kinds). */
export const unitIdType = defineBehaviour({ definition: catalog.unitIdType });
