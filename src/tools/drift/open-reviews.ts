import { isClosed, type OwnReview, reviewMode, settleAccepted, unnotedReviews } from "../../provider/engine";
import { reviewsMember } from "../../provider/schema/internal";
import { type Resource, resourcesOf } from "../stack/resources";
import type { DriftPorts } from "./drift";
import { Consoles } from "./live";

/** A review that a stack has opened. */
export interface StackReview {
  /** The resource's name in the program. */
  readonly resource: string;
  /** The title of its kind and the id of its object. */
  readonly object: string;
  readonly review: string;
  /** The change that it holds, such as `rules`. */
  readonly change: string;
  readonly status: string;
  /** False for a review that its mark alone shows: of a destroy that waits, or of an update that was killed. */
  readonly isNoted: boolean;
}

/** How reviews are looked at. */
export interface Waiting {
  /** Accepted reviews are committed, and open ones waited for. */
  readonly waits: boolean;
  readonly betweenMs: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * The reviews of a stack, by the notes in its state and by its marks: neither the program nor a preview is needed. Those without
 * a note are listed, and neither waited for nor committed. @throws what the Pulumi CLI or the console says.
 */
export async function stackReviews(
  { stack, console, progress }: Omit<DriftPorts, "preview">,
  { waits, betweenMs, sleep }: Waiting,
): Promise<readonly StackReview[]> {
  const exported = await stack.exported();
  const consoles = new Consoles(await stack.config(), exported, console);
  const resources = resourcesOf(exported, { steps: [] });
  const unnoted = await unnotedOf(resources, consoles);
  const waiting = resources.filter(({ applied }) => applied?.outputs[reviewsMember] !== undefined);
  for (let told = ""; ; await sleep(betweenMs)) {
    const found: StackReview[] = [];
    for (const resource of waiting) {
      const { definition, id = "", applied, provider } = resource;
      const state = applied?.outputs ?? {};
      const reviews = await settleAccepted(consoles.context(provider), definition, id, state, waits);
      found.push(...reviews.map((review) => shown(resource, review, true)));
    }
    const open = found.filter((review) => !isClosed(review));
    if (!waits || open.length === 0) return [...found, ...unnoted];
    const text = `Waiting for ${open.map(({ object, review }) => `review ${review} of ${object}`).join(", ")} ...`;
    if (text !== told) progress(text);
    told = text;
  }
}

async function unnotedOf(
  resources: readonly Resource[],
  consoles: Consoles,
): Promise<readonly StackReview[]> {
  const reviewed = resources.filter(
    ({ definition, provider, applied }) =>
      definition.lifecycle.reviews !== undefined &&
      reviewMode(consoles.context(provider), applied?.outputs ?? {}) === "open",
  );
  const found: StackReview[] = [];
  for (const resource of reviewed) {
    const { definition, id = "", applied, provider } = resource;
    const reviews = await unnotedReviews(consoles.context(provider), definition, id, applied?.outputs ?? {});
    found.push(...reviews.map((review) => shown(resource, review, false)));
  }
  return found;
}

function shown({ name, definition, id = "" }: Resource, review: OwnReview, isNoted: boolean): StackReview {
  const { slot, status } = review;
  const object = `${definition.title} "${id}"`;
  return { resource: name, object, review: review.id, change: slot, status, isNoted };
}

const unnotedAdvice =
  '. State does not note it: run the "pulumi up" or "pulumi destroy" that opened it again, or take the review back in the console';

/** The reviews as text, a line each. */
export function reviewsText(reviews: readonly StackReview[]): string {
  if (reviews.length === 0) return "No reviews of this stack are open.\n";
  const lines = reviews.map(
    ({ resource, object, review, change, status, isNoted }) =>
      `${object}: review ${review} of ${change} is ${status.replaceAll("_", " ")} (resource ${resource})${isNoted ? "" : unnotedAdvice}`,
  );
  const next = reviews.some(({ status }) => status === "committed")
    ? '\nRun "pulumi up": state then has what is committed.\n'
    : "";
  return `${lines.join("\n")}\n${next}`;
}
