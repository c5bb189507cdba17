import { afterEach, describe, expect, test } from "@jest/globals";
import { managed } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { openReview, type ReviewedKind, reviewedKinds } from "../support/open-review";
import { type RawClient, rawClient } from "../support/raw-client";
import { type Subject, startSubject } from "./subject";

const [ada, grace] = ["ada", "grace"].map((name) => [name, "key"].join("-")) as [string, string];
const people = { [ada]: "ada@example.com", [grace]: "grace@example.com" };

let subject: Subject;
afterEach(() => subject?.close());

/** What a person with this key does past the provider. */
const person = (apiKey: string): RawClient =>
  rawClient(
    { profile: "custom", apiKey, baseUrl: subject.emulator.url },
    { transport: subject.emulator.transport },
  );
const start = async (name: keyof typeof managed, apiKey?: string) => {
  const config = apiKey === undefined ? {} : { "feature-console:apiKey": apiKey };
  subject = await startSubject(managed[name], { people, config });
};
const writes = () => subject.writes().map(({ route }) => route);

/** Opens a review with the key of a person, or of a machine. */
async function opened(kind: ReviewedKind, apiKey?: string) {
  const { id, review } = await openReview(apiKey === undefined ? subject.raw : person(apiKey), kind);
  const read = async () => (await subject.raw[kind].getReview({ id, reviewID: review })) as JsonObject;
  return { args: { [kind]: id, review }, id, reviewID: review, read };
}

describe.each(reviewedKinds)("[H3] a review of a %s", (kind) => {
  test("is approved once with the key of a person, and a second time nothing is sent", async () => {
    await start(`${kind}ReviewApproval`, ada);
    const { args, read } = await opened(kind, grace);
    const made = await subject.up({ ...args, reason: "Looks right" });
    expect(made.outputs).toMatchObject({ ...args, status: "accepted" });
    expect(await read()).toMatchObject({ status: "accepted" });
    subject.emulator.clearRequests();
    expect((await subject.up({ ...args, reason: "Looks right" })).id).toBe(made.id);
    expect(writes()).toEqual([]);
    await subject.destroy(made);
    expect(await read()).toMatchObject({ status: "accepted" });
    expect(writes()).toEqual([]);
  });

  test("is rejected once with a reason", async () => {
    await start(`${kind}ReviewRejection`, ada);
    const { args, read } = await opened(kind);
    expect(await subject.problems(args)).toEqual([
      { property: "", reason: "reason: missing; text is needed" },
    ]);
    await subject.up({ ...args, reason: "Too early" });
    expect(await read()).toMatchObject({ status: "rejected" });
    subject.emulator.clearRequests();
    await subject.up({ ...args, reason: "Too early" });
    expect(writes()).toEqual([]);
  });

  test("is committed once after a person approved it, and the change applies", async () => {
    await start(`${kind}ReviewCommit`);
    const { args, id, reviewID, read } = await opened(kind);
    await expect(subject.up(args)).rejects.toThrow(
      /400.*The console applies a review after a person has approved it\.$/,
    );
    await person(ada)[kind].approveReview({ id, reviewID, body: {} });
    await subject.up(args);
    expect(await read()).toMatchObject({ status: "committed" });
    const live = await subject.raw[kind].get({ id });
    expect(live).toMatchObject(kind === "experiment" ? { status: "archived" } : { isEnabled: false });
    subject.emulator.clearRequests();
    await subject.up(args);
    expect(writes()).toEqual([]);
  });
});

test.each([
  ["a machine's key", undefined, grace],
  ["the key of the review's author", ada, ada],
])("[H3] %s approves nothing, and the message names the next step", async (_, own, author) => {
  await start("gateReviewApproval", own);
  const { args, read } = await opened("gate", author);
  await expect(subject.up(args)).rejects.toThrow(
    "If this key belongs to no person, or to the author of the review, set apiKey to the key of another person.",
  );
  expect(await read()).toMatchObject({ status: "pending" });
});

test("an approval that was committed since is carried out, and one of another review is a replacement", async () => {
  await start("gateReviewApproval", ada);
  const { args, id, reviewID } = await opened("gate");
  const made = await subject.up(args);
  await subject.raw.gate.commitReview({ id, reviewID });
  subject.emulator.clearRequests();
  await subject.up(args);
  expect(writes()).toEqual([]);
  expect(await subject.diff(made, args)).toEqual({ quiet: true, replaces: [] });
  expect((await subject.diff(made, { ...args, review: "13" })).replaces).toEqual(["review"]);
});

test("a review that is not there fails before anything is sent", async () => {
  await start("gateReviewApproval", ada);
  await opened("gate");
  subject.emulator.clearRequests();
  await expect(subject.up({ gate: "one", review: "99" })).rejects.toThrow(/404/);
  expect(writes()).toEqual([]);
});
