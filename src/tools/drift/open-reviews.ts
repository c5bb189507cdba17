import { isClosed, nameOf, settleAccepted } from "../../provider/engine";
import { reviewsMember } from "../../provider/schema/internal";
import type { Report } from "../render/report";
import { readStack, type StackPorts } from "../stack/live";

/** Patience of a look at reviews. */
export interface Waiting {
  /** Accepted reviews are committed, and open ones waited for. */
  readonly waits: boolean;
  readonly betweenMs: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** The reviews of a stack, by its state: neither the program nor a preview is needed. @throws what the Pulumi CLI or the console says. */
export async function stackReviews(ports: StackPorts, { waits, betweenMs, sleep }: Waiting) {
  const { consoles, resources } = await readStack(ports, "state");
  const waiting = resources.filter(({ applied }) => applied?.outputs[reviewsMember] !== undefined);
  for (let told = ""; ; await sleep(betweenMs)) {
    const found = [];
    for (const { name, definition, id = "", applied, provider } of waiting) {
      const object = { context: consoles.context(provider), definition, id, state: applied?.outputs ?? {} };
      // `change`: what the review holds, such as `rules`.
      for (const { id: review, slot: change, status } of await settleAccepted(object, waits))
        found.push({ resource: name, object: nameOf(definition, id), review, change, status });
    }
    const open = found.filter((review) => !isClosed(review));
    if (!waits || open.length === 0) return found;
    const text = `Waiting for ${open.map(({ object, review }) => `review ${review} of ${object}`).join(", ")} ...`;
    if (text !== told) ports.progress(text);
    told = text;
  }
}

/** The reviews, a line each. */
export function reviewsReport(reviews: Awaited<ReturnType<typeof stackReviews>>): Report {
  const lines = reviews.map(
    ({ resource, object, review, change, status }) =>
      `${object}: review ${review} of ${change} is ${status.replaceAll("_", " ")} (resource ${resource})`,
  );
  const isCommitted = reviews.some(({ status }) => status === "committed");
  return {
    parts: [
      lines.length === 0 ? "No reviews of this stack are open." : lines,
      ...(isCommitted ? ['Run "pulumi up": state then has what is committed.'] : []),
    ],
    json: { reviews },
  };
}
