import { holdsUnknown } from "pulumi-feature-console/facts";
import { type ExpiryParameters, expiriesOf, expiryParameters, isTemporary } from "../expiry";
import { kindProblems } from "../parameters";
import { defineRule, type Finding, titleOf } from "../rule";

/** What is meant to go says when. */
export const expiryTag = defineRule<ExpiryParameters>({
  name: "expiry-tag",
  description: "Each temporary object has a tag with its last day.",
  level: "advisory",
  needs: "program",
  parameters: expiryParameters,
  problemsOf: ({ kinds }) => kindProblems("kinds", kinds),
  judge(object, parameters): Finding[] {
    if (!isTemporary(object, parameters) || expiriesOf(object, parameters).length > 0) return [];
    const field = object.kind.tagsField;
    if (field !== undefined && holdsUnknown(object.args[field])) return [{ unknown: [field] }];
    const tag = `${parameters.prefix}2026-12-31`;
    return [
      {
        message: `${titleOf(object)} is temporary and has no tag with its last day. Add a tag like "${tag}", or declare it \`type: "PERMANENT"\`.`,
      },
    ];
  },
  examples: {
    violated: { kind: "Gate", args: { type: "TEMPORARY", tags: ["shop"] } },
    met: { kind: "Gate", args: { type: "TEMPORARY", tags: ["shop", "expires-2099-12-31"] } },
  },
});
