import { afterEach, expect, test } from "@jest/globals";
import { parts } from "../../src/catalog";
import { createRouteClient } from "../../src/client/client";
import type { WireRequest } from "../../src/client/transport";
import type { JsonObject } from "../../src/core/json";
import { createEmulator } from "../../src/emulator";
import { create, type EngineContext, Ownership, update } from "../../src/engine";
import { FakeClock, settings } from "../client/fakes";
import { type Subject, startSubject } from "../laws/subject";

const gate = "overridden_gate";
let subject: Subject;
afterEach(() => subject?.close());

const held = () => subject.raw.gate.getOverrides({ id: gate });
const byHand = (lists: object) =>
  subject.raw.gate.addOverrides({ id: gate, body: { passingUserIDs: [], failingUserIDs: [], ...lists } });

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

/** An engine in front of a console in which a person sets overrides between its first and its second look. */
function engineWithPerson(theirs: JsonObject) {
  const { transport } = createEmulator({ profile: "custom", seed: parts.gateOverrides.samples.beside });
  const person = createRouteClient(settings, { transport, clock: new FakeClock() });
  const { get: read, set: write } = parts.gateOverrides.routes;
  let looks = 0;
  const between = {
    send: async (request: WireRequest) => {
      looks += request.method === "GET" ? 1 : 0;
      if (looks === 2) await person.maybeItem(write, { params: { id: gate }, body: theirs });
      return transport.send(request);
    },
  };
  const context: EngineContext = {
    ...{ report: () => {}, ownership: new Ownership(), now: Date.now, idsOf: () => undefined },
    client: createRouteClient(settings, { transport: between, clock: new FakeClock() }),
    sleep: async () => {},
  };
  return { context, held: () => person.item(read, { params: { id: gate } }) };
}

test("what somebody fills right after nothing was there is left to them", async () => {
  const theirs = { passingUserIDs: [], failingUserIDs: ["theirs"] };
  const { context, held: now } = engineWithPerson(theirs);
  await expect(create(context, parts.gateOverrides, { gate, failingUserIDs: ["ours"] })).rejects.toThrow(
    /gate overrides "overridden_gate" exists already. It differs in failingUserIDs/,
  );
  expect(await now()).toMatchObject(theirs);
});

test("a list that the program leaves out is sent back as it was a moment before, not as the update first saw it", async () => {
  const { context, held: now } = engineWithPerson({ passingUserIDs: [], failingUserIDs: ["theirs"] });
  const wants = { gate, passingUserIDs: ["ours"] };
  await update(context, parts.gateOverrides, { id: gate, wants, state: { gate } });
  expect(await now()).toMatchObject({ passingUserIDs: ["ours"], failingUserIDs: ["theirs"] });
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
  const none = { passingUserIDs: [], failingUserIDs: [] };
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
