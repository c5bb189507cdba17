import { expect, test } from "@jest/globals";
import { reviewsReport, stackReviews } from "../../src/tools/drift/open-reviews";
import { rendered } from "../../src/tools/render/report";
import { api, deskForEachTest } from "./each-test";

deskForEachTest();

const reviews = (waits: boolean) =>
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
  const told = await api.told();
  expect(told).toContain("  review 1 of rules was pending after the last update\n");
  expect(told).toContain("rules, not applied yet: 10 % → 50 % of everyone");
  expect(told).toContain("1 resource, 0 changed in the console; 1 with values of the program");
  expect(rendered(reviewsReport(await reviews(false)), "text")).toBe(
    'gate "checkout": review 1 of rules is pending (resource checkout)\n',
  );
});

test("a stack without reviews says so", async () => {
  await api.apply(gate(10));
  expect(rendered(reviewsReport(await reviews(true)), "text")).toBe("No reviews of this stack are open.\n");
});
