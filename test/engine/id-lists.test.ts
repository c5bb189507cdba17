import { describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectQuiet, fault, live, refreshed, start, subject } from "../laws/harness";
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
