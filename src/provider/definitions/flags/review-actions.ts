import { z } from "zod";
import { type ActionDefinition, defineAction } from "../../schema/action";
import type { ResourceDefinition } from "../../schema/define";
import type { MeantKind } from "../../schema/field";
import { output } from "../../schema/field";
import type { Route } from "../../schema/verbs";
import { pascalCase } from "../../texts/argument-names";
import { dynamicConfig } from "./dynamic-config";
import { experiment } from "./experiment";
import { gate } from "./gate";

/** A kind whose changes pass reviews. */
interface Reviewed {
  readonly kind: string;
  readonly name: MeantKind & string;
  readonly title: string;
  readonly routes: Readonly<Record<"getReview" | "approveReview" | "rejectReview" | "commitReview", Route>>;
}

/** Particulars of one of the actions. */
interface Deed {
  readonly noun: "approval" | "rejection" | "commit";
  readonly doc: string;
  readonly route: "approveReview" | "rejectReview" | "commitReview";
  /** The reason of the person; left out where the API takes none. */
  readonly reason?: z.ZodType;
  /** Statuses of a review to which it has been done. */
  readonly done: readonly [string, ...string[]];
  readonly advice: string;
}

const text = z.string().min(1);
const otherPerson =
  "If this key belongs to no person, or to the author of the review, set apiKey to the key of another person.";

const approval: Deed = {
  noun: "approval",
  doc: "Approves a review once, as the person whose key the provider has.",
  route: "approveReview",
  reason: text.optional(),
  done: ["accepted", "approved_webhook_validation", "committed"],
  advice: otherPerson,
};
const rejection: Deed = {
  noun: "rejection",
  doc: "Rejects a review once, as the person whose key the provider has.",
  route: "rejectReview",
  reason: text,
  done: ["rejected"],
  advice: otherPerson,
};
const commit: Deed = {
  noun: "commit",
  doc: 'Applies the change of an approved review once. `reviews: "open"` commits the reviews of its own resources itself.',
  route: "commitReview",
  done: ["committed"],
  advice: "The console applies a review after a person has approved it.",
};

/** An action on a review of an object. Source: console-api/corrections-2.md, section 2. */
function reviewAction({ kind, name, title, routes }: Reviewed, deed: Deed): ResourceDefinition {
  const { noun, doc, reason, done, advice } = deed;
  const called = `Review${pascalCase(noun)}`;
  const isReasoned = reason !== undefined;
  const action: ActionDefinition = {
    kind: `${kind}${called}`,
    name: `${name}${called}`,
    title: `${title} review ${noun}`,
    doc,
    inputs: {
      [name]: { schema: text, doc: `Id of the ${title}.`, refersTo: name },
      review: {
        schema: text,
        doc: `Id of the review, which \`pulumi up\` prints and the lookup of reviews returns.`,
      },
      ...(isReasoned ? { reason: { schema: reason, doc: "The reason, which the console shows." } } : {}),
    },
    outputs: { status: output(z.string().optional(), { doc: "State right after." }) },
    id: `{${name}}:${done[0]}:{review}`,
    route: routes[deed.route],
    read: routes.getReview,
    params: { id: name, reviewID: "review" },
    done: { where: { status: done } },
    advice,
    body: isReasoned ? ["reason"] : [],
  };
  return defineAction(action);
}

export const gateReviewApproval = reviewAction(gate, approval);
export const gateReviewRejection = reviewAction(gate, rejection);
export const gateReviewCommit = reviewAction(gate, commit);
export const dynamicConfigReviewApproval = reviewAction(dynamicConfig, approval);
export const dynamicConfigReviewRejection = reviewAction(dynamicConfig, rejection);
export const dynamicConfigReviewCommit = reviewAction(dynamicConfig, commit);
export const experimentReviewApproval = reviewAction(experiment, approval);
export const experimentReviewRejection = reviewAction(experiment, rejection);
export const experimentReviewCommit = reviewAction(experiment, commit);
