import { z } from "zod";
import { defineObject } from "../../schema/define";
import { output } from "../../schema/field";
import { route } from "../../schema/verbs";

const item = "/events/{eventName}";

/** A logged event. Source: console-api/metrics.md, section 6. */
export const event = defineObject({
  kind: "Event",
  name: "event",
  title: "event",
  doc: "Something that was logged, from which metrics are made.",
  identity: { how: "key", argument: "name" },
  fields: {
    name: output(z.string(), { doc: "Name of the event." }),
    timestamp: output(z.string(), { doc: "When it was logged: digits, milliseconds since 1970." }),
    source: output(z.string(), { doc: "Where it came from." }),
    value: output(z.string(), { doc: "Its value." }),
    userID: output(z.string(), { doc: "Who did it." }),
    metadata: output(z.record(z.string(), z.unknown()).optional(), {
      doc: "The data logged beside the value.",
      sameAs: "opaque",
    }),
  },
  routes: {
    list: route("GET", "/events", "items", "Logged events.", { op: 20 }),
    listValues: route("GET", item, "items", "The logged data of one event."),
    listMetrics: route("GET", `${item}/metrics`, "items", "Metrics made of it.", {
      op: 19,
      returnsKind: "metric",
    }),
  },
});
