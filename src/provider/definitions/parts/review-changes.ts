import { isObject } from "../../schema/json";
import type { ReviewedMember, Reviews } from "../../schema/reviews";

const as = (name: string, of?: ReviewedMember["of"]): ReviewedMember =>
  of === undefined ? { as: name } : { as: name, of };

/** Reviews of a gate or a dynamic config. `content`: the members of one change of what users get. Source: console-api/corrections-2.md, section 2. */
export function flagReviews(content: Readonly<Record<string, ReviewedMember>>) {
  return {
    members: [
      content,
      { releasePipelineID: as("release_pipeline_id") },
      { teamID: as("team_id") },
      { targetApps: { as: "target_app_ids", idsOf: "targetApp" } },
      { reviewSettings: as("disable_reviews_locally", isSwitchedOff) },
      { isEnabled: as("is_enabled") },
    ],
    barred: ["team"],
    requests: {
      enable: { says: { is_enabled: true } },
      disable: { says: { is_enabled: false } },
      archive: { says: { is_archived: true } },
      unarchive: { says: { is_archived: false } },
      delete: { says: { delete: true } },
    },
  } as const satisfies Reviews;
}

export const rulesMember = as("rules");
export const defaultValueMember = as("default_value");

/** To demand reviews needs none. */
function isSwitchedOff(settings: unknown): unknown {
  return isObject(settings) && settings.requiredReview === false ? true : undefined;
}

/** Reviews of an experiment. The API describes the content of these types alone; of `update_settings` and the others, none. */
export const experimentReviews = {
  members: [],
  requests: {
    start: { says: { type: "start" } },
    makeDecision: {
      says: { type: "make_decision" },
      takes: { id: "winning_group_id", decisionReason: "reason", removeTargeting: "remove_targeting" },
    },
    abandon: { says: { type: "abandon" }, takes: { decisionReason: "reason" } },
    archive: { says: { type: "archive" }, takes: { archiveReason: "reason" } },
    unarchive: { says: { type: "unarchive" } },
    delete: { says: { type: "delete" } },
  },
  free: ["name", "description", "hypothesis", "links", "tags", "decisionReason"],
  freeWhile: { field: "status", is: "setup" },
} as const satisfies Reviews;
