import { type RiseParameters, riseParameters, risesOf } from "../rises";
import { defineRule, titleOf } from "../rule";

/** Nothing goes from nobody to everybody at once: somebody has to see it before all do. */
export const suddenLaunch = defineRule<RiseParameters>({
  name: "sudden-launch",
  description: "Nothing goes from 0 % to 100 % in one update.",
  level: "mandatory",
  needs: "state",
  parameters: riseParameters,
  judge: (object, parameters) =>
    risesOf(object, parameters, ({ place, from, to }, environment) => {
      if (from > 0 || to < 100) return undefined;
      const where = environment === undefined ? "" : ` in ${environment}`;
      return `${titleOf(object)}: ${place} would go from 0 % to 100 %${where} in one update. Begin with a part.`;
    }),
  examples: {
    violated: {
      kind: "Gate",
      before: { isEnabled: false, rules: [{ name: "Everyone", passPercentage: 100, conditions: [] }] },
      args: { isEnabled: true, rules: [{ name: "Everyone", passPercentage: 100, conditions: [] }] },
    },
    met: {
      kind: "Gate",
      before: { isEnabled: false, rules: [{ name: "Everyone", passPercentage: 100, conditions: [] }] },
      args: { isEnabled: true, rules: [{ name: "Everyone", passPercentage: 5, conditions: [] }] },
    },
  },
});
