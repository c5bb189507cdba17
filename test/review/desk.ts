import type { JsonObject } from "../../src/provider/schema/json";
import type { PreviewStep } from "../../src/tools/stack/stack";
import { Desk } from "../drift/desk";

/** A desk whose previews are text, as `pulumi preview --json` prints them. */
export class ReviewDesk extends Desk {
  /** `traffic`: checks an hour by resource, as state would know them. */
  async previewText(traffic: Readonly<Record<string, number>> = {}): Promise<string> {
    const { steps } = await this.stack.preview();
    const { resources } = await this.stack.exported();
    const declared = new Set(steps.map(({ urn }) => urn));
    const gone = resources
      .filter(({ urn }) => !declared.has(urn))
      .map((oldState): PreviewStep => ({ op: "delete", urn: oldState.urn, oldState }));
    const all = [...steps, ...gone].map((step) => withTraffic(step, traffic));
    const changeSummary: Record<string, number> = {};
    for (const { op } of all) changeSummary[op] = (changeSummary[op] ?? 0) + 1;
    return JSON.stringify({ steps: all, changeSummary });
  }
}

function withTraffic(step: PreviewStep, traffic: Readonly<Record<string, number>>): PreviewStep {
  const count = traffic[step.urn.split("::").at(-1) ?? ""];
  if (count === undefined || step.oldState === undefined) return step;
  const outputs: JsonObject = { ...step.oldState.outputs, checksPerHour: count };
  return { ...step, oldState: { ...step.oldState, outputs } };
}
