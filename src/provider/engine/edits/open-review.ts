import { isObject } from "../../schema/json";
import { quote } from "../../texts/issue-text";
import { nameOf } from "../context";
import type { WriteTarget } from "../send";

/** Tells, before an object is written, that people are reviewing a change of it. */
export function reportOpenReview({ context, definition, id, live }: WriteTarget): void {
  for (const [name, { traits }] of Object.entries(definition.fields)) {
    const review = live[name];
    if (traits.openReview !== true || !isObject(review)) continue;
    const { description, reviewStatus } = review;
    context.report(
      `${nameOf(definition, id)} has an open review, ${quote(description)} (${quote(reviewStatus)}): this update goes past it, ` +
        "and what the review changes comes on top when it is committed. Look at it in the console.",
    );
  }
}
