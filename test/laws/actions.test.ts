import { afterEach, expect, test } from "@jest/globals";
import { managed } from "../../src/provider/definitions";
import { startRelease } from "../support/release";
import { type Subject, startSubject } from "./subject";

let subject: Subject;
afterEach(() => subject.close());

/** A release whose phases ask for reviews. */
async function begin() {
  const { trigger, phaseID } = await startRelease(subject.raw, true);
  return { trigger, phaseID, read: () => subject.raw.releasePipelineTrigger.get({ id: trigger }) };
}

const writes = () => subject.writes().map(({ route }) => route);

test("a release waits for its review, is approved once, and a second time nothing is sent", async () => {
  subject = await startSubject(managed.releaseApproval);
  const { trigger, phaseID, read } = await begin();
  expect((await read()).status).toBe("WAITING_FOR_REVIEW");
  const made = await subject.up({ trigger, phaseID });
  expect((await read()).status).toBe("IN_PROGRESS");
  expect(made.outputs).toMatchObject({ trigger, phaseID, status: "IN_PROGRESS" });
  subject.emulator.clearRequests();
  const again = await subject.up({ trigger, phaseID });
  expect(again.id).toBe(made.id);
  expect(writes()).toEqual([]);
});

test("an approval of a phase that is not current fails with the console's words and changes nothing", async () => {
  subject = await startSubject(managed.releaseApproval);
  const { trigger, read } = await begin();
  const before = await read();
  await expect(subject.up({ trigger, phaseID: "another" })).rejects.toThrow(
    /Cannot create release approval .*400/,
  );
  expect(await read()).toEqual(before);
});

test("preview: quiet when nothing changed, a replacement when an argument or a trigger changed; destroy sends nothing", async () => {
  subject = await startSubject(managed.releaseApproval);
  const { trigger, phaseID } = await begin();
  const made = await subject.up({ trigger, phaseID, triggers: [1] });
  expect(await subject.diff(made, { trigger, phaseID, triggers: [1] })).toEqual({
    quiet: true,
    replaces: [],
  });
  expect((await subject.diff(made, { trigger, phaseID, triggers: [2] })).replaces).toEqual(["triggers"]);
  expect((await subject.diff(made, { trigger, phaseID: "next", triggers: [1] })).replaces).toEqual([
    "phaseID",
  ]);
  subject.emulator.clearRequests();
  const refreshed = await subject.refresh(made);
  expect(await subject.diff(refreshed ?? made, { trigger, phaseID, triggers: [1] })).toEqual({
    quiet: true,
    replaces: [],
  });
  await subject.destroy(made);
  expect(subject.emulator.requests).toEqual([]);
});

test.each([
  ["releaseSkip", true, "WAITING_FOR_REVIEW"],
  ["releaseRollout", false, "COMPLETED"],
  ["releaseAbort", false, "ABORTED"],
] as const)("%s acts once", async (name, ofPhase, status) => {
  subject = await startSubject(managed[name]);
  const { trigger, phaseID, read } = await begin();
  if (ofPhase) await subject.raw.releasePipelineTrigger.approve({ id: trigger, body: { phaseID } });
  const args = ofPhase ? { trigger, phaseID } : { trigger };
  await subject.up(args);
  expect((await read()).status).toBe(status);
  subject.emulator.clearRequests();
  await subject.up(args);
  expect(writes()).toEqual([]);
});

test("a gate is launched by an action", async () => {
  subject = await startSubject(managed.gateLaunch);
  await subject.raw.gate.create({ body: { name: "checkout_v2" } });
  const made = await subject.up({ gate: "checkout_v2" });
  expect(made.outputs.status).toBe("Launched");
  expect((await subject.raw.gate.get({ id: "checkout_v2" })).status).toBe("Launched");
});

test("bad arguments of an action are told with their path, and nothing is sent", async () => {
  subject = await startSubject(managed.releaseApproval);
  expect(await subject.problems({ triger: "x", phaseID: 5 })).toEqual([
    { property: "triger", reason: 'unknown argument; did you mean "trigger"?' },
    { property: "", reason: "trigger: missing; text is needed" },
    { property: "phaseID", reason: "found 5; text is needed" },
  ]);
  expect(subject.emulator.requests).toEqual([]);
});
