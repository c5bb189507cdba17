import { UNKNOWN } from "pulumi-feature-console/facts";
import { kindProblems, patternOf, patternProblems } from "../parameters";
import { defineRule, type Finding, titleOf } from "../rule";

interface Parameters {
  readonly patterns: Readonly<Record<string, string>>;
}

/** Names that applications ask for look alike. */
export const naming = defineRule<Parameters>({
  name: "naming",
  description: "Names follow the pattern of their kind.",
  level: "advisory",
  needs: "program",
  parameters: {
    patterns: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "A regular expression for each kind. A kind that is not here may be called anything.",
      default: { gate: "^[a-z][a-z0-9_]*$", dynamicConfig: "^[a-z][a-z0-9_]*$" },
    },
  },
  problemsOf: ({ patterns }) => [
    ...kindProblems("patterns", Object.keys(patterns)),
    ...Object.entries(patterns).flatMap(([kind, text]) => patternProblems(`patterns.${kind}`, text)),
  ],
  judge(object, { patterns }): Finding[] {
    const { kind, args } = object;
    const pattern = patterns[kind.name];
    const called = kind.programId(args);
    if (pattern === undefined || called === UNKNOWN || typeof called !== "string") return [];
    if (patternOf(pattern).test(called)) return [];
    return [
      {
        message: `${titleOf(object)} is not named as the house names a ${kind.title}: its name in the console must match ${pattern}. Choose another name before code asks for it.`,
      },
    ];
  },
  examples: {
    violated: { kind: "Gate", args: { key: "NewCheckout" } },
    met: { kind: "Gate", args: { key: "new_checkout" } },
  },
});
