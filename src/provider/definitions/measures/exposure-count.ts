import { z } from "zod";
import { defineObject } from "../../schema/define";
import { output } from "../../schema/field";
import { route } from "../../schema/verbs";
import { number, text } from "../parts/traits";

const count = z.object({
  id: text("Its id."),
  pastDay: number("Exposures of the past day."),
  past7Days: number("Exposures of the past seven days."),
});
const counts = (doc: string) => output(z.array(count), { doc });

/** The most ids that one request takes, those of all lists together. */
export const mostCountedIds = 25;

/** Lists of ids in the request, which are the lists of counts in the answer too -> the kind of their objects. */
export const countedKinds = {
  gates: "gate",
  experiments: "experiment",
  dynamicConfigs: "dynamicConfig",
} as const;

/** Counts of exposures to flags: read, never managed. Source: console-api/corrections-2.md, section 1. */
export const exposureCount = defineObject({
  kind: "ExposureCount",
  name: "exposureCount",
  title: "exposure count",
  doc: "How often applications checked gates, dynamic configs and experiments. It knows only the ones that the request names.",
  identity: { how: "singleton", id: "exposures" },
  fields: {
    gates: counts("The gates that the request names."),
    experiments: counts("The experiments that the request names."),
    dynamicConfigs: counts("The dynamic configs that the request names."),
  },
  routes: {
    get: route(
      "GET",
      "/exposure_count",
      "item",
      `Exposures of up to ${mostCountedIds} gates, dynamic configs and experiments, each list by ids.`,
      { query: Object.keys(countedKinds) as (keyof typeof countedKinds)[] },
    ),
  },
});
