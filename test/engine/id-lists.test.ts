import { beforeEach, describe, expect, test } from "@jest/globals";
import { catalog, parts } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import {
  expectChange,
  expectQuiet,
  fault,
  live,
  refreshed,
  start,
  staysQuiet,
  subject,
  updated,
} from "../laws/harness";
import type { Resource } from "../laws/subject";

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `user-${from + index}`);
const list = (ids: unknown): JsonObject => ({ key: "vip", type: "id_list", ids });

async function made(args: JsonObject): Promise<Resource> {
  await start(catalog.segment);
  const resource = await subject.up(args);
  subject.emulator.clearRequests();
  return resource;
}

/** Routes of the requests for ids since the last call. */
const routes = () => {
  const sent = subject.emulator.requests.flatMap(({ route }) => (/Ids$/.test(route ?? "") ? [route] : []));
  subject.emulator.clearRequests();
  return sent;
};
const liveIds = async () => (await subject.raw.segment.getIdList({ id: "vip" })).ids as string[];
const expectIds = async (ids: string[]) => expect((await liveIds()).sort()).toEqual(ids.toSorted());
const addIds = (...ids: string[]) => subject.raw.segment.addIds({ id: "vip", body: { ids } });

test("state holds the number and hashes, and never an id; the same ids in another order are no change", async () => {
  const resource = await made(list(numbered(0, 300)));
  expect(JSON.stringify(resource)).not.toContain("user-");
  expect(resource.inputs.ids).toEqual({ count: 300, hash: expect.stringMatching(/^[0-9a-f]{16}$/) });
  expect(resource.outputs.ids).toEqual(resource.inputs.ids);
  await expectIds(numbered(0, 300));
  await expectQuiet(resource, list([...numbered(0, 300).reverse(), "user-1"]));
  expect(await subject.refresh(resource)).toEqual(resource);
});

test("what somebody else added is drift, and the next update takes it out alone", async () => {
  const resource = await made(list(numbered(0, 2000)));
  await addIds("intruder");
  const found = await refreshed(resource);
  expect(found.inputs.ids).toMatchObject({ count: 2001 });
  routes();
  await subject.update(found, list(numbered(0, 2000)));
  expect(routes()).toEqual(["removeIds"]);
  await expectIds(numbered(0, 2000));
});

test("what an earlier version kept as ids is the same, and becomes a digest in a refresh", async () => {
  const resource = await made(list(["a", "b"]));
  const ids = ["a", "b"];
  const { __ids: _out, ...outputs } = resource.outputs;
  const old = { ...resource, inputs: { ...resource.inputs, ids }, outputs: { ...outputs, ids } };
  await expectQuiet(old, list(["b", "a"]));
  expect(await subject.refresh(old)).toEqual(resource);
  await subject.update(old, list(["a", "c"]));
  await expectIds(["a", "c"]);
});

test("the Bloom table of an earlier version is dropped: an update reads the ids once before it sends what differs", async () => {
  const resource = await made(list(numbered(0, 25_000)));
  const ids = { count: 25_000, hash: "0123456789abcdef" };
  const inputs = { ...resource.inputs, ids };
  const old = { ...resource, inputs, outputs: { ...resource.outputs, ids, __ids: "AAAA" } };
  const next = list([...numbered(1, 25_000), "new-1", "new-2"]);
  await expectChange(old, next);
  expect(subject.lines).toContain('segment "vip": 25,000 → 25,001 ids');
  expect(await subject.refresh(old)).toEqual(resource);
  routes();
  const reads = () => subject.emulator.requests.filter(({ route }) => route === "getIdList").length;
  const renewed = await subject.update(old, next);
  expect([reads(), routes()]).toEqual([2, ["addIds", "removeIds"]]);
  expect(renewed.outputs).toMatchObject({ ids: { count: 25_001 }, __ids: "" });
  expect(await liveIds()).toHaveLength(25_001);
  await expectQuiet(renewed, next);
});

test("more than the console takes at once goes in chunks, none twice after a lost answer; a reset replaces what is small and cheaper", async () => {
  const resource = await made(list(["first"]));
  fault({ method: "PATCH", path: "/console/v1/segments/vip/id_list", reset: "after" });
  const whole = await subject.update(resource, list(numbered(0, 100_001)));
  // The lost answer was a success: the list is looked at again, and the first chunk is not sent twice.
  expect(routes()).toEqual(["addIds", "addIds", "removeIds"]);
  expect(await liveIds()).toHaveLength(100_001);
  await subject.update(whole, list(["one", "two"]));
  expect(routes()).toEqual(["resetIds"]);
  await expectIds(["one", "two"]);
});

describe("a user store, which the console never lists", () => {
  const store = (ids: string[], more = {}) => ({ key: "vip", type: "user_store_id_list", ids, ...more });

  test("new ids alone are sent; those that left have to be named", async () => {
    await start(catalog.segment);
    const resource = await subject.up(store(numbered(0, 1500)));
    expect(routes()).toEqual(["addUserStoreIds", "addUserStoreIds"]);
    const next = numbered(2, 1600);
    await expect(subject.diff(resource, store(next))).rejects.toThrow(
      /2 ids left the list.*name them in removedIds/,
    );
    const named = store(next, { removedIds: ["user-0", "user-1", "user-5", "never there"] });
    const updated = await subject.update(resource, named);
    expect(routes()).toEqual(["addUserStoreIds", "removeUserStoreIds"]);
    expect(await live("vip")).toMatchObject({ count: 1598 });
    expect(JSON.stringify(updated)).not.toContain("user-");
    await expectQuiet(updated, named);
  });

  test("more ids than state can hold as hashes are refused, as is a change of more that an earlier version made", async () => {
    await start(catalog.segment);
    const many = numbered(0, 24_577);
    expect(await subject.problems(store(many))).toEqual([
      {
        property: "",
        reason: expect.stringMatching(
          /^ids: found 24,577 ids; .* at most 24,576 ids: divide them .* or leave ids out/,
        ),
      },
    ]);
    expect(await subject.problems(list(many))).toEqual([]);
    const small = await subject.up(store(["a"]));
    const ids = { count: 24_577, hash: "0123456789abcdef" };
    const old = {
      ...small,
      inputs: { ...small.inputs, ids },
      outputs: { ...small.outputs, ids, __ids: "AAAA" },
    };
    subject.emulator.clearRequests();
    await expect(subject.diff(old, store(["b"]))).rejects.toThrow(/no hashes of so many former ids/);
    expect(subject.writes()).toEqual([]);
  });

  test("removedIds belong to no other type", async () => {
    await start(catalog.segment);
    expect(await subject.problems({ ...list(["a"]), removedIds: ["b"] })).toEqual([
      { property: "removedIds", reason: expect.stringContaining("they belong to user_store_id_list") },
    ]);
  });
});

test("a create that was killed between two chunks is taken over by the next run, one with another's id is not", async () => {
  await start(catalog.segment);
  fault({ method: "PATCH", path: "/segments/vip/id_list", status: 403 });
  await expect(subject.up(list(numbered(0, 300)))).rejects.toThrow("403");
  // The first chunk was carried out; nothing has heard of it.
  await addIds(...numbered(0, 100));
  subject.nextRun();
  routes();
  await subject.up(list(numbered(0, 300)));
  expect(routes().filter((route) => route === "addIds")).toHaveLength(1);
  await expectIds(numbered(0, 300));
  subject.nextRun();
  await subject.raw.segment.delete({ id: "vip" });
  await subject.raw.segment.create({ body: { id: "vip", name: "vip", type: "id_list" } });
  await addIds("theirs", "user-1");
  await expect(subject.up(list(numbered(0, 300)))).rejects.toThrow(/exists already/);
});

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

  test("of a gate that is not there, nothing can be overridden", async () => {
    const absent = { gate: "no_gate", passingUserIDs: ["x"] };
    await expect(subject.up(absent)).rejects.toThrow('There is no gate "no_gate" in the console');
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
