import { catalog } from "../../catalog/index";
import { defineBehaviour } from "../default-operations";
import { metricSource } from "./metric-source";

/** How the console treats qualifying events: as metric sources. */
export const qualifyingEvent = defineBehaviour({
  ...metricSource,
  definition: catalog.qualifyingEvent,
  operations: {},
});
