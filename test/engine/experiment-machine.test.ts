import { beforeEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { expectQuiet, live, refreshed, sent, start, subject } from "../laws/harness";
import type { Resource } from "../laws/subject";
import { asking, id, type State, states, stepsOf, walk, waysTo } from "./experiments";

beforeEach(() => start(catalog.experiment));

const expectState = async (status: State) => expect((await live(id)).status).toBe(status);

/** A resource whose experiment somebody brought to a state, as a refresh finds it. */
async function resourceIn(way: string): Promise<Resource> {
  const made = await subject.up(asking("setup"));
  await walk(way);
  const found = await refreshed(made);
  subject.emulator.clearRequests();
  return found;
}

/** What becomes of a change from each state to each, in the order of `states`: the operations that make it, or why it is refused. */
const table: Readonly<Record<State, readonly string[]>> = {
  setup: ["", "start", "start makeDecision", "start abandon", "archive"],
  active: ["illegal", "", "makeDecision", "abandon", "archive"],
  decision_made: ["loses results", "illegal", "", "illegal", "archive"],
  abandoned: ["loses results", "illegal", "illegal", "", "archive"],
  archived: ["unarchive", "unarchive start", "unarchive start makeDecision", "unarchive start abandon", ""],
};
const pairs = states.flatMap((from) =>
  states.map((to, at): [State, State, string] => [from, to, String(table[from][at])]),
);

test.each(pairs)("from %s to %s: %s", async (from, to, verdict) => {
  const resource = await resourceIn(waysTo[from]);
  const problems = await subject.problems(asking(to), resource.inputs);
  if (["illegal", "loses results"].includes(verdict)) {
    const way = verdict === "illegal" ? "can become" : 'allowReset: true .*"setup"';
    const reason = expect.stringMatching(new RegExp(`from "${from}" to.*(${way})`, "s"));
    expect(problems).toEqual([{ property: "status", reason }]);
    return;
  }
  expect(problems).toEqual([]);
  await subject.update(resource, asking(to));
  expect(sent()).toEqual(stepsOf(verdict));
  await expectState(to);
});

test.each<[State, State, string]>([
  ["active", "setup", "abandon reset"],
  ["decision_made", "setup", "reset"],
  ["decision_made", "active", "reset start"],
  ["decision_made", "abandoned", "reset start abandon"],
  ["abandoned", "setup", "reset"],
  ["abandoned", "active", "reset start"],
  ["abandoned", "decision_made", "reset start makeDecision"],
])("with allowReset, results may go: from %s to %s: %s", async (from, to, way) => {
  const resource = await resourceIn(waysTo[from]);
  const args = asking(to, { allowReset: true, decisionReason: "Again" });
  const updated = await subject.update(resource, args);
  expect(sent()).toEqual(stepsOf(way));
  await expectState(to);
  await expectQuiet(updated, args);
});

describe("what was archived comes back as it ended", () => {
  test.each<[State, string]>([
    ["decision_made", waysTo.decision_made],
    ["abandoned", waysTo.active],
    ["abandoned", waysTo.abandoned],
  ])("as %s after %s, and as nothing else, which only the engine can see", async (state, way) => {
    const resource = await resourceIn(`${way} archive`);
    expect(await subject.problems(asking("active"), resource.inputs)).toEqual([]);
    await expect(subject.update(resource, asking("active"))).rejects.toThrow(
      new RegExp(`is archived and would come back as "${state}".*From there it can become "archived"`),
    );
    expect(sent()).toEqual([]);
    await subject.update(resource, asking(state));
    expect(sent()).toEqual(["unarchive"]);
    await expectState(state);
  });

  test("a create finds it: refused, also of a program that is silent about the state, unless it lets the results go", async () => {
    await subject.destroy(await subject.up(asking("active")));
    await expectState("archived");
    const { status: _, ...silent } = asking("setup");
    for (const args of [asking("setup"), silent])
      await expect(subject.up(args)).rejects.toThrow(/would come back as "abandoned".*allowReset: true/);
    await expectState("archived");
    const made = await subject.up(asking("active", { allowReset: true }));
    await expectState("active");
    await subject.destroy(made);
    await subject.up({ ...silent, onImmutableChange: "replace" });
    expect(await live(id)).toMatchObject({ status: "setup", version: 1 });
  });
});

describe("a new experiment goes its whole way", () => {
  test.each(states)("to %s", async (to) => {
    const args = asking(to, { controlGroup: "Test", disabledGroups: ["Test"] });
    const made = await subject.up(args);
    expect(await live(id)).toMatchObject({
      status: to,
      groups: [{ disabled: false }, { name: "Test", disabled: true }],
      launchedGroupID: to === "decision_made" ? expect.any(String) : null,
    });
    await expectQuiet(made, args);
  });

  test("in the order that the console asks for", async () => {
    await subject.up(asking("decision_made", { controlGroup: "Test", disabledGroups: ["Control"] }));
    expect(sent()).toEqual(["create", "patch", "start", "disableGroups", "makeDecision"]);
  });

  test.each<[State, string]>([
    ["decision_made", "launchedGroup"],
    ["decision_made", "decisionReason"],
    ["abandoned", "decisionReason"],
  ])("%s needs %s", async (to, name) => {
    const reason = expect.stringMatching(new RegExp(`^${name}: missing; status "${to}"`));
    expect(await subject.problems(asking(to, { [name]: undefined }))).toEqual([{ property: "", reason }]);
  });
});
