import { describe, expect, test } from "@jest/globals";
import { managed } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { openReview, type ReviewedKind, reviewedKinds } from "../support/open-review";
import { type RawClient, rawClient } from "../support/raw-client";
import { startRelease } from "../support/release";
import { expectQuiet, sent, start, subject } from "./harness";

/** Carried out already: the same again sends nothing. */
async function expectOnce(args: JsonObject, id?: string): Promise<void> {
  sent();
  const again = await subject.up(args);
  if (id !== undefined) expect(again.id).toBe(id);
  expect(sent()).toEqual([]);
}

describe("a release whose phases ask for reviews", () => {
  async function begin(kind: keyof typeof managed) {
    await start(managed[kind]);
    const { trigger, phaseID } = await startRelease(subject.raw, true);
    return { trigger, phaseID, read: () => subject.raw.releasePipelineTrigger.get({ id: trigger }) };
  }

  test("preview: quiet when nothing changed, a replacement when an argument or a trigger changed; destroy sends nothing", async () => {
    const { trigger, phaseID } = await begin("releaseApproval");
    const args = { trigger, phaseID, triggers: [1] };
    const made = await subject.up(args);
    await expectQuiet(made, args);
    expect((await subject.diff(made, { ...args, triggers: [2] })).replaces).toEqual(["triggers"]);
    expect((await subject.diff(made, { ...args, phaseID: "next" })).replaces).toEqual(["phaseID"]);
    subject.emulator.clearRequests();
    await expectQuiet((await subject.refresh(made)) ?? made, args);
    await subject.destroy(made);
    expect(subject.emulator.requests).toEqual([]);
  });

  test.each([
    ["releaseApproval", "waiting", "IN_PROGRESS"],
    ["releaseSkip", "approved", "WAITING_FOR_REVIEW"],
    ["releaseRollout", undefined, "COMPLETED"],
    ["releaseAbort", undefined, "ABORTED"],
  ] as const)("%s acts once", async (kind, phase, status) => {
    const { trigger, phaseID, read } = await begin(kind);
    expect((await read()).status).toBe("WAITING_FOR_REVIEW");
    if (phase === "approved")
      await subject.raw.releasePipelineTrigger.approve({ id: trigger, body: { phaseID } });
    const args = phase === undefined ? { trigger } : { trigger, phaseID };
    const made = await subject.up(args);
    expect(made.outputs).toMatchObject({ ...args, status });
    expect((await read()).status).toBe(status);
    await expectOnce(args, made.id);
  });
});

test("a gate is launched by an action", async () => {
  await start(managed.gateLaunch);
  await subject.raw.gate.create({ body: { name: "checkout_v2" } });
  expect((await subject.up({ gate: "checkout_v2" })).outputs.status).toBe("Launched");
  expect((await subject.raw.gate.get({ id: "checkout_v2" })).status).toBe("Launched");
});

test("bad arguments of an action are told with their path, and nothing is sent", async () => {
  await start(managed.releaseApproval);
  expect(await subject.problems({ triger: "x", phaseID: 5 })).toEqual([
    { property: "triger", reason: 'unknown argument; did you mean "trigger"?' },
    { property: "", reason: "trigger: missing; text is needed" },
    { property: "phaseID", reason: "found 5; text is needed" },
  ]);
  expect(subject.emulator.requests).toEqual([]);
  await start(managed.gateReviewRejection);
  expect(await subject.problems({ gate: "a", review: "1" })).toEqual([
    { property: "", reason: "reason: missing; text is needed" },
  ]);
});

const [ada, grace] = ["ada", "grace"].map((name) => [name, "key"].join("-")) as [string, string];
const people = { [ada]: "ada@example.com", [grace]: "grace@example.com" };

/** What a person with this key does past the provider. */
const person = (apiKey: string): RawClient =>
  rawClient({ profile: "custom", apiKey, baseUrl: subject.emulator.url }, subject.emulator);

/** An action with a key, or that of a machine, on a review that somebody else opened. */
async function opened(action: string, kind: ReviewedKind, own?: string, author?: string) {
  const config = own === undefined ? {} : { "feature-console:apiKey": own };
  await start(managed[`${kind}Review${action}` as keyof typeof managed], { people, config });
  const { id, review } = await openReview(author === undefined ? subject.raw : person(author), kind);
  const expectStatus = async (status: string) =>
    expect(await subject.raw[kind].getReview({ id, reviewID: review })).toMatchObject({ status });
  return { args: { [kind]: id, review }, id, reviewID: review, expectStatus };
}

describe.each(reviewedKinds)("[H3] a review of a %s", (kind) => {
  test.each([
    ["Approval", ada, grace, { reason: "Looks right" }, "accepted"],
    ["Rejection", ada, undefined, { reason: "Too early" }, "rejected"],
    ["Commit", undefined, undefined, {}, "committed"],
  ] as const)(
    "%s is carried out once, with the key of a person where one has to decide",
    async (action, own, author, more, status) => {
      const { args: review, id, reviewID, expectStatus } = await opened(action, kind, own, author);
      const args = { ...review, ...more };
      if (action === "Commit") {
        await expect(subject.up(args)).rejects.toThrow(
          /400.*The console applies a review after a person has approved it\.$/,
        );
        await person(ada)[kind].approveReview({ id, reviewID, body: {} });
      }
      const made = await subject.up(args);
      expect(made.outputs).toMatchObject(action === "Commit" ? review : { ...review, status });
      await expectStatus(status);
      await expectOnce(args, made.id);
      await subject.destroy(made);
      await expectStatus(status);
      expect(sent()).toEqual([]);
      if (action !== "Commit") return;
      const applied = kind === "experiment" ? { status: "archived" } : { isEnabled: false };
      expect(await subject.raw[kind].get({ id })).toMatchObject(applied);
    },
  );
});

test.each([
  ["a machine's key", undefined, grace],
  ["the key of the review's author", ada, ada],
])("[H3] %s approves nothing, and the message names the next step", async (_, own, author) => {
  const { args, expectStatus } = await opened("Approval", "gate", own, author);
  await expect(subject.up(args)).rejects.toThrow(
    "If this key belongs to no person, or to the author of the review, set apiKey to the key of another person.",
  );
  await expectStatus("pending");
});

test("an approval that was committed since is carried out, one of another review is a replacement, and one of none fails before anything is sent", async () => {
  const { args, id, reviewID } = await opened("Approval", "gate", ada);
  const made = await subject.up(args);
  await subject.raw.gate.commitReview({ id, reviewID });
  await expectOnce(args);
  await expectQuiet(made, args);
  expect((await subject.diff(made, { ...args, review: "13" })).replaces).toEqual(["review"]);
  await expect(subject.up({ ...args, review: "99" })).rejects.toThrow(/404/);
  expect(sent()).toEqual([]);
});
