import { beforeEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectQuiet, fault, live, refreshed, start, subject } from "../laws/harness";
import { adapters, type Resource } from "../laws/subject";
import { allOf } from "../support/raw-client";

// Another key, another name: the new object is created before the old one goes, so that a create that fails loses nothing.
// Each kind, with a fault at each of its writes: test/laws/replacements.test.ts.

const refusal = { method: "POST", status: 403 } as const;
const inUse = { status: "In Progress" };
const archived = { status: "Archived" };
const killed = () => Promise.reject(new Error("killed"));
const gatesAre = async (old: JsonObject, another: JsonObject) => {
  expect(await live("old_key")).toMatchObject(old);
  expect(await live("new_key")).toMatchObject(another);
};

describe.each(adapters)("%s", (adapter) => {
  test("a gate gets another key: it stays in use where the create fails or the run is killed, and the next up goes on", async () => {
    await start(catalog.gate, { adapter });
    const made = await subject.up({ key: "old_key", description: "Checkout" });
    const news = { key: "new_key", description: "Checkout" };
    subject.nextRun();
    fault(refusal);
    await expect(subject.replace(made, news)).rejects.toThrow("403");
    expect(await live("old_key")).toMatchObject(inUse);
    subject.nextRun();
    await expect(subject.replace(made, news, killed)).rejects.toThrow("killed");
    await gatesAre(inUse, inUse);
    // State did not get to know the new one: the next up finds and takes it, and archives the old one.
    subject.nextRun();
    const next = await subject.replace(made, news);
    expect(next.id).toBe("new_key");
    await gatesAre(archived, inUse);
    subject.nextRun();
    await expectQuiet(next, news);
  });

  describe("a new key under the same name", () => {
    const args = { key: "old_key", name: "Checkout" };
    const news = { key: "new_key", name: "Checkout" };
    const adopting = { ...news, adopt: true };
    const ofAPerson = { body: { name: "Of a person", id: "new_key" } };
    let made: Resource;
    beforeEach(async () => {
      await start(catalog.gate, { adapter });
      made = await subject.up(args);
      subject.nextRun();
    });

    test("the old gate gives its name up in the moment in which the new one needs it", async () => {
      const next = await subject.replace(made, news, async () => {
        expect(await live("old_key")).toMatchObject({ ...inUse, name: "old_key replaced 1" });
      });
      await gatesAre(archived, { ...inUse, name: "Checkout" });
      subject.nextRun();
      await expectQuiet(next, news);
    });

    test("a gate that a person made is adopted under the name; where the console refuses that, both stay in use", async () => {
      await subject.raw.gate.create(ofAPerson);
      fault({ method: "PATCH", path: "/gates/new_key", status: 403 });
      await expect(subject.replace(made, adopting)).rejects.toThrow("403");
      // The name stays free for the next up, which goes on with the adopted one and then archives the old one.
      await gatesAre({ ...inUse, name: "old_key replaced 1" }, { ...inUse, name: "Of a person" });
      subject.nextRun();
      const next = await subject.replace(made, adopting);
      await gatesAre(archived, { ...inUse, name: "Checkout" });
      subject.nextRun();
      await expectQuiet(next, adopting);
    });

    test("a gate that this stack archived comes back under the name", async () => {
      await subject.destroy(
        await subject.up({ key: "new_key", name: "Earlier", __program: { name: "other" } }),
      );
      subject.nextRun();
      await subject.replace(made, news);
      await gatesAre(archived, { ...inUse, name: "Checkout" });
    });

    test("a create that is refused at once changes nothing, and one that is refused after that gives the name back", async () => {
      subject.emulator.clearRequests();
      fault({ ...refusal, path: "/gates" });
      await expect(subject.replace(made, news)).rejects.toThrow("403");
      expect(subject.writes().map(({ method, path }) => `${method} ${path}`)).toEqual([
        "POST /console/v1/gates",
      ]);
      subject.nextRun();
      fault({ method: "POST", path: "/gates", delayMs: 0 }, { ...refusal, path: "/gates" });
      await expect(subject.replace(made, news)).rejects.toThrow("403");
      expect(await live("old_key")).toMatchObject({ ...inUse, name: "Checkout" });
      subject.nextRun();
      await subject.replace(made, news);
      expect(await live("new_key")).toMatchObject({ name: "Checkout" });
    });

    test("a run that was killed after the rename: the next one finishes it, or gives the name back where it fails", async () => {
      const rename = (name: string) => subject.raw.gate.patch({ id: "old_key", body: { name } });
      await rename("old_key replaced 1");
      fault({ ...refusal, path: "/gates" });
      await expect(subject.replace(made, news)).rejects.toThrow("403");
      expect(await live("old_key")).toMatchObject({ name: "Checkout" });
      await rename("old_key replaced 3");
      subject.nextRun();
      await subject.replace(made, news);
      expect(await live("new_key")).toMatchObject({ ...inUse, name: "Checkout" });
    });

    test("a gate that is changed only as it was seen goes after its own rename, and not after another's change", async () => {
      const seen = { protectConcurrentEdits: true };
      const on = await subject.update(made, { ...args, ...seen });
      subject.nextRun();
      const next = await subject.replace(on, { ...news, ...seen });
      expect(await live("old_key")).toMatchObject(archived);
      subject.nextRun();
      const third = { key: "third_key", name: "Third", ...seen };
      const byHand = { id: "new_key", body: { description: "By hand" } };
      const replacing = subject.replace(next, third, async () => void (await subject.raw.gate.patch(byHand)));
      await expect(replacing).rejects.toThrow("was changed in the console");
      expect(await live("new_key")).toMatchObject(inUse);
    });
  });

  test("a name that cannot change is refused, unless the program deletes the old one first", async () => {
    const args = (key: string) => ({
      key,
      name: "Checkout",
      type: "rule_based",
      onImmutableChange: "replace",
    });
    await start(catalog.segment, { adapter });
    const made = await subject.up(args("old_key"));
    subject.nextRun();
    await expect(subject.replace(made, args("new_key"))).rejects.toThrow(
      'Another key makes another segment, which is created before segment "old_key" goes, and that one keeps the name "Checkout" till then: it cannot be renamed. Put key back, choose another name too, or set deleteBeforeReplace: true. segment "old_key" stays as it is.',
    );
    if (adapter === "native") return;
    subject.nextRun();
    const first = { ...args("new_key"), __program: { deletesFirst: true } };
    expect((await subject.plan(made, first)).replaces).toEqual(["key"]);
  });

  test("a metric of another type has another id: the notes of the new one outlive the old one", async () => {
    await start(catalog.metric, { adapter });
    const args = { name: "Purchases", metricEvents: [{ name: "purchase" }] };
    const made = await subject.up({ ...args, type: "event_count_custom" });
    subject.nextRun();
    const news = { ...args, type: "event_user", unitTypes: ["userID"] };
    const next = await subject.replace(made, news);
    expect(next.id).not.toBe(made.id);
    expect(await subject.refresh(made)).toBeUndefined();
    // A run that lost its state finds the new one by the journal.
    subject.nextRun();
    expect((await subject.up(news)).id).toBe(next.id);
  });

  const shop = { name: "shop", description: "Shop", gates: [], onImmutableChange: "replace" };
  test.each<[ResourceDefinition, JsonObject, JsonObject]>([
    [catalog.targetApp, shop, { gates: ["a_gate"] }],
    [catalog.key, { description: "For the shop", type: "CLIENT" }, { type: "SERVER" }],
  ])(
    "%#: where the console makes the id, the new one is no duplicate of the old one",
    async (kind, args, change) => {
      await start(kind, { adapter });
      await subject.of(catalog.gate).up({ key: "a_gate" });
      const made = await subject.up(args);
      const count = async () => (await allOf(subject.raw[kind.name as "targetApp"].list())).length;
      const before = await count();
      const replace = (between?: () => Promise<void>) => {
        subject.nextRun();
        return subject.replace(made, { ...args, ...change }, between);
      };
      fault(refusal);
      await expect(replace()).rejects.toThrow("403");
      await refreshed(made);
      await expect(replace(killed)).rejects.toThrow("killed");
      const next = await replace();
      expect(next.id).not.toBe(made.id);
      await refreshed(next);
      if (kind !== catalog.key) expect(await count()).toBe(before);
    },
  );
});

// The notes of a program come with the class: the driver of the plugin plays another language.
describe("in a preview", () => {
  test("the same id: the old one goes first, and the preview names what asks for it meanwhile", async () => {
    await start(catalog.segment, { adapter: "dynamic" });
    const args = { key: "staff", type: "id_list", onImmutableChange: "replace" };
    const made = await subject.up(args);
    const conditions = [{ type: "passes_segment", targetValue: "staff" }];
    const rules = [{ name: "In", passPercentage: 100, conditions }];
    await subject.of(catalog.gate).up({ key: "shop", rules });
    subject.nextRun();
    const news = { ...args, type: "rule_based", __program: { preview: true } };
    expect(await subject.plan(made, news)).toMatchObject({ deleteBeforeReplace: true });
    expect(subject.lines).toContain(
      'segment "staff" is deleted first, and is created anew without its history and results; meanwhile no unit is in it, and gate "shop" asks for it.',
    );
  });

  const shown = { name: "Checkout" };
  test.each<[JsonObject, boolean, JsonObject, string]>([
    [
      { key: "new_key" },
      false,
      {},
      'gate "new_key" is created first; gate "old_key" is archived after what uses it has moved.',
    ],
    [
      { key: "new_key", ...shown },
      false,
      {},
      'gate "new_key" is created first under the name "Checkout", which gate "old_key" gives up; gate "old_key" is archived after what uses it has moved.',
    ],
    [
      { key: "new_key" },
      false,
      { deletesFirst: true },
      'gate "old_key" is archived first, and then gate "new_key" is created; meanwhile nobody passes.',
    ],
    [
      { key: "old_key", ...shown, idType: "stableID" },
      true,
      {},
      'gate "old_key" is archived first, and comes back as the program sets it; meanwhile nobody passes.',
    ],
  ])("%j is reported in its order", async (args, deleteBeforeReplace, note, line) => {
    await start(catalog.gate, { adapter: "dynamic" });
    const made = await subject.up({ key: "old_key", ...shown });
    subject.nextRun();
    const before = subject.lines.length;
    const planned = await subject.plan(made, { ...args, __program: { preview: true, ...note } });
    if (note.deletesFirst === undefined) expect(planned.deleteBeforeReplace).toBe(deleteBeforeReplace);
    expect(subject.lines.slice(before)).toEqual([line]);
  });
});
