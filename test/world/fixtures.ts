import type { JsonObject } from "../../src/provider/schema/json";
import type { SharedConsole } from "./console";
import { type Declared, mapped } from "./programs";

/** The gate whose release is under way from the start, where a history acts on one. */
export const releasedGate = "released";

/** Texts of programs that stand for what is there from the start, such as `$release`. */
export type Fixtures = Readonly<Record<string, string>>;

/** Puts into a console what is there from the start: environments, and a release where a history acts on one. */
export function furnish(console: SharedConsole, kinds: readonly string[]): Fixtures {
  const environments = ["production", "staging", "development"].map((name, index) => ({
    ...{ name, isProduction: index === 0, requiresReview: false, requiresReleasePipeline: false },
  }));
  console.ask("person", "POST", "/environments", { environments });
  if (!kinds.some((kind) => kind.startsWith("release"))) return {};
  // Only a phase that waits for its review can be approved, and only one that does not wait can be skipped.
  const requiredReview = kinds.includes("releaseApproval");
  const phases = ["one", "two"].map((name) => ({
    ...{ name, timeIntervalMs: 60_000_000_000, requiredReview },
    rules: [{ name, conditions: [] }],
  }));
  const ask = (method: string, path: string, body?: JsonObject) =>
    console.ask("person", method, path, body).body.data as JsonObject & JsonObject[];
  const pipeline = ask("POST", "/release_pipelines", { name: "careful", phases });
  ask("POST", "/gates", { name: releasedGate, releasePipelineID: pipeline.id });
  const rules = [{ name: "All", passPercentage: 50, conditions: [{ type: "public" }] }];
  ask("PATCH", `/gates/${releasedGate}`, { rules });
  const [trigger] = ask("GET", "/release_pipeline_triggers");
  return { $release: String(trigger?.id), $phase: String(trigger?.currentPhaseID) };
}

/** A program with what is there in the place of what stands for it. */
export function placed(program: readonly Declared[], fixtures: Fixtures): Declared[] {
  const change = (part: unknown) =>
    typeof part === "string" && Object.hasOwn(fixtures, part) ? ([fixtures[part]] as const) : undefined;
  return program.map((one) => ({ ...one, args: mapped(one.args, change) as JsonObject }));
}
