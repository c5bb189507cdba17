import { beforeEach, describe, expect, test } from "@jest/globals";
import { keptNames } from "../../src/provider/schema/audit";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { idMember, programIdArgument, secretOf } from "../../src/provider/schema/object-id";
import { treeOf } from "../../src/provider/schema/tree";
import { fromWire } from "../../src/provider/schema/wire-names";
import { sameMeaning } from "../../src/provider/values/compare";
import { canGo } from "../../src/provider/values/options";
import { samplesOf } from "../samples";
import { bothEnds } from "./behaviour-laws";
import { expectChange, expectQuiet, fault, live, refreshed, start, subject } from "./harness";
import { kinds, without } from "./subject";

describe.each(kinds)("%s", (_, definition: ResourceDefinition) => {
  beforeEach(() => start(definition));

  const { identity, fields, lifecycle } = definition;
  const { create, read } = lifecycle;
  const { smallest, fullest } = samplesOf(definition);
  const argument = programIdArgument(definition) ?? "";
  const isOnlyOne = create.how === "claim";
  const isPart = create.how === "send" && create.fills === true;
  // Names are free to change there, and to be the same.
  const isIdGenerated = identity.how === "server";
  const factsOf = (name: string) => fields[name]?.traits;
  const clearable = Object.keys(fullest).filter((name) => {
    const facts = factsOf(name);
    return facts !== undefined && "clearWith" in facts && !facts.remembered;
  });
  const isKept = (name: string) => {
    const { schema, traits } = fields[name] ?? {};
    return (
      traits !== undefined && !("clearWith" in traits || traits.fixed) && schema?.safeParse(undefined).success
    );
  };
  const expectCleared = ({ outputs }: { outputs: JsonObject }, name: string) => {
    const isCleared = isEmpty(outputs[name]) || outputs[name] === factsOf(name)?.clearWith;
    expect([name, isCleared]).toEqual([name, true]);
  };

  test.each(Object.entries({ smallest, fullest }))(
    "[W6] created from the %s sample, it is read back with defaults, quiet in diff and refresh, and no write follows",
    async (_name, sample: JsonObject) => {
      const inputs = await subject.checked(sample);
      expect(await subject.checked(inputs, inputs)).toEqual(inputs);
      const made = await subject.up(sample);
      await expectQuiet(made, sample);
      subject.emulator.clearRequests();
      const seen = await refreshed(made);
      expect(seen.outputs).toEqual(made.outputs);
      await expectQuiet(seen, sample);
      expect(subject.writes()).toEqual([]);
      const kept = keptNames(definition);
      for (const [name, { mode, traits }] of Object.entries(fields)) {
        const isShown = mode === "input" && name in sample && !traits.remembered && !traits.readsOtherId;
        if (isShown) expect([name, seen.inputs[name]]).toEqual([name, expect.anything()]);
        const isFilled = mode === "output" && kept.has(name) && (traits.serverDefault ?? null) !== null;
        if (isFilled) expect([name, seen.outputs[name]]).toEqual([name, expect.anything()]);
      }
    },
  );

  test("a preview asks the console nothing, but for one look where another object is to be, and one for its name; a set in another order is quiet", async () => {
    const made = await subject.up(fullest);
    subject.emulator.clearRequests();
    await subject.diff(made, { ...smallest, [argument]: fullest[argument] }).catch(() => undefined);
    // The id of such a kind is made of more than one argument.
    const looks = identity.how === "template" ? 1 : 0;
    // A name beside the key, or of which the id is made, may be another object's.
    const names = fields.key === undefined && identity.how !== "slug" ? 0 : 1;
    expect(subject.emulator.requests.length).toBeLessThanOrEqual(looks + names);
    await subject.diff(made, smallest).catch(() => undefined);
    const asked = subject.emulator.requests.map(({ method }) => method);
    expect(asked.every((method) => method === "GET")).toBe(true);
    expect(asked.length).toBeLessThanOrEqual(looks + names + 1 + names);
    const shuffled = Object.entries(fullest).map(([name, value]) => [
      name,
      factsOf(name)?.unordered && Array.isArray(value) ? value.toReversed() : value,
    ]);
    await expectQuiet(made, Object.fromEntries(shuffled));
    if (isOnlyOne) return;
    // The old object has its name until the new one is there.
    const name = fields.name === undefined ? {} : { name: "another_name" };
    const diff = await subject.diff(made, { ...fullest, ...name, [argument]: "another_name" });
    expect(diff.quiet).toBe(false);
    expect(diff.replaces.filter((one) => one === argument)).toEqual(isIdGenerated ? [] : [argument]);
  });

  test("from the smallest to the fullest in place, and back, one clearable field after the other; removing any other asks for nothing", async () => {
    const { small, full } = bothEnds(definition);
    const made = await subject.up(small);
    await expectChange(made, full);
    let resource = await subject.update(made, full);
    await expectQuiet(resource, full);
    for (const name of Object.keys(full).filter(isKept)) {
      const others = without(full, name);
      // Another argument may need it.
      if ((await subject.problems(others, resource.inputs)).length > 0) continue;
      expect([name, (await subject.diff(resource, others)).quiet]).toEqual([name, true]);
    }
    let args = full;
    for (const name of clearable.filter((one) => !factsOf(one)?.fixed)) {
      args = without(args, name);
      expect([name, (await subject.diff(resource, args)).quiet]).toEqual([name, false]);
      resource = await subject.update(resource, args);
      expectCleared(resource, name);
      await expectQuiet(resource, args);
    }
    const emptied = await subject.update(resource, small);
    await expectQuiet(emptied, small);
    for (const name of clearable) if (!(name in small)) expectCleared(emptied, name);
  });

  // What a secret leads to is not told apart in a list by anything that may be shown.
  if (read.how === "get" && read.list !== undefined && secretOf(definition) === undefined)
    test(`the list, which answers refreshes, shows ${read.listShowsLess ? "less than" : "what"} the read of one shows`, async () => {
      const made = await subject.up(fullest);
      const differing = async () => {
        const one = fromWire(definition, await live(made.id));
        const listed = (await subject.objects())?.find((item) => item[idMember(definition)] === made.id);
        const other = fromWire(definition, listed ?? {});
        const names = Object.keys(treeOf(definition));
        return names.filter((name) => !sameMeaning(definition, name, one[name], other[name]));
      };
      if (read.listShowsLess) return expect(await differing()).not.toEqual([]);
      expect(await differing()).toEqual([]);
      await subject.update(made, bothEnds(definition).small);
      expect(await differing()).toEqual([]);
    });

  test("created again as if it had never been recorded, it is the same object, which no other resource takes; destroyed, the next up brings it back", async () => {
    const made = await subject.up(fullest);
    const again = await subject.up(fullest);
    expect(again.id).toBe(made.id);
    await expectQuiet(again, fullest);
    // The same program's second resource of that key is refused even where everything is equal.
    const second = subject.up({ ...fullest, __program: { name: "second" } });
    if (isIdGenerated) expect((await second).id).not.toBe(made.id);
    else await expect(second).rejects.toThrow(/of this program|exists already/);
    expect((await refreshed(made)).id).toBe(made.id);
    await subject.destroy(again);
    // What stays is no longer this stack's, and is taken with adopt alone.
    if (!isPart && !isOnlyOne && !canGo(definition)) return;
    const back = await subject.up(fullest);
    expect(back.id === made.id).toBe(!isIdGenerated);
    await expectQuiet(back, fullest);
  });

  if (!isPart && !isOnlyOne && canGo(definition))
    test("deleting twice is fine", async () => {
      const made = await subject.up({ ...smallest, onDelete: "delete" });
      await subject.destroy(made);
      await subject.destroy(made);
      expect(await subject.refresh(made)).toBeUndefined();
    });

  test("refused twice with 429, and the answer to a create got lost: one object, and it is ours", async () => {
    fault({ method: "POST", status: 429, retryAfter: 0, times: 2 });
    if (!isPart && !isOnlyOne) fault({ method: "POST", reset: "after" });
    await expectQuiet(await subject.up(fullest), fullest);
    if (isPart || isOnlyOne) return;
    const objects = read.how === "remember" ? undefined : await subject.objects();
    // An address leads to one object: a second request for it was refused, or none was sent.
    const made = objects ?? subject.writes().filter(({ status }) => status < 300);
    expect(made).toHaveLength(1);
  });
});

test.each(
  kinds.filter(([, { name }]) => ["metricSource", "entityProperty", "qualifyingEvent"].includes(name)),
)("[W5] of a %s that a key made the owner is of type SDK_KEY", async (_, definition) => {
  await start(definition);
  const made = await subject.up(samplesOf(definition).smallest);
  expect((await live(made.id))?.owner).toMatchObject({ ownerType: "SDK_KEY" });
});

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  const isVoid = value === undefined || value === null || value === "";
  return isVoid || (isObject(value) && Object.keys(value).length === 0);
}
