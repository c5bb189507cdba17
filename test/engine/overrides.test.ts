import { beforeEach, describe, expect, test } from "@jest/globals";
import { parts } from "../../src/provider/definitions";
import { expectChange, refreshed, start, staysQuiet, subject, updated } from "../laws/harness";

const gate = "overridden_gate";
const none = { passingUserIDs: [], failingUserIDs: [] };
const ours = { gate, passingUserIDs: ["ours"] };
const failing = { gate, failingUserIDs: ["ours"] };
const theirs = { failingUserIDs: ["theirs"] };

const holds = async (expected: object) =>
  expect(await subject.raw.gate.getOverrides({ id: gate })).toMatchObject(expected);
const byHand = (lists: object) => subject.raw.gate.addOverrides({ id: gate, body: { ...none, ...lists } });
const taken =
  /gate overrides "overridden_gate" exists already. It differs in failingUserIDs(\[0\])?.*adopt: true/;

describe("overrides of a gate", () => {
  beforeEach(async () => {
    await start(parts.gateOverrides);
  });

  test("destroy takes out what the program put in, and leaves what others put in", async () => {
    const staging = { environment: "staging", unitID: "userID", passingIDs: ["ours"], failingIDs: [] };
    const made = await subject.up({ ...ours, environmentOverrides: [staging] });
    const others = {
      passingUserIDs: ["theirs"],
      environmentOverrides: [{ ...staging, passingIDs: ["theirs"] }],
    };
    await byHand({ passingUserIDs: others.passingUserIDs });
    await byHand({ environmentOverrides: others.environmentOverrides });
    await subject.destroy(made);
    await holds(others);
    await subject.destroy(made);
  });

  test("what somebody else has filled is not taken without adopt", async () => {
    await byHand(theirs);
    await expect(subject.up(failing)).rejects.toThrow(taken);
    await holds(theirs);
    await subject.up({ ...failing, adopt: true });
    await holds({ failingUserIDs: ["ours"] });
  });

  test("lists that the program leaves out stay as they are, in an update too", async () => {
    const made = await subject.up({ gate, passingUserIDs: ["one"] });
    const others = { ...theirs, passingCustomIDs: ["company"] };
    await byHand(others);
    await subject.update(made, { gate, passingUserIDs: ["one", "two"] });
    await holds({ passingUserIDs: ["one", "two"], ...others });
  });

  test("what was added by hand is drift, and the next up takes it out", async () => {
    const made = await subject.up(ours);
    await byHand({ passingUserIDs: ["theirs"] });
    const seen = await refreshed(made);
    expect(seen.inputs).toMatchObject({ passingUserIDs: ["ours", "theirs"] });
    await expectChange(seen, ours);
    await subject.update(seen, ours);
    await holds({ passingUserIDs: ["ours"] });
  });

  test("of a gate that is not there, nothing can be overridden", async () => {
    const absent = { gate: "no_gate", passingUserIDs: ["x"] };
    await expect(subject.up(absent)).rejects.toThrow('There is no gate "no_gate" in the console');
  });

  test("what one gate had is left where it is, and another gate gets its own", async () => {
    await subject.raw.gate.create({ body: { name: "other_gate" } });
    const made = await subject.up({ ...ours, onDelete: "retain" });
    const diff = await subject.diff(made, { ...ours, gate: "other_gate", onDelete: "retain" });
    expect(diff).toEqual({ quiet: false, replaces: ["gate"] });
  });
});

describe("overrides that a person sets between two looks of the provider", () => {
  beforeEach(async () => {
    let looks = 0;
    await start(parts.gateOverrides, {
      through: ({ send }) => ({
        async send(request) {
          looks += request.method === "GET" ? 1 : 0;
          if (looks === 2) await subject.raw.gate.setOverrides({ id: gate, body: { ...none, ...theirs } });
          return send(request);
        },
      }),
    });
  });

  test("are left to them by a create that had found nothing", async () => {
    await expect(subject.up(failing)).rejects.toThrow(taken);
    await holds({ passingUserIDs: [], ...theirs });
  });

  test("are sent back as they were a moment before by an update that leaves the list out", async () => {
    await subject.update({ id: gate, inputs: { gate }, outputs: { gate } }, ours);
    await holds({ passingUserIDs: ["ours"], ...theirs });
  });
});

test("what the console refuses leaves nothing behind", async () => {
  await start(parts.experimentOverrides);
  const userIDOverrides = [{ groupID: "no_group", ids: ["x"] }];
  const failure = await subject
    .up({ experiment: "overridden_experiment", userIDOverrides })
    .catch((error: unknown) => error);
  expect(String(failure)).toContain("There is no group with the ID 'no_group'");
  expect(failure).not.toHaveProperty("id");
});

test("a form that says no environment is sent without them, and one that says nothing else alone", () => {
  const { shape } = parts.gateOverrides.lifecycle.update[0];
  const lists = { passingUserIDs: ["a"], failingUserIDs: [] };
  const environmentOverrides = [{ environment: null, unitID: null, passingIDs: ["a"], failingIDs: [] }];
  expect(shape?.({ ...lists, environmentOverrides: [] })).toEqual(lists);
  expect(shape?.({ ...none, environmentOverrides })).toEqual({ environmentOverrides });
  expect(shape?.({ ...lists, environmentOverrides })).toEqual({ ...lists, environmentOverrides });
});

test("[X2] a 404 means that a gate has none: what is set stays quiet, and what is gone with its gate is gone", async () => {
  await start(parts.gateOverrides, { behaviour: { absentOverrides: "missing" } });
  const made = await subject.up(ours);
  const emptied = await updated(await staysQuiet(made, ours), { gate, passingUserIDs: [] });
  await subject.destroy(emptied);
  await subject.raw.gate.delete({ id: gate });
  expect(await subject.refresh(made)).toBeUndefined();
});
