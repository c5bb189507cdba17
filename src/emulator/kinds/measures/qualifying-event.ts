import { catalog } from "../../../provider/definitions/index";
import { defineBehaviour } from "../../console/default-operations";
import { metricSource } from "./metric-source";

/** Behaviour of qualifying events: as metric sources. */
export const qualifyingEvent = defineBehaviour({
  ...metricSource,
  definition: catalog.qualifyingEvent,
  operations: {},
});
