import { writeFileSync } from "node:fs";
import { afterAll, expect, jest, test } from "@jest/globals";
import { makeReview, readPreview, reviewJson, reviewMarkdown } from "../../src/review";
import { ReviewDesk } from "./desk";
import { after, before } from "./forty-changes";

jest.setTimeout(60_000);
const desk = new ReviewDesk();
afterAll(() => desk.close());

test("forty changes", async () => {
  await desk.raw.gate.create({ body: { id: "made_by_hand", name: "made_by_hand", description: "By hand" } });
  desk.write(before);
  await desk.up();
  desk.write(after);
  const text = await desk.previewText({
    checkout_v2: 48_000,
    used_gate: 1_200,
    kill_switch: 300,
    prices: 90_000,
  });
  const review = makeReview(readPreview(text));
  writeFileSync("/tmp/forty.md", reviewMarkdown(review));
  writeFileSync("/tmp/forty.json", reviewJson(review));
  expect(review.changes.length).toBeGreaterThanOrEqual(40);
});
