import { beforeEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectQuiet, fault, live, refreshed, start, subject } from "../laws/harness";
import { adapters, type Resource } from "../laws/subject";
import { samples } from "../samples";

const args = { key: "flag_one", name: "Flag one" };
const isArchived = async () => (await live("flag_one")).status === "Archived";

// To Pulumi a resource that was renamed without an alias is another one: it creates the new one and deletes the old one,
// and both are the same gate. A run that failed in between left the delete to the next, which archived the gate.
describe("a resource of a gate that was renamed without an alias", () => {
  let old: Resource;
  let renewed: Resource;
  beforeEach(async () => {
    await start(catalog.gate);
    old = await subject.up(args);
    subject.nextRun();
    renewed = await subject.up({ ...args, __program: { name: "renamed" }, adopt: true });
  });
  /** A state that does not tell which resource it is of. */
  const legacy = (resource: Resource): Resource => {
    const { __self: _, ...outputs } = resource.outputs;
    return { ...resource, outputs };
  };

  test("leaves the gate when the delete comes in the same run, and the gate goes with the new resource", async () => {
    await subject.destroy(old);
    expect(await isArchived()).toBe(false);
    subject.nextRun();
    await subject.destroy(renewed);
    expect(await isArchived()).toBe(true);
  });

  test("leaves it when the delete comes in a later run, also by a state that does not tell its resource", async () => {
    subject.nextRun();
    await expectQuiet(renewed, args);
    await subject.destroy(legacy(old));
    await subject.destroy(old);
    expect(await isArchived()).toBe(false);
  });

  test("takes the gate along when all go that had it", async () => {
    subject.nextRun();
    await subject.diff(old, args);
    await subject.diff(renewed, args);
    await subject.destroy(old);
    await subject.destroy(renewed);
    expect(await isArchived()).toBe(true);
  });

  test("tells which it is after the next update", async () => {
    subject.nextRun();
    const news = { ...args, __program: { name: "renamed" }, description: "Tells" };
    const updated = await subject.update(legacy(renewed), news);
    expect(updated.outputs.__self).toEqual(expect.any(String));
  });
});

describe("a gate that a run removes", () => {
  beforeEach(() => start(catalog.gate));

  test("goes, also where the same run refreshed it, brought it back, compared it, or adopted it", async () => {
    const expectGone = async (resource: Resource) => {
      expect(await isArchived()).toBe(false);
      await subject.destroy(resource);
      expect(await isArchived()).toBe(true);
      subject.nextRun();
    };
    const dropped = await subject.up(args);
    subject.nextRun();
    const seen = await refreshed(dropped);
    await subject.calls().diff("flag_one", seen.outputs, dropped.inputs);
    await expectGone(dropped);
    const back = await subject.up(args);
    await expectQuiet(back, args);
    await expectGone(back);
    await subject.raw.gate.delete({ id: "flag_one" });
    await subject.raw.gate.create({ body: { id: "flag_one", name: "Flag one" } });
    const adopted = await subject.up({ ...args, adopt: true });
    await expectGone(await subject.update(adopted, { ...args, description: "Ours now" }));
    await expectGone(await subject.up({ ...args, description: "Ours now" }));
  });

  test("stays where another resource began to adopt it and failed", async () => {
    const old = await subject.up(args);
    subject.nextRun();
    fault({ method: "PATCH", status: 403 });
    const adoption = subject.up({ ...args, description: "New", adopt: true });
    await expect(adoption).rejects.toMatchObject({ id: "flag_one" });
    await subject.destroy(old);
    expect(await isArchived()).toBe(false);
  });
});

describe("the key of a resource that sets none", () => {
  beforeEach(() => start(catalog.gate));
  const checkout = { name: "checkout" };

  test("stays when a resource that has another name under an alias is replaced", async () => {
    const made = await subject.up({ __program: checkout, idType: "userID" });
    subject.nextRun();
    const news = { __program: { name: "checkout_gate" }, idType: "companyID" };
    expect(await subject.diff(made, news)).toMatchObject({ replaces: ["idType"] });
    // Pulumi checks the arguments of a replacement again, without those of last time.
    expect(await subject.checked(news)).toMatchObject({ key: "checkout", name: "checkout" });
  });

  test("is the name of a new resource, and another one that it sets is the name, too; a killed replacement is finished", async () => {
    const news = { __program: checkout, key: "checkout_two" };
    const made = await subject.up({ __program: checkout });
    expect(made.inputs).toMatchObject({ key: "checkout", name: "checkout" });
    for (const _run of ["killed after it made the new object", "the next one"]) {
      subject.nextRun();
      expect(await subject.diff(made, news)).toMatchObject({ replaces: ["key"] });
      expect(await subject.checked(news)).toMatchObject({ key: "checkout_two", name: "checkout_two" });
      await subject.destroy(made);
      expect((await subject.up(news)).id).toBe("checkout_two");
    }
    expect(await live("checkout_two")).toMatchObject({ status: "In Progress" });
  });
});

// With --continue-on-error Pulumi goes on after a create that failed, and removes what the program no longer has.
describe.each(adapters)(
  "a resource is renamed without an alias, and the run continues on errors, %s",
  (adapter) => {
    const alert = { ...samples.alert.smallest, name: "Slow", onDelete: "delete" };
    test.each([
      ["a gate", catalog.gate, { key: "checkout" }],
      ["a segment", catalog.segment, { key: "staff", type: "rule_based" }],
      ["a tag", catalog.tag, { name: "shop", description: "Shop" }],
      ["an alert, whose id the console generates,", catalog.alert, alert],
    ] as const)("%s stays as it is, and in state", async (_, definition, sample) => {
      await start(definition, { adapter });
      const said = (name: string): JsonObject => ({ ...sample, __program: { name } });
      const old = await subject.up(said("old"));
      subject.nextRun();
      const { method, path } = definition.routes.create;
      fault({ method, path, status: 403 });
      subject.emulator.clearRequests();
      await expect(subject.up(said("renamed"))).rejects.toThrow();
      await expect(subject.destroy(old)).rejects.toThrow(
        /stays: the resource "renamed" of this program declares it, and could not be created\. Nothing was removed\. If it is the same resource, renamed or moved, set aliases there/,
      );
      expect(subject.writes().filter((one) => one.method !== method)).toEqual([]);
      subject.nextRun();
      expect((await subject.refresh(old))?.id).toBe(old.id);
    });
  },
);

// A key that moves onto another object of the same program, which has to give it up first.
describe.each(adapters)("of two gates, %s", (adapter) => {
  /** What a run says of both, as the engine asks: each is checked and compared, whichever comes first. */
  const problemsOf = async (wanted: readonly (readonly [Resource, JsonObject])[]) => {
    subject.nextRun();
    const said: string[] = [];
    for (const [resource, args] of wanted) {
      const found = (await subject.problems(args, resource.inputs)).map(({ reason }) => reason);
      said.push(...found);
      if (found.length === 0)
        await subject.diff(resource, args).catch(({ message }: Error) => said.push(message));
    }
    return said.join("\n");
  };

  test.each([
    ["swap their keys", "left_key", true],
    ["swap their keys", "left_key", false],
    ["move one onto the other, which moves on", "free_key", true],
    ["move one onto the other, which moves on", "free_key", false],
  ])("a program that lets them %s (%s) is refused, in a preview: %s", async (_, next, preview) => {
    const said = (name: string, key: string, isPreview = false): JsonObject => ({
      ...{ key, name: `${name} gate`, __program: { name, preview: isPreview } },
    });
    await start(catalog.gate, { adapter });
    const left = await subject.up(said("left", "left_key"));
    const right = await subject.up(said("right", "right_key"));
    subject.emulator.clearRequests();
    const wanted = [
      [left, said("left", "right_key", preview)],
      [right, said("right", next, preview)],
    ] as const;
    for (const order of [wanted, wanted.toReversed()])
      expect(await problemsOf(order)).toMatch(
        /gate "(left|right)_key" (exists already: .*stays as it is|goes only at the end of the update|is what the resource "(left|right)" gives up)/,
      );
    expect(subject.writes()).toEqual([]);
  });
});
