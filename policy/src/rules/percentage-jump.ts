import { type RiseParameters, riseParameters, risesOf } from "../rises";
import { defineRule, titleOf } from "../rule";

interface Parameters extends RiseParameters {
  readonly most: number;
}

/** Percentages rise step by step, so that what goes wrong goes wrong for few. */
export const percentageJump = defineRule<Parameters>({
  name: "percentage-jump",
  description: "A percentage rises by no more than so many points in one update.",
  level: "mandatory",
  needs: "state",
  parameters: {
    most: {
      type: "number",
      minimum: 0,
      maximum: 100,
      description: "The largest rise in one update, in percentage points.",
      default: 50,
    },
    ...riseParameters,
  },
  judge: (object, parameters) =>
    risesOf(object, parameters, ({ place, from, to }, environment) => {
      const { most } = parameters;
      if (to - from <= most) return undefined;
      const where = environment === undefined ? "" : ` in ${environment}`;
      return `${titleOf(object)}: ${place} would go from ${from} % to ${to} %${where} in one update, and at most ${most} points are allowed. Go to ${from + most} % first.`;
    }),
  examples: {
    violated: {
      kind: "Gate",
      before: { rules: [{ name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] }] },
      args: { rules: [{ name: "Everyone", passPercentage: 75, conditions: [{ type: "public" }] }] },
    },
    met: {
      kind: "Gate",
      before: { rules: [{ name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] }] },
      args: { rules: [{ name: "Everyone", passPercentage: 50, conditions: [{ type: "public" }] }] },
    },
  },
});
