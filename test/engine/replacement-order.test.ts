import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog, parts } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectedId } from "../../src/provider/schema/object-id";
import { optionsOf } from "../../src/provider/values/options";
import { adapters, type Resource, type Subject, startSubject } from "../laws/subject";
import { allOf } from "../support/raw-client";

// Another key, another name: the new object is created before the old one goes, so that a create that fails loses nothing.

let subject: Subject;
afterEach(() => subject.close());

/** True for an object that the console has in use; told by its id, or by what state has. */
async function isInUse(definition: ResourceDefinition, of: string | Resource): Promise<boolean> {
  const found = typeof of === "string" ? subject.get(of).catch(() => undefined) : subject.refresh(of);
  const { archived } = definition.lifecycle;
  const resource = await found;
  return (
    resource !== undefined && (archived === undefined || resource.outputs[archived.field] !== archived.is)
  );
}

/** Kinds whose program can choose another id, and the argument that does it. */
const renamed = Object.values<ResourceDefinition>({ ...catalog, ...parts }).flatMap((definition) => {
  const { identity, lifecycle, fields } = definition;
  if (lifecycle.create.how !== "send" || identity.how === "server" || identity.how === "singleton") return [];
  const [argument] = identity.how === "key" || identity.how === "slug" ? [identity.argument] : ["name"];
  const isOwn = argument === "key" || argument === "name";
  return isOwn && fields[argument]?.facts.replaces === true
    ? [[definition.kind, definition, argument] as const]
    : [];
});

describe.each(adapters)("%s", (adapter) => {
  const start = async (definition: ResourceDefinition) => {
    subject = await startSubject(definition, { adapter });
  };

  test("a gate gets another key, and the console refuses the new one: the old one stays in use, and the next up goes on", async () => {
    await start(catalog.gate);
    const made = await subject.up({ key: "old_key", description: "Checkout" });
    subject.nextRun();
    subject.emulator.addFaults([{ method: "POST", path: "/gates", status: 403, times: 1 }]);
    const news = { key: "new_key", description: "Checkout" };
    await expect(subject.replace(made, news)).rejects.toThrow("403");
    expect(await subject.raw.gate.get({ id: "old_key" })).toMatchObject({ status: "In Progress" });
    subject.nextRun();
    const next = await subject.replace(made, news);
    expect(next.id).toBe("new_key");
    expect(await subject.raw.gate.get({ id: "new_key" })).toMatchObject({ status: "In Progress" });
    expect(await subject.raw.gate.get({ id: "old_key" })).toMatchObject({ status: "Archived" });
  });

  test.each(renamed)(
    "%s: a create that fails leaves the old object, and so does a kill before the delete",
    async (_, definition, argument) => {
      await start(definition);
      const isFixed = optionsOf(definition).onImmutableChange !== undefined;
      const args: JsonObject = {
        ...definition.samples.smallest,
        ...(isFixed ? { onImmutableChange: "replace" } : {}),
      };
      const news = { ...args, [argument]: "another_one" };
      const made = await subject.up(args);
      subject.nextRun();
      const { method } = definition.routes[
        definition.lifecycle.create.how === "send" ? definition.lifecycle.create.route : ""
      ] ?? { method: "POST" };
      subject.emulator.addFaults([{ method: method as "POST", status: 403, times: 1 }]);
      await expect(subject.replace(made, news)).rejects.toThrow("403");
      expect(await isInUse(definition, made.id)).toBe(true);

      subject.nextRun();
      const killed = subject.replace(made, news, () => Promise.reject(new Error("killed")));
      await expect(killed).rejects.toThrow("killed");
      expect(await isInUse(definition, made.id)).toBe(true);
      expect(await isInUse(definition, String(expectedId(definition, news)))).toBe(true);

      // State did not get to know the new one: the next up finds and takes it, and deletes the old one.
      subject.nextRun();
      const next = await subject.replace(made, news);
      expect(next.id).not.toBe(made.id);
      expect(await isInUse(definition, next.id)).toBe(true);
      if (definition.lifecycle.delete.onDeleteDefault !== "retain")
        expect(await isInUse(definition, made.id)).toBe(false);
      subject.nextRun();
      expect((await subject.diff(next, news)).quiet).toBe(true);
    },
  );

  describe("a new key under the same name", () => {
    const args = { key: "old_key", name: "Checkout" };
    const news = { key: "new_key", name: "Checkout" };
    const refusal = { method: "POST", path: "/gates", status: 403 } as const;
    const live = (id: string) => subject.raw.gate.get({ id });

    test("the old gate gives its name up in the moment in which the new one needs it", async () => {
      await start(catalog.gate);
      const made = await subject.up(args);
      subject.nextRun();
      const next = await subject.replace(made, news, async () => {
        expect(await live("old_key")).toMatchObject({ status: "In Progress", name: "old_key replaced 1" });
      });
      expect(await live("new_key")).toMatchObject({ status: "In Progress", name: "Checkout" });
      expect(await live("old_key")).toMatchObject({ status: "Archived" });
      subject.nextRun();
      expect((await subject.diff(next, news)).quiet).toBe(true);
    });

    test("a gate that a person made is adopted under the name", async () => {
      await start(catalog.gate);
      const made = await subject.up(args);
      await subject.raw.gate.create({ body: { name: "Of a person", id: "new_key" } });
      subject.nextRun();
      const next = await subject.replace(made, { ...news, adopt: true });
      expect(await live("new_key")).toMatchObject({ status: "In Progress", name: "Checkout" });
      expect(await live("old_key")).toMatchObject({ status: "Archived" });
      subject.nextRun();
      expect((await subject.diff(next, { ...news, adopt: true })).quiet).toBe(true);
    });

    test("an adoption that the console refuses leaves both gates in use", async () => {
      await start(catalog.gate);
      const made = await subject.up(args);
      await subject.raw.gate.create({ body: { name: "Of a person", id: "new_key" } });
      subject.nextRun();
      subject.emulator.addFaults([{ method: "PATCH", path: "/gates/new_key", status: 403, times: 1 }]);
      await expect(subject.replace(made, { ...news, adopt: true })).rejects.toThrow("403");
      // The name stays free for the next up, which goes on with the adopted one and then archives the old one.
      expect(await live("old_key")).toMatchObject({ status: "In Progress", name: "old_key replaced 1" });
      expect(await live("new_key")).toMatchObject({ status: "In Progress", name: "Of a person" });
    });

    test("a gate that this stack archived comes back under the name", async () => {
      await start(catalog.gate);
      const earlier = await subject.up({ key: "new_key", name: "Earlier" });
      await subject.destroy(earlier);
      const made = await subject.up(args);
      subject.nextRun();
      await subject.replace(made, news);
      expect(await live("new_key")).toMatchObject({ status: "In Progress", name: "Checkout" });
      expect(await live("old_key")).toMatchObject({ status: "Archived" });
    });

    test("a create that is refused at once changes nothing, and one that is refused after that gives the name back", async () => {
      await start(catalog.gate);
      const made = await subject.up(args);
      subject.nextRun();
      subject.emulator.clearRequests();
      subject.emulator.addFaults([{ ...refusal, times: 1 }]);
      await expect(subject.replace(made, news)).rejects.toThrow("403");
      expect(subject.writes().map(({ method, path }) => `${method} ${path}`)).toEqual([
        "POST /console/v1/gates",
      ]);
      subject.nextRun();
      subject.emulator.addFaults([
        { method: "POST", path: "/gates", delayMs: 0, times: 1 },
        { ...refusal, times: 1 },
      ]);
      await expect(subject.replace(made, news)).rejects.toThrow("403");
      expect(await live("old_key")).toMatchObject({ status: "In Progress", name: "Checkout" });
      subject.nextRun();
      await subject.replace(made, news);
      expect(await live("new_key")).toMatchObject({ name: "Checkout" });
    });

    test("a run that was killed after the rename: the next one finishes it, or gives the name back where it fails", async () => {
      await start(catalog.gate);
      const made = await subject.up(args);
      await subject.raw.gate.patch({ id: "old_key", body: { name: "old_key replaced 1" } });
      subject.nextRun();
      subject.emulator.addFaults([{ ...refusal, times: 1 }]);
      await expect(subject.replace(made, news)).rejects.toThrow("403");
      expect(await live("old_key")).toMatchObject({ name: "Checkout" });
      await subject.raw.gate.patch({ id: "old_key", body: { name: "old_key replaced 3" } });
      subject.nextRun();
      await subject.replace(made, news);
      expect(await live("new_key")).toMatchObject({ status: "In Progress", name: "Checkout" });
    });

    test("a gate that is changed only as it was seen goes after its own rename, and not after another's change", async () => {
      await start(catalog.gate);
      const seen = { protectConcurrentEdits: true };
      const made = await subject.up({ ...args, ...seen });
      subject.nextRun();
      const next = await subject.replace(made, { ...news, ...seen });
      expect(await live("old_key")).toMatchObject({ status: "Archived" });
      subject.nextRun();
      const edit = () => subject.raw.gate.patch({ id: "new_key", body: { description: "By hand" } });
      const again = { ...args, key: "third_key", name: "Third", ...seen };
      await expect(subject.replace(next, again, async () => void (await edit()))).rejects.toThrow(
        "was changed in the console",
      );
      expect(await live("new_key")).toMatchObject({ status: "In Progress" });
    });

    test("a name that cannot change is refused, unless the program deletes the old one first", async () => {
      await start(catalog.segment);
      const rules = { type: "rule_based", onImmutableChange: "replace" };
      const made = await subject.up({ ...args, ...rules });
      subject.nextRun();
      await expect(subject.replace(made, { ...news, ...rules })).rejects.toThrow(
        'The name "Checkout" is still taken when the new segment is created: segment "old_key" goes after that, and cannot be renamed. Choose another name. segment "old_key" stays as it is.',
      );
      if (adapter === "native") return;
      subject.nextRun();
      const first = { ...news, ...rules, __program: { deletesFirst: true } };
      expect((await subject.plan(made, first)).replaces).toEqual(["key"]);
    });
  });

  test("a metric of another type has another id: the notes of the new one outlive the old one", async () => {
    await start(catalog.metric);
    const args = { name: "Purchases", type: "event_count_custom", metricEvents: [{ name: "purchase" }] };
    const made = await subject.up(args);
    subject.nextRun();
    const news = {
      name: "Purchases",
      type: "event_user",
      unitTypes: ["userID"],
      metricEvents: [{ name: "purchase" }],
    };
    const next = await subject.replace(made, news);
    expect(next.id).not.toBe(made.id);
    expect(await isInUse(catalog.metric, made.id)).toBe(false);
    // A run that lost its state finds the new one by the journal.
    subject.nextRun();
    expect((await subject.up(news)).id).toBe(next.id);
  });

  test.each([
    [
      catalog.targetApp,
      { name: "shop", description: "Shop", gates: [], onImmutableChange: "replace" },
      { gates: ["a_gate"] },
    ],
    [catalog.key, { description: "For the shop", type: "CLIENT" }, { type: "SERVER" }],
  ] as const)(
    "%#: where the console makes the id, the new one is no duplicate of the old one",
    async (definition: ResourceDefinition, args: JsonObject, change: JsonObject) => {
      await start(definition);
      await subject.of(catalog.gate).up({ key: "a_gate" });
      const made = await subject.up(args);
      const count = async () => (await allOf(subject.raw[definition.name as "targetApp"].list())).length;
      const before = await count();
      subject.nextRun();
      subject.emulator.addFaults([{ method: "POST", status: 403, times: 1 }]);
      await expect(subject.replace(made, { ...args, ...change })).rejects.toThrow("403");
      expect(await isInUse(definition, made)).toBe(true);
      subject.nextRun();
      const killed = subject.replace(made, { ...args, ...change }, () => Promise.reject(new Error("killed")));
      await expect(killed).rejects.toThrow("killed");
      subject.nextRun();
      const next = await subject.replace(made, { ...args, ...change });
      expect(next.id).not.toBe(made.id);
      expect(await isInUse(definition, next)).toBe(true);
      if (definition !== catalog.key) expect(await count()).toBe(before);
    },
  );
});

// The notes of a program come with the class: the driver of the plugin plays another language.
describe("in a preview", () => {
  const start = async (definition: ResourceDefinition) => {
    subject = await startSubject(definition, { adapter: "dynamic" });
  };

  test("the same id: the old one goes first, and the preview names what asks for it meanwhile", async () => {
    await start(catalog.segment);
    const args = { key: "staff", type: "id_list", onImmutableChange: "replace" };
    const made = await subject.up(args);
    const conditions = [{ type: "passes_segment", targetValue: "staff" }];
    await subject
      .of(catalog.gate)
      .up({ key: "shop", rules: [{ name: "In", passPercentage: 100, conditions }] });
    subject.nextRun();
    const news = { ...args, type: "rule_based", __program: { preview: true } };
    expect(await subject.plan(made, news)).toMatchObject({ deleteBeforeReplace: true });
    expect(subject.lines).toContain(
      'segment "staff" is deleted first, and is created anew without its history and results; meanwhile no unit is in it, and gate "shop" asks for it.',
    );
  });

  test("the preview reports the order", async () => {
    await start(catalog.gate);
    const made = await subject.up({ key: "old_key", name: "Checkout" });
    const preview = async (args: JsonObject, note: JsonObject = {}) => {
      subject.nextRun();
      const before = subject.lines.length;
      const { deleteBeforeReplace } = await subject.plan(made, {
        ...args,
        __program: { preview: true, ...note },
      });
      return [deleteBeforeReplace, ...subject.lines.slice(before)];
    };
    expect(await preview({ key: "new_key" })).toEqual([
      false,
      'gate "new_key" is created first; gate "old_key" is archived after what uses it has moved.',
    ]);
    expect(await preview({ key: "new_key", name: "Checkout" })).toEqual([
      false,
      'gate "new_key" is created first under the name "Checkout", which gate "old_key" gives up; gate "old_key" is archived after what uses it has moved.',
    ]);
    expect(await preview({ key: "new_key" }, { deletesFirst: true })).toContain(
      'gate "old_key" is archived first, and then gate "new_key" is created; meanwhile nobody passes.',
    );
    expect(await preview({ key: "old_key", name: "Checkout", idType: "stableID" })).toEqual([
      true,
      'gate "old_key" is archived first, and comes back as the program sets it; meanwhile nobody passes.',
    ]);
  });
});
