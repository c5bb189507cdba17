import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { failureAt } from "../laws/failure-at";
import { quiet } from "../laws/quiet";
import { type Subject, startSubject } from "../laws/subject";
import { asking, colours, id, live, walk, waysTo, writes } from "./experiments";

let subject: Subject;
beforeEach(async () => {
  subject = await startSubject(catalog.experiment);
});
afterEach(() => subject.close());

describe("fields in each state", () => {
  test.each(["setup", "active"] as const)("change in %s", async (status) => {
    const made = await subject.up(asking(status));
    const args = asking(status, { description: "New", allocation: 10 });
    const updated = await subject.update(made, args);
    expect(await live(subject.raw)).toMatchObject({ status, description: "New", allocation: 10 });
    expect(await subject.diff(updated, args)).toEqual(quiet);
  });

  test.each(["decision_made", "abandoned", "archived"] as const)("are refused in %s", async (status) => {
    const made = await subject.up(asking(status, { description: "Old" }));
    const args = asking(status, { description: "New" });
    const problems = await subject.problems(args, made.inputs);
    expect(problems).toEqual([
      { property: "description", reason: expect.stringContaining("changes no more") },
    ]);
  });

  test("that check cannot compare are refused by the engine, before anything is sent", async () => {
    const { status: _, ...silent } = asking("setup");
    const made = await subject.up(silent);
    await walk(subject.raw, waysTo.abandoned);
    subject.emulator.clearRequests();
    await expect(subject.update(made, { ...silent, description: "New" })).rejects.toThrow(
      /is "abandoned" in the console\. description: changes no more/,
    );
    expect(writes(subject.emulator)).toEqual([]);
  });

  test("the id type changes in setup, is refused later, and replaces where the program says so", async () => {
    const made = await subject.up(asking("setup", { idType: "userID" }));
    const other = await subject.update(made, asking("setup", { idType: "stableID" }));
    const started = await subject.update(other, asking("active", { idType: "stableID" }));
    const back = asking("active", { idType: "userID" });
    expect(await subject.problems(back, started.inputs)).toEqual([
      { property: "idType", reason: expect.stringMatching(/changes in "setup" only.*onImmutableChange/) },
    ]);
    const replacing = { ...back, onImmutableChange: "replace" };
    expect((await subject.diff(started, replacing)).replaces).toEqual(["idType"]);
  });

  test("sent on the way: before the start, and after a reset", async () => {
    const made = await subject.up(asking("setup"));
    subject.emulator.clearRequests();
    const started = await subject.update(made, asking("active", { description: "New" }));
    expect(writes(subject.emulator)).toEqual(["patch", "start"]);
    subject.emulator.clearRequests();
    const args = asking("setup", { description: "Old", allowReset: true, decisionReason: "Anew" });
    await subject.update(started, args);
    expect(writes(subject.emulator)).toEqual(["abandon", "reset", "patch"]);
  });
});

describe("groups", () => {
  test("are switched off and on, one request each way", async () => {
    const made = await subject.up(asking("active"));
    subject.emulator.clearRequests();
    const off = await subject.update(made, asking("active", { disabledGroups: ["Test"] }));
    const turned = await subject.update(off, asking("active", { disabledGroups: ["Control"] }));
    expect(writes(subject.emulator)).toEqual(["disableGroups", "disableGroups", "enableGroups"]);
    expect((await live(subject.raw)).groups).toMatchObject([{ disabled: true }, { disabled: false }]);
    const on = await subject.update(turned, asking("active"));
    expect((await live(subject.raw)).groups).toMatchObject([{ disabled: false }, { disabled: false }]);
    expect(await subject.diff(on, asking("active"))).toEqual(quiet);
  });

  test("keep id and switch when another changes", async () => {
    const made = await subject.up(asking("active", { disabledGroups: ["Test"] }));
    const before = (await live(subject.raw)).groups as JsonObject[];
    const groups = (colours.groups as JsonObject[]).map((group) => ({ ...group, description: "New" }));
    await subject.update(made, asking("active", { groups, disabledGroups: ["Test"] }));
    const after = (await live(subject.raw)).groups as JsonObject[];
    expect(after.map((group) => [group.id, group.disabled])).toEqual(
      before.map((group) => [group.id, group.disabled]),
    );
  });

  test("of a new name can be the control group at once", async () => {
    const made = await subject.up(asking("setup", { controlGroup: "Control" }));
    const groups = [
      { name: "Base", size: 50, parameterValues: {} },
      { name: "Test", size: 50, parameterValues: {} },
    ];
    const args = asking("setup", { groups, controlGroup: "Base" });
    const updated = await subject.update(made, args);
    const { controlGroupID, groups: found } = await live(subject.raw);
    expect(controlGroupID).toBe((found as JsonObject[])[0]?.id);
    expect(updated.outputs.controlGroup).toBe("Base");
    expect(await subject.diff(updated, args)).toEqual(quiet);
  });

  const group = (name: string, size: number) => ({ name, size, parameterValues: {} });
  test.each<[string, JsonObject, string, RegExp]>([
    ["sizes", { groups: [group("a", 50), group("b", 49)] }, "groups", /add up to 99/],
    ["twins", { groups: [group("a", 50), group("a", 50)] }, "groups[1].name", /unique/],
    ["a stranger off", { disabledGroups: ["Nobody"] }, "disabledGroups[0]", /is no group/],
    ["a strange control", { controlGroup: "Nobody" }, "controlGroup", /there are "Control", "Test"/],
    ["a group shipped undecided", { launchedGroup: "Test" }, "launchedGroup", /decision_made/],
  ])("are checked: %s", async (_, more, property, reason) => {
    const args: JsonObject = asking("setup", more);
    expect(await subject.problems(args)).toEqual([failureAt(property, reason, args[property])]);
  });

  test("may have sizes that are rounded", async () => {
    const groups = ["a", "b", "c"].map((name) => group(name, 33.33));
    await subject.up(asking("setup", { groups }));
    expect((await live(subject.raw)).groups).toHaveLength(3);
  });
});

describe("drift", () => {
  test("started in the console: refresh shows it, and the way back is refused with the legal ones", async () => {
    const made = await subject.up(asking("setup"));
    await walk(subject.raw, ["start"]);
    const found = await subject.refresh(made);
    expect(found?.inputs.status).toBe("active");
    expect((await subject.problems(asking("setup"), found?.inputs ?? {}))[0]?.reason).toMatch(
      /has been started.*"abandoned", "decision_made", "archived"; with allowReset: true/,
    );
    // Without a refresh only the engine can see it, and undoes nothing that a preview did not name.
    const updated = await subject.update(made, asking("setup", { description: "New" }));
    expect(updated.outputs).toMatchObject({ description: "New" });
    expect((await live(subject.raw)).status).toBe("active");
    expect(await subject.diff(updated, asking("setup", { description: "New" }))).toEqual(quiet);
    expect(subject.lines).toContainEqual(
      expect.stringContaining('experiment "colours": status changed in the console since the last refresh'),
    );
  });

  test("abandoned in the console: refused; not yet started there: healed", async () => {
    const made = await subject.up(asking("active"));
    await walk(subject.raw, ["abandon"]);
    const found = await subject.refresh(made);
    expect((await subject.problems(asking("active"), found?.inputs ?? {}))[0]?.reason).toMatch(
      /has ended without a decision/,
    );
    await walk(subject.raw, ["reset"]);
    const again = await subject.refresh(made);
    expect(again?.inputs.status).toBe("setup");
    const healed = await subject.update(again ?? made, asking("active"));
    expect(await subject.diff(healed, asking("active"))).toEqual(quiet);
  });

  test("a group switched off in the console is switched on again", async () => {
    const args = asking("active", { disabledGroups: [] });
    const made = await subject.up(args);
    await subject.raw.experiment.disableGroups({ id, body: { group_names: ["Test"] } });
    const found = await subject.refresh(made);
    expect(found?.inputs.disabledGroups).toEqual(["Test"]);
    expect((await subject.diff(found ?? made, args)).quiet).toBe(false);
    await subject.update(found ?? made, args);
    expect((await live(subject.raw)).groups).toMatchObject([{ disabled: false }, { disabled: false }]);
  });

  test("another group shipped than the program says is refused: decisions are final", async () => {
    const made = await subject.up(asking("decision_made"));
    const other = asking("decision_made", { launchedGroup: "Control" });
    expect(await subject.problems(other, made.inputs)).toEqual([
      { property: "launchedGroup", reason: expect.stringMatching(/has ended with a decision/) },
    ]);
  });
});

describe("what is there already", () => {
  test("is taken over as it is, running", async () => {
    await subject.raw.experiment.create({ body: { name: id, groups: colours.groups, status: "active" } });
    subject.emulator.clearRequests();
    const args = asking("active", { adopt: true });
    const made = await subject.up(args);
    expect(writes(subject.emulator)).toEqual([]);
    expect(await subject.diff(made, args)).toEqual(quiet);
  });

  test("is not brought back to setup", async () => {
    await subject.raw.experiment.create({ body: { name: id, groups: colours.groups, status: "active" } });
    subject.emulator.clearRequests();
    await expect(subject.up(asking("setup", { adopt: true }))).rejects.toThrow(/from "active" to "setup"/);
    expect(writes(subject.emulator)).toEqual([]);
  });

  test("gives way where a locked field replaces it: archived, then made anew under the same key", async () => {
    const more = { onImmutableChange: "replace", idType: "userID" };
    const made = await subject.up(asking("active", more));
    const args = asking("setup", { ...more, idType: "stableID" });
    expect((await subject.diff(made, args)).replaces).toEqual(["idType"]);
    await subject.destroy(made);
    await subject.up(args);
    expect(await live(subject.raw)).toMatchObject({ idType: "stableID", status: "setup", startTime: null });
  });
});

describe("lost answers", () => {
  test.each(["active", "decision_made", "abandoned"] as const)(
    "on the way to %s are looked at",
    async (to) => {
      subject.emulator.addFaults([{ method: "PUT", reset: "after", times: 2 }]);
      const made = await subject.up(asking(to));
      expect(await live(subject.raw)).toMatchObject({ status: to });
      expect(await subject.diff(made, asking(to))).toEqual(quiet);
    },
  );

  test("a move that the console refuses for good fails, and the next up goes on from there", async () => {
    const body = { status: 400, message: "A policy of the project" };
    subject.emulator.addFaults([{ method: "PUT", status: 400, body, times: 1 }]);
    await expect(subject.up(asking("active"))).rejects.toThrow(/A policy of the project/);
    expect((await live(subject.raw)).status).toBe("setup");
  });
});

test("destroy archives with the reason, deletes or leaves", async () => {
  const made = await subject.up(asking("active", { archiveReason: "Done" }));
  await subject.destroy(made);
  expect((await live(subject.raw)).status).toBe("archived");
  expect(subject.emulator.requests.at(-2)).toMatchObject({ route: "archive" });
});
