import type { ConsoleClient } from "../../src/provider/client";
import { allOf } from "./raw-client";

/** A release that a change of a gate's rules has started. */
export interface Release {
  readonly gate: string;
  readonly trigger: string;
  readonly phaseID: string;
}

/** Makes the gate "released" in a pipeline of two phases, and starts a release of it. */
export async function startRelease(
  raw: Pick<ConsoleClient, "gate" | "releasePipeline" | "releasePipelineTrigger">,
  requiredReview: boolean,
  names: readonly string[] = ["one", "two"],
): Promise<Release> {
  const phases = names.map((name) => ({
    ...{ name, timeIntervalMs: 60_000_000, requiredReview },
    rules: [{ name, conditions: [] }],
  }));
  const pipeline = await raw.releasePipeline.create({ body: { name: "careful", phases } });
  const gate = "released";
  await raw.gate.create({ body: { id: gate, name: gate, releasePipelineID: pipeline.id } });
  const rules = [{ name: "All", passPercentage: 50, conditions: [{ type: "public" }] }];
  await raw.gate.patch({ id: gate, body: { rules } });
  const [trigger] = await allOf(raw.releasePipelineTrigger.list());
  if (trigger === undefined) throw new Error("no release was started");
  return { gate, trigger: String(trigger.id), phaseID: String(trigger.currentPhaseID) };
}
