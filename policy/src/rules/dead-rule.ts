import { type DeadRule, type Path, pathText, whyNobody } from "pulumi-feature-console/facts";
import { defineRule, type Finding, titleOf } from "../rule";

interface Parameters {
  readonly allowZero: boolean;
}

const reasons: Readonly<Record<DeadRule["why"], (places: string) => string>> = {
  share: (places) => `${places} is 0`,
  environments: (places) => `${places} is an empty list, which means none`,
  "empty list": (places) => `${places} is an empty list`,
  condition: (places) => `${places} never holds`,
  contradiction: (places) => `${places} never hold together`,
};

/** A rule that lets nobody in is a mistake, or says by a detour what leaving it out says. */
export const deadRule = defineRule<Parameters>({
  name: "dead-rule",
  description: "Each rule can match a user and let that user pass.",
  level: "advisory",
  needs: "program",
  parameters: {
    allowZero: {
      type: "boolean",
      description:
        "Whether 0 % is all right: a rollout begins with it, and some rules are there to keep people out.",
      default: false,
    },
  },
  judge(object, { allowZero }): Finding[] {
    const field = object.kind.rulesField;
    const rules = field === undefined ? undefined : object.args[field];
    if (field === undefined || !Array.isArray(rules)) return [];
    // Where the console owns the percentages, what the program says of them tells nothing of who passes.
    const isZeroAllowed = allowZero || object.kind.leavesRollout(object.args);
    return rules.flatMap((rule: unknown, at): Finding[] => {
      const dead = whyNobody(rule);
      if (dead === undefined || (dead.why === "share" && isZeroAllowed)) return [];
      const places = dead.paths.map((path: Path) => pathText([field, at, ...path])).join(" and ");
      return [
        { message: `${titleOf(object)}: ${field}[${at}] passes no user: ${reasons[dead.why](places)}.` },
      ];
    });
  },
  examples: {
    violated: {
      kind: "Gate",
      args: {
        rules: [
          {
            name: "Nobody",
            passPercentage: 100,
            conditions: [
              { type: "country", operator: "any", targetValue: ["NZ"] },
              { type: "country", operator: "none", targetValue: ["NZ", "AU"] },
            ],
          },
        ],
      },
    },
    met: {
      kind: "Gate",
      args: {
        rules: [
          {
            name: "Some",
            passPercentage: 100,
            conditions: [{ type: "country", operator: "any", targetValue: ["NZ"] }],
          },
        ],
      },
    },
  },
});
