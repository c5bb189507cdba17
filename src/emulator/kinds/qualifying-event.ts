import { catalog } from "../../catalog/index";
import type { Behaviour } from "../behaviour";
import { create, get, list, patch, remove } from "../verbs";
import { metricSource } from "./metric-source";

/** How the console treats qualifying events: as metric sources. */
export const qualifyingEvent: Behaviour = {
  ...metricSource,
  definition: catalog.qualifyingEvent,
  operations: { list: list(), create, get, update: patch, delete: remove },
};
