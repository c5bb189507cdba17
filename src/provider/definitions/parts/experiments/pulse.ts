import { z } from "zod";
import { route } from "../../../schema/verbs";

const load = z.object({
  ruleId: z.string(),
  refresh: z.boolean().optional(),
  metricIDs: z.array(z.string()).optional(),
  turboMode: z.boolean().optional(),
});

/** Effects of rules on the metrics: reads and a calculation of an object at `path`, none of it configuration. */
export function pulse<const P extends string>(path: P) {
  const rule = `${path}/rules/{ruleID}` as const;
  return {
    listPulseLoadHistory: route("GET", `${rule}/pulse_load_history`, "items", "Loads of a rule's results.", {
      op: 10,
      returnsKind: "pulseLoadHistoryEntry",
    }),
    getPulseResults: route("GET", `${rule}/pulse_results`, "item", "The effect of a rule on the metrics.", {
      returnsKind: "pulseResults",
    }),
    loadPulse: route("POST", `${path}/load_pulse`, "message", "Calculates the results of a rule anew.", {
      body: { schema: load },
    }),
  };
}
