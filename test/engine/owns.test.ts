import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Resource, type Subject, startSubject } from "../laws/subject";

const rule = (name: string, passPercentage: number, more: JsonObject = {}) => ({
  name,
  passPercentage,
  conditions: [{ type: "email", operator: "str_contains_any", targetValue: [`@${name}`] }],
  ...more,
});
const [a, b, c] = [rule("A", 10), rule("B", 20), rule("C", 30)] as const;
const three: JsonObject[] = [a, b, c];
const args = (rules: JsonObject[], more: JsonObject = {}) => ({
  key: "flag_one",
  owns: { rollout: "console" },
  rules,
  ...more,
});

let subject: Subject;
afterEach(() => subject.close());

type Kind = "gate" | "dynamicConfig";
const bothKinds: [Kind][] = [["gate"], ["dynamicConfig"]];

const objects = (list: unknown) => list as JsonObject[];
const liveOf = async (kind: Kind, id = "flag_one") =>
  (await subject.raw[kind].get({ id })) as unknown as JsonObject;
const shares = async (kind: Kind = "gate") =>
  Object.fromEntries(
    objects((await liveOf(kind)).rules).map(({ name, passPercentage }) => [name, passPercentage]),
  );
const ramp = async (kind: Kind, name: string, passPercentage: number) => {
  const found = objects((await liveOf(kind)).rules).find((one) => one.name === name);
  const ids = { ruleID: String(found?.id), ruleId: String(found?.id) };
  await subject.raw[kind].patchRule({ id: "flag_one", ...ids, body: { passPercentage } });
};

async function expectQuiet(resource: Resource, wanted: JsonObject): Promise<Resource> {
  expect(await subject.diff(resource, wanted)).toEqual({ quiet: true, replaces: [] });
  const refreshed = (await subject.refresh(resource)) as Resource;
  // What Pulumi's engine asks of a refresh: what was read, and the arguments of last time.
  const { changes } = await subject.calls().diff(resource.id, refreshed.outputs, resource.inputs);
  expect(changes).toBe("none");
  expect(refreshed.inputs.rules).toEqual(resource.inputs.rules);
  expect(await subject.diff(refreshed, wanted)).toEqual({ quiet: true, replaces: [] });
  return refreshed;
}

describe.each(bothKinds)("%s whose rollout the console owns", (kind) => {
  test("begins with the percentages of the program, and a ramp is no drift", async () => {
    subject = await startSubject(catalog[kind]);
    const made = await subject.up(args(three));
    expect(await shares(kind)).toEqual({ A: 10, B: 20, C: 30 });
    await ramp(kind, "B", 55);
    await expectQuiet(made, args(three));
  });

  // Each by another route: one rule's own, its end, a rule more, and all of them. What moves which is in owned-percentages.test.ts.
  test.each<[string, JsonObject[], JsonObject]>([
    ["a condition of the ramped rule", [a, { ...b, conditions: [] }, c], { A: 10, B: 55, C: 30 }],
    ["another rule removed", [b, c], { B: 55, C: 30 }],
    ["the ramped rule renamed", [a, { ...b, name: "Bee" }, c], { A: 10, Bee: 55, C: 30 }],
    ["all of it", [rule("D", 5), { ...c, conditions: [] }, { ...b, name: "Bee" }], { D: 5, C: 30, Bee: 55 }],
    [
      "other percentages, and a rule more",
      [rule("A", 11), rule("B", 0), rule("C", 31), rule("D", 4)],
      { A: 10, B: 55, C: 30, D: 4 },
    ],
  ])("code changes %s: no live percentage moves", async (_, changed, expected) => {
    for (const isRefreshed of [false, true]) {
      subject = await startSubject(catalog[kind]);
      let resource = await subject.up(args(three));
      await ramp(kind, "B", 55);
      if (isRefreshed) resource = (await subject.refresh(resource)) as Resource;
      expect(await subject.diff(resource, args(changed))).toMatchObject({ quiet: false });
      resource = await subject.update(resource, args(changed));
      expect(await shares(kind)).toEqual(expected);
      resource = await expectQuiet(resource, args(changed));
      await ramp(kind, "C", 77);
      resource = await subject.update(resource, args(changed, { description: "Ramped twice" }));
      expect(await shares(kind)).toEqual({ ...expected, C: 77 });
      await expectQuiet(resource, args(changed, { description: "Ramped twice" }));
      if (!isRefreshed) await subject.close();
    }
  });

  test("a change of percentages alone is none", async () => {
    subject = await startSubject(catalog[kind]);
    const made = await subject.up(args(three));
    expect(await subject.diff(made, args([rule("A", 1), rule("B", 2), rule("C", 3)]))).toMatchObject({
      quiet: true,
    });
  });

  test("real drift of a rule is seen, with no percentage in it, and put right without one", async () => {
    subject = await startSubject(catalog[kind]);
    const made = await subject.up(args(three));
    const rules = (await liveOf(kind)).rules as JsonObject[];
    await subject.raw[kind].patch({
      id: "flag_one",
      body: { rules: rules.map((one) => ({ ...one, passPercentage: 99, conditions: [] })) },
    });
    const refreshed = (await subject.refresh(made)) as Resource;
    expect(refreshed.inputs.rules).toMatchObject([
      { passPercentage: 10, conditions: [] },
      { passPercentage: 20, conditions: [] },
      { passPercentage: 30, conditions: [] },
    ]);
    const updated = await subject.update(refreshed, args(three));
    expect(await shares(kind)).toEqual({ A: 99, B: 99, C: 99 });
    expect((await liveOf(kind)).rules).toMatchObject(three.map(({ conditions }) => ({ conditions })));
    await expectQuiet(updated, args(three));
  });

  test("owned from now on, the live percentages stay; owned no more, a refresh shows them and the program counts", async () => {
    subject = await startSubject(catalog[kind]);
    const plain = { key: "flag_one", rules: three };
    const made = await subject.up(plain);
    await ramp(kind, "B", 55);
    expect(await subject.diff(made, args(three))).toMatchObject({ quiet: false });
    const owned = await subject.update(made, args(three));
    expect(await shares(kind)).toMatchObject({ B: 55 });
    const given = await subject.update(owned, plain);
    expect(await shares(kind)).toMatchObject({ B: 55 });
    const refreshed = (await subject.refresh(given)) as Resource;
    expect(await subject.diff(refreshed, plain)).toMatchObject({ quiet: false });
    await subject.update(refreshed, plain);
    expect(await shares(kind)).toMatchObject({ B: 20 });
  });

  test("adopted, an object keeps its percentages", async () => {
    subject = await startSubject(catalog[kind]);
    await subject.up({ key: "flag_one", rules: [rule("A", 90), rule("B", 91)] });
    subject.nextRun();
    const adopted = await subject.up(args(three, { adopt: true }));
    expect(await shares(kind)).toEqual({ A: 90, B: 91, C: 30 });
    await expectQuiet(adopted, args(three, { adopt: true }));
  });

  test("brought back from the archive by a new resource, it begins with those of the program", async () => {
    subject = await startSubject(catalog[kind]);
    const made = await subject.up(args(three));
    await ramp(kind, "B", 55);
    await subject.destroy(made);
    subject.nextRun();
    const again = await subject.up(args(three));
    expect(await shares(kind)).toEqual({ A: 10, B: 20, C: 30 });
    await expectQuiet(again, args(three));
  });

  test("a rollout that people stopped stays stopped, where the console owns the status", async () => {
    subject = await startSubject(catalog[kind]);
    const silent = args(three, { owns: { rollout: "console", status: "console" } });
    const owned = { ...silent, isEnabled: true };
    let resource = await subject.up(owned);
    await subject.raw[kind].disable({ id: "flag_one" });
    await expectQuiet(resource, owned);
    resource = await subject.update(resource, { ...owned, description: "Other", isEnabled: false });
    await subject.raw[kind].enable({ id: "flag_one" });
    resource = await subject.update(resource, { ...owned, description: "Another" });
    expect(await liveOf(kind)).toMatchObject({ isEnabled: true, description: "Another" });
    await subject.raw[kind].disable({ id: "flag_one" });
    resource = await subject.update(resource, { ...silent, description: "Silent" });
    expect(await liveOf(kind)).toMatchObject({ isEnabled: false });
    await expectQuiet(resource, { ...silent, description: "Silent" });
    // Archived is drift all the same.
    await subject.raw[kind].archive({ id: "flag_one", body: { archiveReason: "" } });
    const archived = (await subject.refresh(resource)) as Resource;
    expect(await subject.diff(archived, { ...silent, description: "Silent" })).toMatchObject({
      quiet: false,
    });
  });

  test("says which owners there are, and which words", async () => {
    subject = await startSubject(catalog[kind]);
    const problems = await subject.problems(args(three, { owns: { rolout: "console", status: "me" } }));
    expect(problems.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('did you mean "rollout"?'),
      expect.stringContaining('"console"'),
    ]);
  });
});

test("a launched gate stays launched where the console owns the status, whatever the program says", async () => {
  subject = await startSubject(catalog.gate);
  for (const [key, more] of [
    ["by_flag", { isEnabled: false }],
    ["by_status", { status: "Disabled" }],
  ] as const) {
    const owned = {
      ...args(three, { ...more, owns: { rollout: "console", status: "console" } }),
      key,
      name: key,
    };
    const made = await subject.up(owned);
    await subject.raw.gate.launch({ id: key });
    await expectQuiet(made, owned);
    const updated = await subject.update(made, { ...owned, description: "Launched" });
    expect(await liveOf("gate", key)).toMatchObject({ status: "Launched", description: "Launched" });
    await expectQuiet(updated, { ...owned, description: "Launched" });
  }
});

test.each<JsonObject>([{ status: "In Progress" }, { isEnabled: true }])(
  "a gate that says %j and that somebody archived is brought back as the program says, although the console owns the status",
  async (said) => {
    subject = await startSubject(catalog.gate);
    const owned = args(three, { ...said, owns: { status: "console" } });
    const made = await subject.up(owned);
    await subject.raw.gate.archive({ id: "flag_one", body: { archiveReason: "" } });
    const archived = (await subject.refresh(made)) as Resource;
    expect(await subject.diff(archived, owned)).toMatchObject({ quiet: false });
    const updated = await subject.update(archived, owned);
    expect(await liveOf("gate")).toMatchObject({ status: "In Progress", isEnabled: true });
    await expectQuiet(updated, owned);
  },
);

test("a gate that the program archives is archived, although the console owns the status, and stays so until the program says otherwise", async () => {
  subject = await startSubject(catalog.gate);
  const owned = args(three, { status: "In Progress", owns: { status: "console" } });
  const made = await subject.up(owned);
  await subject.raw.gate.disable({ id: "flag_one" });
  const archiving = { ...owned, status: "Archived" };
  expect(await subject.diff(made, archiving)).toMatchObject({ quiet: false });
  const archived = await subject.update(made, archiving);
  expect(await liveOf("gate")).toMatchObject({ status: "Archived" });
  await expectQuiet(archived, archiving);
  const back = await subject.update(archived, owned);
  expect(await liveOf("gate")).toMatchObject({ status: "In Progress" });
  await expectQuiet(back, owned);
});

test("variants of a rule of a config keep the shares that people gave them", async () => {
  subject = await startSubject(catalog.dynamicConfig);
  const variants = (one: number, other: number) => [
    { name: "one", passPercentage: one, returnValue: { n: 1 } },
    { name: "other", passPercentage: other, returnValue: { n: 2 } },
  ];
  const wanted = args([rule("A", 10, { variants: variants(50, 50) }), rule("B", 20)]);
  const made = await subject.up(wanted);
  const rules = (await liveOf("dynamicConfig")).rules as JsonObject[];
  const ramped = objects(rules[0]?.variants).map((one, at) => ({
    ...one,
    passPercentage: at === 0 ? 70 : 30,
  }));
  await subject.raw.dynamicConfig.patch({
    id: made.id,
    body: { rules: [{ ...rules[0], variants: ramped }, rules[1]] },
  });
  await expectQuiet(made, wanted);
  const [first] = wanted.rules as JsonObject[];
  const next = args([rule("B", 20), { ...first, name: "Renamed" }]);
  const updated = await subject.update(made, next);
  expect(objects((await liveOf("dynamicConfig")).rules)[1]).toMatchObject({
    name: "Renamed",
    variants: [
      { name: "one", passPercentage: 70 },
      { name: "other", passPercentage: 30 },
    ],
  });
  await expectQuiet(updated, next);
});

test("a state without the option, as an earlier version wrote it, takes it on without a write", async () => {
  subject = await startSubject(catalog.gate);
  const made = await subject.up({ key: "flag_one", rules: three });
  await ramp("gate", "B", 55);
  const { __format: _, ...old } = made.outputs;
  subject.emulator.clearRequests();
  const updated = await subject.update({ ...made, outputs: old }, args(three));
  expect(subject.writes()).toEqual([]);
  await expectQuiet(updated, args(three));
});

test("a percentage that people move while rules are sent whole may be put back, which is told; one rule's own route leaves it", async () => {
  let meanwhile: () => Promise<void> = async () => {};
  subject = await startSubject(catalog.gate, {
    through: (transport) => ({
      async send(request) {
        if (request.method === "PATCH") await meanwhile();
        return transport.send(request);
      },
    }),
  });
  const made = await subject.up(args(three));
  meanwhile = () => {
    meanwhile = async () => {};
    return ramp("gate", "B", 55);
  };
  const one = [{ ...rule("A", 10), conditions: [] }, rule("B", 20), rule("C", 30)];
  const updated = await subject.update(made, args(one));
  expect(await shares()).toEqual({ A: 10, B: 55, C: 30 });
  expect(subject.lines).toEqual([]);
  meanwhile = () => {
    meanwhile = async () => {};
    return ramp("gate", "B", 66);
  };
  await subject.update(updated, args([...one].reverse()));
  expect(await shares()).toEqual({ C: 30, B: 55, A: 10 });
  expect(subject.lines).toEqual([
    expect.stringContaining("while its rules were being sent (version 3 to 5)"),
  ]);
});
