import { describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import {
  edit,
  expectChange,
  expectQuiet,
  listOf,
  live,
  rule as ofEveryone,
  refreshed,
  shares,
  start,
  subject,
} from "../laws/harness";
import type { Resource } from "../laws/subject";

const key = "flag_one";
const rule = (name: string, passPercentage: number, more: JsonObject = {}) =>
  ofEveryone(name, passPercentage, {
    conditions: [{ type: "email", operator: "str_contains_any", targetValue: [`@${name}`] }],
    ...more,
  });
const [a, b, c] = [rule("A", 10), rule("B", 20), rule("C", 30)];
const three = [a, b, c];
const args = (rules: JsonObject[], more: JsonObject = {}) => ({
  ...{ key, owns: { rollout: "console" }, rules },
  ...more,
});
const both = { owns: { rollout: "console", status: "console" } };

type Kind = "gate" | "dynamicConfig";
const expectShares = async (expected: object) =>
  expect(Object.fromEntries(await shares(key))).toEqual(expected);
const ramp = async (name: string, passPercentage: number) => {
  const id = String((await listOf(key)).find((one) => one.name === name)?.id);
  const raw = subject.raw[subject.definition.name as Kind];
  await raw.patchRule({ id: key, ruleID: id, ruleId: id, body: { passPercentage } });
};
const archive = () => subject.raw.gate.archive({ id: key, body: { archiveReason: "" } });

/** Nothing to do, before a refresh and after, and the refresh shows nothing. */
async function expectNoDrift(resource: Resource, wanted: JsonObject): Promise<Resource> {
  await expectQuiet(resource, wanted);
  const seen = await refreshed(resource);
  // What Pulumi's engine asks of a refresh: what was read, and the arguments of last time.
  const { changes } = await subject.calls().diff(resource.id, seen.outputs, resource.inputs);
  expect(changes).toBe("none");
  expect(seen.inputs.rules).toEqual(resource.inputs.rules);
  await expectQuiet(seen, wanted);
  return seen;
}

test("an owner, or a word, that there is not is refused", async () => {
  await start(catalog.gate);
  const problems = await subject.problems(args(three, { owns: { rolout: "console", status: "me" } }));
  expect(problems.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('did you mean "rollout"?'),
    expect.stringContaining('"console"'),
  ]);
});

describe.each<[Kind]>([["gate"], ["dynamicConfig"]])("%s whose rollout the console owns", (kind) => {
  const made = async (wanted: JsonObject) => {
    await start(catalog[kind]);
    return subject.up(wanted);
  };
  const status = (verb: "enable" | "disable" | "archive") =>
    (subject.raw[kind] as typeof subject.raw.gate)[verb]({
      id: key,
      ...(verb === "archive" ? { body: { archiveReason: "" } } : {}),
    });

  test("begins with the percentages of the program; a ramp is no drift, nor are other percentages a change", async () => {
    const resource = await made(args(three));
    await expectShares({ A: 10, B: 20, C: 30 });
    await ramp("B", 55);
    await expectNoDrift(resource, args(three));
    await expectQuiet(resource, args([rule("A", 1), rule("B", 2), rule("C", 3)]));
  });

  const bee = { ...b, name: "Bee" };
  const others = [rule("A", 11), rule("B", 0), rule("C", 31), rule("D", 4)];
  // Each by another route: one rule's own, its end, a rule more, and all of them. What moves which is in owned-percentages.test.ts.
  test.each<[string, JsonObject[], JsonObject]>([
    ["a condition of the ramped rule", [a, { ...b, conditions: [] }, c], { A: 10, B: 55, C: 30 }],
    ["another rule removed", [b, c], { B: 55, C: 30 }],
    ["all of it", [rule("D", 5), { ...c, conditions: [] }, bee], { D: 5, C: 30, Bee: 55 }],
    ["other percentages, and a rule more", others, { A: 10, B: 55, C: 30, D: 4 }],
  ])("code changes %s: no live percentage moves", async (_, changed, expected) => {
    for (const isRefreshed of [false, true]) {
      let resource = await made(args(three));
      await ramp("B", 55);
      if (isRefreshed) resource = await refreshed(resource);
      await expectChange(resource, args(changed));
      resource = await subject.update(resource, args(changed));
      await expectShares(expected);
      resource = await expectNoDrift(resource, args(changed));
      await ramp("C", 77);
      const twice = args(changed, { description: "Ramped twice" });
      resource = await subject.update(resource, twice);
      await expectShares({ ...expected, C: 77 });
      await expectNoDrift(resource, twice);
    }
  });

  test("real drift of a rule is seen, with no percentage in it, and put right without one", async () => {
    const resource = await made(args(three));
    const changed = (await listOf(key)).map((one) => ({ ...one, passPercentage: 99, conditions: [] }));
    await edit(key, { rules: changed });
    const seen = await refreshed(resource);
    expect(seen.inputs.rules).toMatchObject(three.map((one) => ({ ...one, conditions: [] })));
    const updated = await subject.update(seen, args(three));
    await expectShares({ A: 99, B: 99, C: 99 });
    expect(await listOf(key)).toMatchObject(three.map(({ conditions }) => ({ conditions })));
    await expectNoDrift(updated, args(three));
  });

  test("owned from now on, the live percentages stay; owned no more, a refresh shows them and the program counts", async () => {
    const plain = { key, rules: three };
    const resource = await made(plain);
    await ramp("B", 55);
    await expectChange(resource, args(three));
    const owned = await subject.update(resource, args(three));
    await expectShares({ A: 10, B: 55, C: 30 });
    const given = await subject.update(owned, plain);
    await expectShares({ A: 10, B: 55, C: 30 });
    const seen = await refreshed(given);
    await expectChange(seen, plain);
    await subject.update(seen, plain);
    await expectShares({ A: 10, B: 20, C: 30 });
  });

  test("adopted, an object keeps its percentages", async () => {
    await made({ key, rules: [rule("A", 90), rule("B", 91)] });
    subject.nextRun();
    const adopted = await subject.up(args(three, { adopt: true }));
    await expectShares({ A: 90, B: 91, C: 30 });
    await expectNoDrift(adopted, args(three, { adopt: true }));
  });

  test("brought back from the archive by a new resource, it begins with those of the program", async () => {
    const first = await made(args(three));
    await ramp("B", 55);
    await subject.destroy(first);
    subject.nextRun();
    const again = await subject.up(args(three));
    await expectShares({ A: 10, B: 20, C: 30 });
    await expectNoDrift(again, args(three));
  });

  test("a rollout that people stopped stays stopped, where the console owns the status", async () => {
    const owned = args(three, { ...both, isEnabled: true });
    let resource = await made(owned);
    await status("disable");
    await expectNoDrift(resource, owned);
    resource = await subject.update(resource, { ...owned, description: "Other", isEnabled: false });
    await status("enable");
    resource = await subject.update(resource, { ...owned, description: "Another" });
    expect(await live(key)).toMatchObject({ isEnabled: true, description: "Another" });
    await status("disable");
    const silent = args(three, { ...both, description: "Silent" });
    resource = await subject.update(resource, silent);
    expect(await live(key)).toMatchObject({ isEnabled: false });
    await expectNoDrift(resource, silent);
    // Archived is drift all the same.
    await status("archive");
    await expectChange(await refreshed(resource), silent);
  });
});

test.each<JsonObject>([{ isEnabled: false }, { status: "Disabled" }])(
  "a launched gate stays launched where the console owns the status, although the program says %j",
  async (said) => {
    await start(catalog.gate);
    const owned = args(three, { ...said, ...both });
    const made = await subject.up(owned);
    await subject.raw.gate.launch({ id: key });
    await expectNoDrift(made, owned);
    const updated = await subject.update(made, { ...owned, description: "Launched" });
    expect(await live(key)).toMatchObject({ status: "Launched", description: "Launched" });
    await expectNoDrift(updated, { ...owned, description: "Launched" });
  },
);

test.each<JsonObject>([{ status: "In Progress" }, { isEnabled: true }])(
  "archived by somebody, a gate that says %j is brought back; archived by the program, it stays so until that says otherwise, although the console owns the status",
  async (said) => {
    await start(catalog.gate);
    const owned = args(three, { ...said, owns: { status: "console" } });
    const back = async (archived: Resource) => {
      await expectChange(archived, owned);
      const updated = await subject.update(archived, owned);
      expect(await live(key)).toMatchObject({ status: "In Progress", isEnabled: true });
      return expectNoDrift(updated, owned);
    };
    const made = await subject.up(owned);
    await archive();
    const seen = await back(await refreshed(made));
    await subject.raw.gate.disable({ id: key });
    const archiving = { ...owned, isEnabled: undefined, status: "Archived" };
    await expectChange(seen, archiving);
    const archived = await subject.update(seen, archiving);
    expect(await live(key)).toMatchObject({ status: "Archived" });
    await back(await expectNoDrift(archived, archiving));
  },
);

test("variants of a rule of a config keep the shares that people gave them", async () => {
  await start(catalog.dynamicConfig);
  const variants = (one: number, other: number) => [
    { name: "one", passPercentage: one, returnValue: { n: 1 } },
    { name: "other", passPercentage: other, returnValue: { n: 2 } },
  ];
  const first = rule("A", 10, { variants: variants(50, 50) });
  const made = await subject.up(args([first, b]));
  const [liveA, liveB] = await listOf(key);
  const ramped = ((liveA?.variants ?? []) as JsonObject[]).map((one, at) => ({
    ...one,
    passPercentage: [70, 30][at],
  }));
  await edit(key, { rules: [{ ...liveA, variants: ramped }, liveB] });
  await expectNoDrift(made, args([first, b]));
  const next = args([b, { ...first, name: "Renamed" }]);
  const updated = await subject.update(made, next);
  expect((await listOf(key))[1]).toMatchObject({ name: "Renamed", variants: variants(70, 30) });
  await expectNoDrift(updated, next);
});

test("a state without the option, as an earlier version wrote it, takes it on without a write", async () => {
  await start(catalog.gate);
  const made = await subject.up({ key, rules: three });
  await ramp("B", 55);
  const { __format: _, ...old } = made.outputs;
  subject.emulator.clearRequests();
  const updated = await subject.update({ ...made, outputs: old }, args(three));
  expect(subject.writes()).toEqual([]);
  await expectNoDrift(updated, args(three));
});

test("a percentage that people move while rules are sent whole may be put back, which is told; one rule's own route leaves it", async () => {
  let meanwhile: (() => Promise<void>) | undefined;
  await start(catalog.gate, {
    through: (transport) => ({
      async send(request) {
        const act = request.method === "PATCH" ? meanwhile : undefined;
        if (act !== undefined) meanwhile = undefined;
        await act?.();
        return transport.send(request);
      },
    }),
  });
  const made = await subject.up(args(three));
  meanwhile = () => ramp("B", 55);
  const one = [{ ...a, conditions: [] }, b, c];
  const updated = await subject.update(made, args(one));
  await expectShares({ A: 10, B: 55, C: 30 });
  expect(subject.lines).toEqual([]);
  meanwhile = () => ramp("B", 66);
  await subject.update(updated, args(one.toReversed()));
  await expectShares({ C: 30, B: 55, A: 10 });
  expect(subject.lines).toEqual([
    expect.stringContaining("while its rules were being sent (version 3 to 5)"),
  ]);
});
