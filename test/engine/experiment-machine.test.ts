import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { type Resource, type Subject, startSubject } from "../laws/subject";
import { asking, live, type State, type StepName, states, walk, waysTo, writes } from "./experiments";

const definition: ResourceDefinition = catalog.experiment;
let subject: Subject;
beforeEach(async () => {
  subject = await startSubject(definition);
});
afterEach(() => subject.close());

/** What becomes of a change of state: the operations that make it, or why it is refused. */
type Verdict = readonly StepName[] | "illegal" | "loses results";
const decide: Verdict = ["start", "makeDecision"];

const table: Readonly<Record<State, Readonly<Record<State, Verdict>>>> = {
  setup: {
    setup: [],
    active: ["start"],
    decision_made: decide,
    abandoned: ["start", "abandon"],
    archived: ["archive"],
  },
  active: {
    setup: "illegal",
    active: [],
    decision_made: ["makeDecision"],
    abandoned: ["abandon"],
    archived: ["archive"],
  },
  decision_made: {
    setup: "loses results",
    active: "illegal",
    decision_made: [],
    abandoned: "illegal",
    archived: ["archive"],
  },
  abandoned: {
    setup: "loses results",
    active: "illegal",
    decision_made: "illegal",
    abandoned: [],
    archived: ["archive"],
  },
  archived: {
    setup: ["unarchive"],
    active: ["unarchive", "start"],
    decision_made: ["unarchive", ...decide],
    abandoned: ["unarchive", "start", "abandon"],
    archived: [],
  },
};
const pairs = states.flatMap((from) =>
  states.map((to): [State, State, Verdict] => [from, to, table[from][to]]),
);

/** A resource whose experiment somebody brought to a state, as a refresh finds it. */
async function resourceIn(way: readonly StepName[]): Promise<Resource> {
  const made = await subject.up(asking("setup"));
  await walk(subject.raw, way);
  const found = await subject.refresh(made);
  if (found === undefined) throw new Error("gone");
  subject.emulator.clearRequests();
  return found;
}

describe("every pair of states", () => {
  test.each(pairs)("the provider: %s -> %s", async (from, to, verdict) => {
    const resource = await resourceIn(waysTo[from]);
    const problems = await subject.problems(asking(to), resource.inputs);
    if (typeof verdict === "string") {
      expect(problems).toEqual([
        { property: "status", reason: expect.stringContaining(`from "${from}" to`) },
      ]);
      expect(problems[0]?.reason).toMatch(
        verdict === "illegal" ? /can become/ : /allowReset: true .*"setup"/,
      );
      return;
    }
    expect(problems).toEqual([]);
    await subject.update(resource, asking(to));
    expect(writes(subject.emulator)).toEqual(verdict);
    expect((await live(subject.raw)).status).toBe(to);
  });

  const lossy: [State, State, StepName[]][] = [
    ["active", "setup", ["abandon", "reset"]],
    ["decision_made", "setup", ["reset"]],
    ["decision_made", "active", ["reset", "start"]],
    ["decision_made", "abandoned", ["reset", "start", "abandon"]],
    ["abandoned", "setup", ["reset"]],
    ["abandoned", "active", ["reset", "start"]],
    ["abandoned", "decision_made", ["reset", ...decide] as StepName[]],
  ];
  test.each(lossy)("with allowReset, results may go: %s -> %s", async (from, to, way) => {
    const resource = await resourceIn(waysTo[from]);
    const args = asking(to, { allowReset: true, decisionReason: "Again" });
    const updated = await subject.update(resource, args);
    expect(writes(subject.emulator)).toEqual(way);
    expect((await live(subject.raw)).status).toBe(to);
    expect(await subject.diff(updated, args)).toEqual({ quiet: true, replaces: [] });
  });
});

describe("what was archived comes back as it ended", () => {
  const ended: [State, StepName[]][] = [
    ["decision_made", [...waysTo.decision_made, "archive"]],
    ["abandoned", [...waysTo.active, "archive"]],
    ["abandoned", [...waysTo.abandoned, "archive"]],
  ];
  test.each(ended)("as %s after %j", async (state, way) => {
    const resource = await resourceIn(way);
    await subject.update(resource, asking(state));
    expect(writes(subject.emulator)).toEqual(["unarchive"]);
    expect((await live(subject.raw)).status).toBe(state);
  });

  test.each(ended)("and as nothing else, which only the engine can see: %s after %j", async (state, way) => {
    const resource = await resourceIn(way);
    expect(await subject.problems(asking("active"), resource.inputs)).toEqual([]);
    await expect(subject.update(resource, asking("active"))).rejects.toThrow(
      new RegExp(`is archived and would come back as "${state}".*From there it can become "archived"`),
    );
    expect(writes(subject.emulator)).toEqual([]);
  });

  test("a create finds it: refused, unless the program lets the results go", async () => {
    const made = await subject.up(asking("active"));
    await subject.destroy(made);
    expect((await live(subject.raw)).status).toBe("archived");
    await expect(subject.up(asking("setup"))).rejects.toThrow(
      /would come back as "abandoned".*allowReset: true/,
    );
    expect((await live(subject.raw)).status).toBe("archived");
    await subject.up(asking("active", { allowReset: true }));
    expect((await live(subject.raw)).status).toBe("active");
  });

  test("a program that is silent about the state wants a new one, and refuses it in the same way", async () => {
    const made = await subject.up(asking("active"));
    await subject.destroy(made);
    const { status: _, ...silent } = asking("setup");
    await expect(subject.up(silent)).rejects.toThrow(/would come back as "abandoned"/);
    await subject.up({ ...silent, onImmutableChange: "replace" });
    expect(await live(subject.raw)).toMatchObject({ status: "setup", version: 1 });
  });
});

describe("a new experiment goes its whole way", () => {
  test.each(states)("to %s", async (to) => {
    const made = await subject.up(asking(to, { controlGroup: "Test", disabledGroups: ["Test"] }));
    expect(await live(subject.raw)).toMatchObject({
      status: to,
      groups: [{ disabled: false }, { name: "Test", disabled: true }],
      launchedGroupID: to === "decision_made" ? expect.any(String) : null,
    });
    expect(await subject.diff(made, asking(to, { controlGroup: "Test", disabledGroups: ["Test"] }))).toEqual({
      quiet: true,
      replaces: [],
    });
  });

  test("in the order that the console asks for", async () => {
    await subject.up(asking("decision_made", { controlGroup: "Test", disabledGroups: ["Control"] }));
    expect(writes(subject.emulator)).toEqual(["create", "patch", "start", "disableGroups", "makeDecision"]);
  });

  test.each([
    ["decision_made", "launchedGroup"],
    ["decision_made", "decisionReason"],
    ["abandoned", "decisionReason"],
  ] as const)("%s needs %s", async (to, name) => {
    const problems = await subject.problems({ ...asking(to), [name]: undefined });
    expect(problems).toEqual([
      { property: "", reason: expect.stringMatching(new RegExp(`^${name}: missing; status "${to}"`)) },
    ]);
  });
});
