import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Resource, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `user-${from + index}`);
const list = (ids: unknown) => ({ key: "vip", type: "id_list", ids });

async function made(ids: unknown): Promise<Resource> {
  subject = await startSubject(catalog.segment);
  const resource = await subject.up(list(ids));
  subject.emulator.clearRequests();
  return resource;
}

const routes = () =>
  subject.emulator.requests.flatMap(({ route }) => (/Ids$/.test(route ?? "") ? [route] : []));
const live = async () => ((await subject.raw.segment.getIdList({ id: "vip" })).ids as string[]).sort();

test("state holds the number and hashes, and never an id", async () => {
  const resource = await made(numbered(0, 300));
  expect(JSON.stringify(resource)).not.toContain("user-");
  expect(resource.inputs.ids).toEqual({ count: 300, hash: expect.stringMatching(/^[0-9a-f]{16}$/) });
  expect(resource.outputs.ids).toEqual(resource.inputs.ids);
  expect(await live()).toEqual(numbered(0, 300).sort());
});

test("the same ids in another order are no change, and a refresh finds them unchanged", async () => {
  const resource = await made(["b", "a"]);
  expect(await subject.diff(resource, list(["a", "b", "a"]))).toEqual({ quiet: true, replaces: [] });
  expect(await subject.refresh(resource)).toEqual(resource);
});

test("what somebody else added is drift, and the next update takes it out alone", async () => {
  const resource = await made(numbered(0, 2000));
  await subject.raw.segment.addIds({ id: "vip", body: { ids: ["intruder"] } });
  const found = (await subject.refresh(resource)) as Resource;
  expect(found.inputs.ids).toMatchObject({ count: 2001 });
  subject.emulator.clearRequests();
  await subject.update(found, list(numbered(0, 2000)));
  expect(routes()).toEqual(["removeIds"]);
  expect(await live()).toEqual(numbered(0, 2000).sort());
});

test("what an earlier version kept as ids is the same, and becomes a digest in a refresh", async () => {
  const resource = await made(["a", "b"]);
  const { inputs } = resource;
  const { __ids: _out, ...outputs } = resource.outputs;
  const old = {
    ...resource,
    inputs: { ...inputs, ids: ["a", "b"] },
    outputs: { ...outputs, ids: ["a", "b"] },
  };
  expect(await subject.diff(old, list(["b", "a"]))).toEqual({ quiet: true, replaces: [] });
  expect(await subject.refresh(old)).toEqual(resource);
  await subject.update(old, list(["a", "c"]));
  expect(await live()).toEqual(["a", "c"]);
});

test("more than the console takes at once goes in chunks; a reset replaces what is small and cheaper", async () => {
  const resource = await made(numbered(0, 100_001));
  const few = await subject.update(resource, list(["one", "two"]));
  expect(routes()).toEqual(["resetIds"]);
  expect(await live()).toEqual(["one", "two"]);
  subject.emulator.clearRequests();
  await subject.update(few, list(numbered(0, 100_001)));
  expect(routes()).toEqual(["addIds", "addIds", "removeIds"]);
}, 60_000);

test("after a failure in the middle only what is missing is sent", async () => {
  const resource = await made(["first"]);
  const wanted = ["first", ...numbered(0, 100_001)];
  subject.emulator.addFaults([
    { method: "PATCH", path: "/console/v1/segments/vip/id_list", times: 1, reset: "after" },
  ]);
  await subject.update(resource, list(wanted));
  // The lost answer was a success: the list is looked at again, and the first chunk is not sent twice.
  expect(routes()).toEqual(["addIds", "addIds"]);
  expect(await live()).toHaveLength(100_002);
}, 60_000);

describe("a user store, which the console never lists", () => {
  const store = (ids: unknown, more: object = {}) => ({
    key: "vip",
    type: "user_store_id_list",
    ids,
    ...more,
  });

  test("new ids alone are sent; those that left have to be named", async () => {
    subject = await startSubject(catalog.segment);
    const resource = await subject.up(store(numbered(0, 1500)));
    expect(routes()).toEqual(["addUserStoreIds", "addUserStoreIds"]);
    const next = numbered(2, 1600);
    await expect(subject.diff(resource, store(next))).rejects.toThrow(
      /2 ids left the list.*name them in removedIds/,
    );
    const named = store(next, { removedIds: ["user-0", "user-1", "user-5", "never there"] });
    subject.emulator.clearRequests();
    const updated = await subject.update(resource, named);
    expect(routes()).toEqual(["addUserStoreIds", "removeUserStoreIds"]);
    expect(await subject.raw.segment.get({ id: "vip" })).toMatchObject({ count: 1598 });
    expect(JSON.stringify(updated)).not.toContain("user-");
    expect(await subject.diff(updated, named)).toEqual({ quiet: true, replaces: [] });
  });

  test("removedIds belong to no other type", async () => {
    subject = await startSubject(catalog.segment);
    const problems = await subject.problems({ ...list(["a"]), removedIds: ["b"] });
    expect(problems).toEqual([
      { property: "removedIds", reason: expect.stringContaining("they belong to user_store_id_list") },
    ]);
  });
});

test("a create that was killed between two chunks is taken over by the next run, one with another's id is not", async () => {
  subject = await startSubject(catalog.segment);
  const body = { id: "vip", name: "vip", type: "id_list" };
  subject.emulator.addFaults([{ method: "PATCH", path: "/segments/vip/id_list", times: 1, status: 403 }]);
  await expect(subject.up(list(numbered(0, 300)))).rejects.toThrow("403");
  // The first chunk was carried out; nothing has heard of it.
  await subject.raw.segment.addIds({ id: "vip", body: { ids: numbered(0, 100) } });
  subject.nextRun();
  subject.emulator.clearRequests();
  await subject.up(list(numbered(0, 300)));
  expect(await live()).toEqual(numbered(0, 300).sort());
  const sent = subject.emulator.requests.filter(({ route }) => route === "addIds");
  expect(sent).toHaveLength(1);
  subject.nextRun();
  await subject.raw.segment.delete({ id: "vip" });
  await subject.raw.segment.create({ body });
  for (const ids of [["theirs"], ["user-1"]]) await subject.raw.segment.addIds({ id: "vip", body: { ids } });
  await expect(subject.up(list(numbered(0, 300)))).rejects.toThrow(/exists already/);
}, 20_000);
