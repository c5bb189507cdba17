import { visibleLines } from "../../../provider/texts/issue-text";
import type { Review } from "../review";

/** The review for programs: its data as they are (`Review`), with names of members that stay. */
export function reviewJson(review: Review): string {
  return `${visibleLines(JSON.stringify(review, undefined, 2))}\n`;
}
