import { isObject, type JsonObject } from "../../provider/schema/json";
import type { PageRules } from "../http/pagination";
import { changeItem, findItem, show } from "../store/items";
import type { World } from "../store/store";
import { recordChange } from "./audit-log";
import type { Call, Operation } from "./behaviour";
import { answerPage, bodyOf } from "./item-operations";
import { invalidMember, notFound, type Outcome, Refusal, sentence } from "./rules/outcomes";

/** A request that applies when its review is committed. */
interface ReviewedRequest {
  readonly route: string;
  readonly body: unknown;
  /** Left out: those of the commit. */
  readonly params?: Call["params"];
}

const closed = ["committed", "rejected"];
const longestDescription = 2000;
const pages: PageRules = { size: 10, most: 10, whenTooLarge: "cap" };

const collectionOf = (call: Call, id: string): string => `${call.behaviour.definition.name} reviews of ${id}`;

/** Requests by which the changes of a gate or a config apply. What is not listed has no effect here. */
const changes: Readonly<Record<string, (value: unknown, world: World) => ReviewedRequest>> = {
  rules: (rules) => ({ route: "patch", body: { rules } }),
  default_value: (defaultValue) => ({ route: "patch", body: { defaultValue } }),
  is_enabled: (on) => ({ route: on === true ? "enable" : "disable", body: {} }),
  is_archived: (archived) => ({ route: archived === true ? "archive" : "unarchive", body: {} }),
  delete: () => ({ route: "delete", body: {} }),
  disable_reviews_locally: () => ({ route: "patch", body: { reviewSettings: { requiredReview: false } } }),
  team_id: (teamID) => ({ route: "patch", body: { teamID } }),
  release_pipeline_id: (releasePipelineID) => ({ route: "patch", body: { releasePipelineID } }),
  id_type: (idType) => ({ route: "patch", body: { idType } }),
  target_app_ids: (ids, world) => ({ route: "patch", body: { targetApps: appsNamed(ids, world) } }),
};

/** Names of apps by their ids. Any other value stays: the request then reports it. */
const appsNamed = (ids: unknown, world: World): unknown =>
  Array.isArray(ids) ? ids.map((id) => world.get("targetApp", String(id))?.name ?? id) : ids;

const startAt = ({ start_date: date }: JsonObject): ReviewedRequest => ({
  route: "scheduleStart",
  body: { scheduledTime: typeof date === "number" ? date : Date.parse(String(date)) },
});

/** The same of an experiment, by the type of the change. */
const moves: Readonly<Record<string, (change: JsonObject) => ReviewedRequest>> = {
  start: () => ({ route: "start", body: {} }),
  scheduled_start: startAt,
  scheduled_start_edit: startAt,
  abandon: ({ reason }) => ({ route: "abandon", body: { decisionReason: reason ?? "" } }),
  archive: ({ reason }) => ({
    route: "archive",
    body: reason === undefined ? {} : { archiveReason: reason },
  }),
  unarchive: () => ({ route: "unarchive", body: {} }),
  delete: () => ({ route: "delete", body: {} }),
  make_decision: ({ winning_group_id: id, reason, remove_targeting: removeTargeting }) => ({
    route: "makeDecision",
    body: { id, decisionReason: reason ?? "", ...(removeTargeting === undefined ? {} : { removeTargeting }) },
  }),
};

/** Required member of a change, by the type of the change. */
const required: Readonly<Record<string, string>> = {
  make_decision: "winning_group_id",
  scheduled_start: "start_date",
  scheduled_start_edit: "start_date",
};

function requestsOf(change: JsonObject, world: World): ReviewedRequest[] {
  if (isObject(change.held)) return [change.held as unknown as ReviewedRequest];
  if (typeof change.type === "string")
    return [moves[change.type]?.(change)].filter((one) => one !== undefined);
  return Object.entries(change).flatMap(([member, value]) => changes[member]?.(value, world) ?? []);
}

/** The review that was opened last and is not closed, as the object shows it. */
export function activeReviewOf(call: Call, { id }: JsonObject): JsonObject {
  const last = call.world
    .list(collectionOf(call, String(id)), true)
    .filter(({ status }) => !closed.includes(String(status)))
    .at(-1);
  if (last === undefined) return {};
  const { review_id: reviewID, status: reviewStatus, description = "" } = last;
  return { activeReview: { reviewID, reviewStatus, description } };
}

/** Opens the review of a request that a policy holds, and answers with the object as it stays. */
export function hold(call: Call, route: string): Outcome {
  const { id, item } = findItem(call);
  const held: ReviewedRequest = { route, params: call.params, body: call.body };
  add(call, id, { type: "update", change: { held }, reviewers: [], description: "Opened by the console" });
  return { message: "The change waits for a review.", data: show(call, item) };
}

function add(call: Call, id: string, review: JsonObject): JsonObject {
  const { world, ports, author, switches } = call;
  const before = world.list(collectionOf(call, id), true);
  if (switches.openReviews === "one" && before.some(({ status }) => !closed.includes(String(status))))
    throw new Refusal(400, `This ${call.behaviour.definition.title} has an open review`);
  const count = Number(world.get("review count", "last")?.value ?? 0) + 1;
  world.put("review count", "last", { value: count });
  const added = {
    review_id: String(count),
    status: "pending",
    author: author ?? machine,
    created_at: ports.clock(),
    ...review,
  };
  world.put(collectionOf(call, id), added.review_id, added);
  return added;
}

const machine = { id: "console-api-key" } as const;

function shown({ change: _change, ...review }: JsonObject): JsonObject {
  return review;
}

function answer(review: JsonObject, done: string): Outcome {
  return { message: `Review ${done} successfully.`, data: shown(review) };
}

type Found = ReturnType<typeof find>;

function find(call: Call) {
  const { id } = findItem(call);
  const review = call.world.get(collectionOf(call, id), String(call.params.reviewID));
  if (review === undefined) throw notFound();
  return { id, review };
}

function findOpen(call: Call): Found {
  const found = find(call);
  const { status } = found.review;
  if (closed.includes(String(status))) throw new Refusal(400, `This review is ${String(status)}`);
  return found;
}

function keep(call: Call, { id, review }: Found, changed: JsonObject): JsonObject {
  const after = { ...review, ...changed };
  call.world.put(collectionOf(call, id), String(review.review_id), after);
  return after;
}

const list: Operation = (call) => {
  const { id } = findItem(call);
  return answerPage(call, call.world.list(collectionOf(call, id), true).reverse().map(shown), pages);
};

const get: Operation = (call) => answer(find(call).review, "read");

const create: Operation = (call) => {
  const { id } = findItem(call);
  const { description, change, reviewer_ids: people = [], reviewer_group_ids: groups = [] } = bodyOf(call);
  if (call.behaviour.definition.name !== "experiment" || description !== undefined) requireText(description);
  const reviewers = [
    ...(people as string[]).map((one) => ({ id: one, kind: "user" })),
    ...(groups as string[]).map((one) => ({ id: one, kind: "group" })),
  ];
  return answer(add(call, id, { type: typeOf(change), change, reviewers, description }), "created");
};

function requireText(description: unknown): void {
  const length = typeof description === "string" ? description.length : 0;
  if (length < 1 || length > longestDescription)
    throw invalidMember("description", `Expected 1 to ${longestDescription} characters`);
}

/** Of a gate and a config the one member of the change, of which rules and the default value are one. */
function typeOf(change: unknown): string {
  const names = isObject(change) ? Object.keys(change) : [];
  if (isObject(change) && typeof change.type === "string") {
    const needed = required[change.type];
    if (needed !== undefined && change[needed] === undefined)
      throw invalidMember(`change.${needed}`, "Required");
    return change.type;
  }
  const [first, ...others] = names;
  const isContent = names.every((name) => ["rules", "default_value"].includes(name));
  if (first === undefined || (others.length > 0 && !isContent))
    throw invalidMember("change", "Expected exactly one change");
  return first;
}

const edit: Operation = (call) => {
  const found = findOpen(call);
  const { description, change } = bodyOf(call);
  if (description !== undefined) requireText(description);
  const changed = {
    ...(description === undefined ? {} : { description }),
    ...(change === undefined ? {} : { change, type: typeOf(change), status: "pending" }),
  };
  return answer(keep(call, found, changed), "updated");
};

/** A person's decision. That a machine's key can make none is inferred. */
const decide =
  (status: "accepted" | "rejected"): Operation =>
  (call) => {
    const found = findOpen(call);
    const { author } = call;
    if (author === undefined) throw new Refusal(403, "A review is decided by a person");
    const isOwn = isObject(found.review.author) && found.review.author.id === author.id;
    if (isOwn && status === "accepted") throw new Refusal(403, "The author of a review cannot approve it");
    return answer(keep(call, found, { status }), status);
  };

const commit: Operation = (call) => {
  const { id, item } = findItem(call);
  if (call.world.get(collectionOf(call, id), String(call.params.reviewID)) === undefined)
    return commitSeeded(call, item);
  const found = findOpen(call);
  if (found.review.status !== "accepted")
    throw new Refusal(400, `This review is ${String(found.review.status)}, not accepted`);
  keep(call, found, { status: "committed" });
  for (const { route, body, params = call.params } of requestsOf(
    found.review.change as JsonObject,
    call.world,
  )) {
    const operation = call.operationOf?.(route);
    if (operation === undefined) continue;
    operation({ ...call, params, body, approved: true });
    recordChange(call, route, item);
  }
  return { message: "Review committed successfully." };
};

/** An object of a seed may show a review as open; what it would change is not known, so it changes nothing. */
function commitSeeded(call: Call, item: JsonObject): Outcome {
  const { activeReview, ...rest } = item;
  if (!isObject(activeReview) || activeReview.reviewID !== call.params.reviewID) throw notFound();
  changeItem(call, String(item.id), item, {}, rest);
  return { message: `${sentence(call.behaviour.definition.title)} updated successfully.` };
}

const remove: Operation = (call) => {
  const { id, review } = findOpen(call);
  call.world.remove(collectionOf(call, id), String(review.review_id));
  return { message: "Review deleted successfully." };
};

/** Everybody may review; which people a console lists is not published. */
const eligible: Operation = (call) => {
  findItem(call);
  const people = call.world.list("user", true).map(({ email }) => ({ id: `user-${String(email)}`, email }));
  return answerPage(call, people);
};

/** Operations of the routes of reviews. */
export const reviewOperations = {
  ...{ listReviews: list, createReview: create, getReview: get, editReview: edit, commitReview: commit },
  ...{ approveReview: decide("accepted"), rejectReview: decide("rejected"), deleteReview: remove },
  listEligibleReviewers: eligible,
};
