import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { reportText, reviewsText, stackReviews } from "../../src/tools/drift";
import { Desk } from "./desk";

let api: Desk;
beforeEach(() => {
  api = new Desk();
});
afterEach(() => api?.close());

const openReviews = (waits: boolean) =>
  stackReviews(api.ports, { waits, betweenMs: 1, sleep: () => Promise.reject(new Error("it waits")) });

const gate = (share: number) => `new fc.Gate("checkout", {
  reviewSettings: { requiredReview: true },
  reviews: "open",
  rules: [{ name: "Everyone", passPercentage: ${share}, conditions: [{ type: "public" }] }],
});
`;

test("drift and reviews name the review that a change waits for", async () => {
  await api.apply(gate(10));
  await api.apply(gate(50));
  expect(reportText(await api.compare())).toContain(
    "  review 1 of rules was pending after the last update\n",
  );
  expect(reviewsText(await openReviews(false))).toBe(
    'gate "checkout": review 1 of rules is pending (resource checkout)\n',
  );
});

test("a stack without reviews says so", async () => {
  await api.apply(gate(10));
  expect(reviewsText(await openReviews(true))).toBe("No reviews of this stack are open.\n");
});

test("reviews lists an open review that state does not note, with its own next step, and does not wait for it", async () => {
  const config = 'new fc.DynamicConfig("limits", { description: "x", reviews: "open" });\n';
  await api.apply(gate(10) + config);
  api.write(gate(50) + config);
  const before = await api.stack.exported();
  await api.up();
  // As after a kill between the review and the state.
  for (const one of before.resources) api.keep(one);
  const found = await openReviews(true);
  expect(found).toMatchObject([{ review: "1", change: "rules", status: "pending", isNoted: false }]);
  expect(reviewsText(found)).toBe(
    'gate "checkout": review 1 of rules is pending (resource checkout). State does not note it: run the "pulumi up" or ' +
      '"pulumi destroy" that opened it again, or take the review back in the console\n',
  );
  await api.raw.gate.deleteReview({ id: "checkout", reviewID: "1" });
  await api.raw.gate.createReview({
    id: "checkout",
    body: { description: "Of a person", change: { is_enabled: false } } as never,
  });
  expect(await openReviews(true)).toEqual([]);
});
