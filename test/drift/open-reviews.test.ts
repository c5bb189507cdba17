import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { reportText, reviewsText, stackReviews } from "../../src/tools/drift";
import { Desk } from "./desk";

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk?.close());

const gate = (share: number) => `new fc.Gate("checkout", {
  reviewSettings: { requiredReview: true },
  reviews: "open",
  rules: [{ name: "Everyone", passPercentage: ${share}, conditions: [{ type: "public" }] }],
});
`;

test("drift and reviews name the review that a change waits for", async () => {
  desk.write(gate(10));
  await desk.up();
  desk.write(gate(50));
  await desk.up();
  expect(reportText(await desk.compare())).toContain(
    "  review 1 of rules was pending after the last update\n",
  );
  const looks = { waits: false, betweenMs: 1, sleep: () => Promise.reject(new Error("it waits")) };
  expect(reviewsText(await stackReviews(desk.ports, looks))).toBe(
    'gate "checkout": review 1 of rules is pending (resource checkout)\n',
  );
});

test("a stack without reviews says so", async () => {
  desk.write(gate(10));
  await desk.up();
  const looks = { waits: true, betweenMs: 1, sleep: () => Promise.reject(new Error("it waits")) };
  expect(reviewsText(await stackReviews(desk.ports, looks))).toBe("No reviews of this stack are open.\n");
});
