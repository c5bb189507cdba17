import { z } from "zod";
import { defineAction } from "../core/action";
import { output } from "../core/field";
import { gate } from "./gate";

/** Launches a gate. Source: console-api/gates-configs.md, section 1.4. */
export const gateLaunch = defineAction({
  kind: "GateLaunch",
  name: "gateLaunch",
  title: "gate launch",
  doc: "Launches a gate once: everyone passes. A gate of the same program says `status` instead.",
  inputs: { gate: { schema: z.string().min(1), doc: "Id of the gate." } },
  outputs: { status: output(z.string().optional(), { doc: "State of the gate right after." }) },
  id: "{gate}:launch",
  route: gate.routes.launch,
  params: { id: "gate" },
  body: [],
  sample: { gate: "checkout_v2" },
});
