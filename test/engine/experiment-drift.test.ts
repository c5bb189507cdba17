import { beforeEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { failureAt } from "../laws/failure-at";
import {
  expectChange,
  expectQuiet,
  fault,
  listOf,
  live,
  refreshed,
  sent,
  start,
  staysQuiet,
  subject,
  updated,
} from "../laws/harness";
import { asking, colours, group, id, type State, walk, waysTo } from "./experiments";

beforeEach(() => start(catalog.experiment));

const disabledOf = async () => (await listOf(id, "groups")).map(({ disabled }) => disabled);
const { status: _, ...silent } = asking("setup");

describe("fields in each state", () => {
  test.each<State>(["setup", "active"])("change in %s", async (status) => {
    const made = await subject.up(asking(status));
    const args = asking(status, { description: "New", allocation: 10 });
    const updated = await subject.update(made, args);
    expect(await live(id)).toMatchObject({ status, description: "New", allocation: 10 });
    await expectQuiet(updated, args);
  });

  test.each<State>(["decision_made", "abandoned"])("are refused in %s", async (status) => {
    const made = await subject.up(asking(status, { description: "Old" }));
    expect(await subject.problems(asking(status, { description: "New" }), made.inputs)).toEqual([
      { property: "description", reason: expect.stringContaining("changes no more") },
    ]);
  });

  test("that check cannot compare are refused by the engine, before anything is sent", async () => {
    const made = await subject.up(silent);
    await walk(waysTo.abandoned);
    subject.emulator.clearRequests();
    await expect(subject.update(made, { ...silent, description: "New" })).rejects.toThrow(
      /is "abandoned" in the console\. description: changes no more/,
    );
    expect(sent()).toEqual([]);
  });

  test("the id type changes in setup, is refused later, and replaces where the program says so: archived, then made anew", async () => {
    const made = await subject.up(asking("setup", { idType: "userID" }));
    const other = await subject.update(made, asking("setup", { idType: "stableID" }));
    const started = await subject.update(other, asking("active", { idType: "stableID" }));
    const back = (status: State, more: JsonObject = {}) => asking(status, { idType: "userID", ...more });
    expect(await subject.problems(back("active"), started.inputs)).toEqual([
      { property: "idType", reason: expect.stringMatching(/changes in "setup" only.*onImmutableChange/) },
    ]);
    const replacing = back("setup", { onImmutableChange: "replace" });
    expect((await subject.diff(started, replacing)).replaces).toEqual(["idType"]);
    await subject.destroy(started);
    await subject.up(replacing);
    expect(await live(id)).toMatchObject({ idType: "userID", status: "setup", startTime: null });
  });

  test("sent on the way: before the start, and after a reset", async () => {
    const made = await subject.up(asking("setup"));
    sent();
    const started = await subject.update(made, asking("active", { description: "New" }));
    expect(sent()).toEqual(["patch", "start"]);
    const anew = { description: "Old", allowReset: true, decisionReason: "Anew" };
    await subject.update(started, asking("setup", anew));
    expect(sent()).toEqual(["abandon", "reset", "patch"]);
  });
});

describe("groups", () => {
  const off = (...disabledGroups: string[]) => asking("active", { disabledGroups });

  test("are switched off and on, one request each way, and stay so when another thing changes", async () => {
    let resource = await subject.up(asking("active"));
    sent();
    resource = await subject.update(resource, off("Test"));
    const ids = async () => (await listOf(id, "groups")).map((one) => [one.id, one.disabled]);
    const before = await ids();
    const groups = colours.groups.map((one) => ({ ...one, description: "New" }));
    resource = await subject.update(resource, { ...off("Test"), groups });
    expect(await ids()).toEqual(before);
    resource = await subject.update(resource, { ...off("Control"), groups });
    expect(sent()).toEqual(["disableGroups", "patch", "disableGroups", "enableGroups"]);
    expect(await disabledOf()).toEqual([true, false]);
    resource = await subject.update(resource, { ...asking("active"), groups });
    expect(await disabledOf()).toEqual([false, false]);
    await expectQuiet(resource, { ...asking("active"), groups });
  });

  test("of a new name can be the control group at once", async () => {
    const made = await subject.up(asking("setup", { controlGroup: "Control" }));
    const args = asking("setup", { groups: [group("Base"), group("Test")], controlGroup: "Base" });
    const updated = await subject.update(made, args);
    expect((await live(id)).controlGroupID).toBe((await listOf(id, "groups"))[0]?.id);
    expect(updated.outputs.controlGroup).toBe("Base");
    await expectQuiet(updated, args);
  });

  test.each<[string, JsonObject, string, RegExp]>([
    ["sizes", { groups: [group("a", 50), group("b", 49)] }, "groups", /add up to 99/],
    ["twins", { groups: [group("a", 50), group("a", 50)] }, "groups[1].name", /unique/],
    ["a stranger off", { disabledGroups: ["Nobody"] }, "disabledGroups[0]", /is no group/],
    ["a strange control", { controlGroup: "Nobody" }, "controlGroup", /there are "Control", "Test"/],
    ["a group shipped undecided", { launchedGroup: "Test" }, "launchedGroup", /decision_made/],
  ])("are checked: %s", async (_, more, property, reason) => {
    const args = asking("setup", more);
    expect(await subject.problems(args)).toEqual([failureAt(property, reason, args[property])]);
  });

  test("may have sizes that are rounded", async () => {
    await subject.up(asking("setup", { groups: ["a", "b", "c"].map((name) => group(name, 33.33)) }));
    expect(await listOf(id, "groups")).toHaveLength(3);
  });
});

describe("drift", () => {
  test("started in the console: refresh shows it, and the way back is refused with the legal ones", async () => {
    const made = await subject.up(asking("setup"));
    await walk("start");
    const { inputs } = await refreshed(made);
    expect(inputs.status).toBe("active");
    expect((await subject.problems(asking("setup"), inputs))[0]?.reason).toMatch(
      /has been started.*"abandoned", "decision_made", "archived"; with allowReset: true/,
    );
    // Without a refresh only the engine can see it, and undoes nothing that a preview did not name.
    const args = asking("setup", { description: "New" });
    const updated = await subject.update(made, args);
    expect(updated.outputs).toMatchObject({ description: "New" });
    expect((await live(id)).status).toBe("active");
    await expectQuiet(updated, args);
    expect(subject.lines).toContainEqual(
      expect.stringContaining('experiment "colours": status changed in the console since the last refresh'),
    );
  });

  test("abandoned in the console: refused; not yet started there: healed", async () => {
    const made = await subject.up(asking("active"));
    await walk("abandon");
    const { inputs } = await refreshed(made);
    expect((await subject.problems(asking("active"), inputs))[0]?.reason).toMatch(
      /has ended without a decision/,
    );
    await walk("reset");
    const again = await refreshed(made);
    expect(again.inputs.status).toBe("setup");
    await expectQuiet(await subject.update(again, asking("active")), asking("active"));
  });

  test("a group switched off in the console is switched on again", async () => {
    const args = asking("active", { disabledGroups: [] });
    const made = await subject.up(args);
    await subject.raw.experiment.disableGroups({ id, body: { group_names: ["Test"] } });
    const found = await refreshed(made);
    expect(found.inputs.disabledGroups).toEqual(["Test"]);
    await expectChange(found, args);
    await subject.update(found, args);
    expect(await disabledOf()).toEqual([false, false]);
  });

  test("another group shipped than the program says is refused: decisions are final", async () => {
    const made = await subject.up(asking("decision_made"));
    const other = asking("decision_made", { launchedGroup: "Control" });
    expect(await subject.problems(other, made.inputs)).toEqual([
      { property: "launchedGroup", reason: expect.stringMatching(/has ended with a decision/) },
    ]);
  });
});

test("a running experiment that is there already is taken over as it is, and not brought back to setup", async () => {
  await subject.raw.experiment.create({ body: { name: id, groups: colours.groups, status: "active" } });
  subject.emulator.clearRequests();
  await expect(subject.up(asking("setup", { adopt: true }))).rejects.toThrow(/from "active" to "setup"/);
  const args = asking("active", { adopt: true });
  const made = await subject.up(args);
  expect(sent()).toEqual([]);
  await expectQuiet(made, args);
});

test.each<State>(["active", "decision_made", "abandoned"])(
  "answers that are lost on the way to %s are looked at",
  async (to) => {
    fault({ method: "PUT", reset: "after", times: 2 });
    const made = await subject.up(asking(to));
    expect(await live(id)).toMatchObject({ status: to });
    await expectQuiet(made, asking(to));
  },
);

test("a move that the console refuses for good fails, and the next up goes on from there", async () => {
  const message = "A policy of the project";
  fault({ method: "PUT", status: 400, body: { status: 400, message } });
  await expect(subject.up(asking("active"))).rejects.toThrow(message);
  expect((await live(id)).status).toBe("setup");
});

const sidecar = {
  sidecarURLFilters: [{ type: "contains", value: "/shop" }],
  sidecarPrerunScript: "start()",
  sidecarDisableAutoRun: true,
};

test("[A4] what is only read of a group is not sent", async () => {
  const marks = { isControl: true, shipped: false, images: [{ url: "a" }], foreignGroupIDVerified: true };
  const groups = [
    { ...group("Control"), ...marks, id: "g1" },
    { ...group("Test"), id: "g2" },
  ];
  await start(catalog.experiment, { seed: { experiments: [{ id: "marked", name: "marked", groups }] } });
  const args = (control: JsonObject) => ({ key: "marked", groups: [control, group("Test")], adopt: true });
  const made = await subject.up(args(group("Control")));
  expect(made.outputs.groups).toMatchObject([marks, {}]);
  const problems = await subject.problems(args({ ...group("Control"), ...marks }));
  expect(problems.map(({ reason }) => reason)).toEqual(
    Object.keys(marks).map((member) => `groups[0].${member}: set by the console; leave it out`),
  );
});

test("[R4] what the visual editor copies into the values of groups is no difference, and is not sent there", async () => {
  await start(catalog.experiment);
  const control = (a: number) => group("Control", 50, { a });
  const own = group("Test", 50, { a: 2, sidecarPrerunScript: "another()" });
  const args = { key: "edited", isSidecar: true, ...sidecar, groups: [control(1), own] };
  const made = await subject.up(args);
  expect((await listOf("edited", "groups"))[1]?.parameterValues).toEqual({
    ...{ a: 2, ...sidecar, sidecarExperimentName: expect.any(String) },
  });
  await staysQuiet(made, args);
  await updated(made, { ...args, groups: [control(3), group("Test", 50, { a: 2 })] });
});
