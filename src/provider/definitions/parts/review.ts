import { z } from "zod";
import { nested, output } from "../../schema/field";
import { route } from "../../schema/verbs";
import { configRule, gateRule } from "./rule";
import { maybeText, text } from "./traits";

/** The review that is open now. */
export const activeReview = output(
  z.object({ reviewID: z.string(), reviewStatus: z.string(), description: z.string() }).optional(),
  {
    doc: "The review that is open now; an update reports that it bypasses the review.",
    volatile: true,
    openReview: true,
  },
);

const person = (doc: string) =>
  nested(z.object({ id: text("Its id."), email: maybeText("The e-mail address.") }), { doc });

/** A review as reads show it: never the change itself. Source: console-api/corrections-2.md, section 2. */
export const review = z.object({
  review_id: text("Its id."),
  status: text(
    "`pending`, `accepted`, `rejected`, `committed`, `changes_requested`, `pending_webhook_validation`, `failed_webhook_validation` or `approved_webhook_validation`.",
  ),
  type: text("The kind of change."),
  author: person("The author: a person or a key."),
  reviewers: nested(
    z.array(z.object({ id: text("Id of the person or group."), kind: text("`user` or `group`.") })),
    { doc: "Who is asked." },
  ),
  description: maybeText("Its description."),
  created_at: nested(z.union([z.number(), z.string()]), { doc: "The time of its creation." }),
});

/** A person who may review. The form is inferred. */
export const reviewer = z.object({ id: text("Id of the person."), email: maybeText("The e-mail address.") });

const flag = z.boolean().optional();
const ids = z.array(z.string()).optional();
/** Changes that gates and configs have in common; a body has exactly one. */
const verbs = {
  is_enabled: flag,
  is_archived: flag,
  delete: flag,
  disable_reviews_locally: flag,
  team_id: z.string().nullable().optional(),
  release_pipeline_id: z.string().nullable().optional(),
  id_type: z.string().optional(),
  allow_self_approval: flag,
  target_app_ids: ids,
  owners: ids,
  allowed_reviewers: ids,
};
const phase = z.object({ rollout_percentage: z.number(), start_date: z.union([z.string(), z.number()]) });

const gateChange = z.strictObject({ rules: z.array(gateRule).optional(), resalt: flag, ...verbs });
const configChange = z.strictObject({
  rules: z.array(configRule).optional(),
  default_value: z.record(z.string(), z.unknown()).optional(),
  ...verbs,
});
const experimentChange = z.strictObject({
  type: z.enum([
    ...(["start", "stop", "pause", "restart", "abandon", "archive", "unarchive", "delete"] as const),
    ...(["make_decision", "rollout", "schedule_rollout", "reallocate", "change_enabled_groups"] as const),
    ...(["update_owners", "update_team", "update_settings", "update_overrides"] as const),
    ...(["update_target_applications", "update_allowed_reviewers"] as const),
    ...(["update_default_impact_multiplier", "scheduled_start", "scheduled_start_edit"] as const),
    "disable_reviews_locally",
  ]),
  winning_group_id: z.string().optional(),
  remove_targeting: flag,
  remove_overrides: flag,
  group_id: z.string().optional(),
  rollout_percentage: z.number().optional(),
  rollout_phases: z.array(phase).optional(),
  start_date: z.union([z.string(), z.number()]).optional(),
  reason: z.string().optional(),
});

const answer = { returnsKind: "review" } as const;

/** Applies an accepted change of an object at `path`. */
export function commitReview<const P extends string>(path: P) {
  return route("PUT", `${path}/reviews/{reviewID}/commit`, "message", "Applies an accepted change.");
}

/** The operations of reviews of the objects at `path`. A `PUT` without a published body takes that of the create, in part. */
function reviewRoutes<const P extends string>(path: P, change: z.ZodType) {
  const reviews = `${path}/reviews` as const;
  const one = `${reviews}/{reviewID}` as const;
  const body = z.strictObject({
    description: z.string().optional(),
    reviewer_ids: ids,
    reviewer_group_ids: ids,
    change,
  });
  return {
    listReviews: route("GET", reviews, "items", "Its reviews.", answer),
    createReview: route("POST", reviews, "item", "Opens a review of one change.", {
      ...answer,
      status: 201,
      body: { schema: body },
    }),
    getReview: route("GET", one, "item", "One review.", answer),
    editReview: route("PUT", one, "item", "Changes an open review; it needs a new approval.", {
      ...answer,
      body: { schema: body.partial() },
    }),
    approveReview: route("PUT", `${one}/approve`, "item", "Accepts a change.", {
      ...answer,
      body: { schema: z.strictObject({ reason: z.string().optional() }) },
    }),
    rejectReview: route("PUT", `${one}/reject`, "item", "Rejects a change.", {
      ...answer,
      body: { schema: z.strictObject({ reason: z.string() }) },
    }),
    commitReview: commitReview(path),
  };
}

const eligibleReviewers = <const P extends string>(path: P) => ({
  listEligibleReviewers: route("GET", `${path}/eligible_reviewers`, "items", "People who may review it.", {
    returnsKind: "reviewer",
  }),
});

/** Reviews of a gate. */
export const gateReviews = <const P extends string>(path: P) => ({
  ...reviewRoutes(path, gateChange),
  deleteReview: route("DELETE", `${path}/reviews/{reviewID}`, "message", "Takes an open review back."),
  ...eligibleReviewers(path),
});

/** Reviews of a dynamic config. */
export const configReviews = <const P extends string>(path: P) => ({
  ...reviewRoutes(path, configChange),
  ...eligibleReviewers(path),
});

/** Reviews of an experiment. */
export const experimentReviewRoutes = <const P extends string>(path: P) =>
  reviewRoutes(path, experimentChange);
