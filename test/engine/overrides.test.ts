import { afterEach, expect, test } from "@jest/globals";
import { parts } from "../../src/provider/definitions";
import { mustStayQuiet } from "../laws/quiet";
import { type Subject, startSubject } from "../laws/subject";

const gate = "overridden_gate";
const none = { passingUserIDs: [], failingUserIDs: [] };
let subject: Subject;
afterEach(() => subject?.close());

const held = () => subject.raw.gate.getOverrides({ id: gate });
const byHand = (lists: object) => subject.raw.gate.addOverrides({ id: gate, body: { ...none, ...lists } });

test("destroy takes out what the program put in, and leaves what others put in", async () => {
  subject = await startSubject(parts.gateOverrides);
  const staging = { environment: "staging", unitID: "userID", passingIDs: ["ours"], failingIDs: [] };
  const made = await subject.up({ gate, passingUserIDs: ["ours"], environmentOverrides: [staging] });
  await byHand({ passingUserIDs: ["theirs"] });
  await byHand({ environmentOverrides: [{ ...staging, passingIDs: ["theirs"] }] });
  await subject.destroy(made);
  expect(await held()).toMatchObject({
    passingUserIDs: ["theirs"],
    environmentOverrides: [{ ...staging, passingIDs: ["theirs"] }],
  });
  await subject.destroy(made);
});

test("what somebody else has filled is not taken without adopt", async () => {
  subject = await startSubject(parts.gateOverrides);
  await byHand({ failingUserIDs: ["theirs"] });
  await expect(subject.up({ gate, failingUserIDs: ["ours"] })).rejects.toThrow(
    /gate overrides "overridden_gate" exists already. It differs in failingUserIDs\[0\].*adopt: true/,
  );
  expect(await held()).toMatchObject({ failingUserIDs: ["theirs"] });
  await subject.up({ gate, failingUserIDs: ["ours"], adopt: true });
  expect(await held()).toMatchObject({ failingUserIDs: ["ours"] });
});

/** A console in which a person sets overrides between two looks of the provider: before the `at`-th. */
const withPerson = (theirs: object, at: number) =>
  startSubject(parts.gateOverrides, {
    through({ send }) {
      let looks = 0;
      return {
        async send(request) {
          looks += request.method === "GET" ? 1 : 0;
          if (looks === at) await subject.raw.gate.setOverrides({ id: gate, body: { ...none, ...theirs } });
          return send(request);
        },
      };
    },
  });

test("what somebody fills right after nothing was there is left to them", async () => {
  subject = await withPerson({ failingUserIDs: ["theirs"] }, 2);
  await expect(subject.up({ gate, failingUserIDs: ["ours"] })).rejects.toThrow(
    /gate overrides "overridden_gate" exists already. It differs in failingUserIDs/,
  );
  expect(await held()).toMatchObject({ passingUserIDs: [], failingUserIDs: ["theirs"] });
});

test("a list that the program leaves out is sent back as it was a moment before, not as the update first saw it", async () => {
  subject = await withPerson({ failingUserIDs: ["theirs"] }, 2);
  await subject.update({ id: gate, inputs: { gate }, outputs: { gate } }, { gate, passingUserIDs: ["ours"] });
  expect(await held()).toMatchObject({ passingUserIDs: ["ours"], failingUserIDs: ["theirs"] });
});

test("lists that the program leaves out stay as they are, in an update too", async () => {
  subject = await startSubject(parts.gateOverrides);
  const made = await subject.up({ gate, passingUserIDs: ["one"] });
  await byHand({ failingUserIDs: ["theirs"], passingCustomIDs: ["company"] });
  await subject.update(made, { gate, passingUserIDs: ["one", "two"] });
  expect(await held()).toMatchObject({
    passingUserIDs: ["one", "two"],
    failingUserIDs: ["theirs"],
    passingCustomIDs: ["company"],
  });
});

test("what was added by hand is drift, and the next up takes it out", async () => {
  subject = await startSubject(parts.gateOverrides);
  const args = { gate, passingUserIDs: ["ours"] };
  const made = await subject.up(args);
  await byHand({ passingUserIDs: ["theirs"] });
  const seen = await subject.refresh(made);
  expect(seen?.inputs).toMatchObject({ passingUserIDs: ["ours", "theirs"] });
  expect((await subject.diff(seen ?? made, args)).quiet).toBe(false);
  await subject.update(seen ?? made, args);
  expect(await held()).toMatchObject({ passingUserIDs: ["ours"] });
});

test("of a gate that is not there, nothing can be overridden", async () => {
  subject = await startSubject(parts.gateOverrides);
  await expect(subject.up({ gate: "no_gate", passingUserIDs: ["x"] })).rejects.toThrow(
    'There is no gate "no_gate" in the console',
  );
});

test("what the console refuses leaves nothing behind", async () => {
  subject = await startSubject(parts.experimentOverrides);
  const args = {
    experiment: "overridden_experiment",
    userIDOverrides: [{ groupID: "no_group", ids: ["x"] }],
  };
  const refused = await subject.up(args).catch((error: unknown) => error);
  expect(String(refused)).toContain("There is no group with the ID 'no_group'");
  expect(refused).not.toHaveProperty("id");
});

test("a form that says no environment is sent without them, and one that says nothing else alone", async () => {
  subject = await startSubject(parts.gateOverrides);
  const { shape } = parts.gateOverrides.lifecycle.update[0];
  const lists = { passingUserIDs: ["a"], failingUserIDs: [] };
  const environmentOverrides = [{ environment: null, unitID: null, passingIDs: ["a"], failingIDs: [] }];
  expect(shape?.({ ...lists, environmentOverrides: [] })).toEqual(lists);
  expect(shape?.({ ...none, environmentOverrides })).toEqual({ environmentOverrides });
  expect(shape?.({ ...lists, environmentOverrides })).toEqual({ ...lists, environmentOverrides });
});

test("what one gate had is left where it is, and another gate gets its own", async () => {
  subject = await startSubject(parts.gateOverrides);
  await subject.raw.gate.create({ body: { name: "other_gate" } });
  const made = await subject.up({ gate, passingUserIDs: ["ours"], onDelete: "retain" });
  const diff = await subject.diff(made, { gate: "other_gate", passingUserIDs: ["ours"], onDelete: "retain" });
  expect(diff).toEqual({ quiet: false, replaces: ["gate"] });
});

test("[X2] a 404 means that a gate has none: what is set stays quiet, and what is gone with its gate is gone", async () => {
  subject = await startSubject(parts.gateOverrides, { behaviour: { absentOverrides: "missing" } });
  const args = { gate, passingUserIDs: ["ours"] };
  const made = await subject.up(args);
  await mustStayQuiet(subject, made, args);
  const emptied = await subject.update(made, { gate, passingUserIDs: [] });
  await mustStayQuiet(subject, emptied, { gate, passingUserIDs: [] });
  await subject.destroy(emptied);
  await subject.raw.gate.delete({ id: gate });
  expect(await subject.refresh(made)).toBeUndefined();
});
