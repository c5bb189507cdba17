import { beforeEach, describe, expect, test } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Item, ruleFor } from "./desk";
import { desksOfTests, sharedDesk } from "./test-desk";

let now = 0;
const open = desksOfTests();
const { ask, must, list } = sharedDesk({ clock: () => now });
beforeEach(() => {
  now = 1_800_000_000_000;
});

const hour = 3_600_000;
const phase = (name: string, requiredReview = false): JsonObject => ({
  ...{ name, timeIntervalMs: hour, requiredReview },
  rules: [{ name: "All", conditions: [{ type: "public" }] }],
});
const pipelineOf = (...phases: JsonObject[]) =>
  must("POST", "/release_pipelines", { name: "pipeline", phases });
const triggers = (query = "") => list(`/release_pipeline_triggers${query}`);
const rules = [ruleFor("new")];
const rulesOfGate = async () => (await must("GET", "/gates/gate_a")).rules;

/** A gate under a pipeline, and the trigger that a change of its rules starts. */
async function released(...phases: JsonObject[]): Promise<{ pipeline: Item; trigger: Item }> {
  const pipeline = await pipelineOf(...phases);
  await must("POST", "/gates", { name: "gate_a", releasePipelineID: pipeline.id });
  await must("PATCH", "/gates/gate_a", { rules });
  const [trigger] = await triggers();
  return { pipeline, trigger: trigger as Item };
}

const act = ({ id }: Item, verb: string, phaseID?: unknown) => {
  const body = phaseID === undefined ? undefined : { phaseID };
  return ask("PUT", `/release_pipeline_triggers/${id}/${verb}`, body);
};
const read = (trigger: Item) => must("GET", `/release_pipeline_triggers/${trigger.id}`);
const typesOf = (trigger: Item) => (trigger.actions as JsonObject[]).map(({ type }) => type);

describe("a create under a pipeline", () => {
  test("starts a release of its rules, and an aborted one leaves it without", async () => {
    const { id: releasePipelineID } = await pipelineOf(phase("one"));
    await must("POST", "/gates", { name: "gate_a", releasePipelineID, rules });
    const [trigger, ...more] = await triggers();
    expect(more).toEqual([]);
    expect(trigger).toMatchObject({ releasePipelineID, gateID: "gate_a", status: "IN_PROGRESS" });
    await act(trigger as Item, "abort");
    expect(await rulesOfGate()).toEqual([]);
  });
});

describe("a pipeline", () => {
  test("keeps the ids of phases and rules that are sent back, and makes new ones for the rest", async () => {
    const made = await pipelineOf(phase("one"), phase("two"));
    const [one, two] = made.phases as [Item, Item];
    const renamed = [
      { ...one.rules[0], name: "Renamed" },
      { name: "Other", conditions: [] },
    ];
    const phases = [
      { ...phase("zero"), id: "made-up" },
      { ...one, rules: renamed },
    ];
    const after = await must("POST", `/release_pipelines/${made.id}`, { phases });
    const [zero, kept] = after.phases as Item[];
    const expected = [{ id: one.rules[0]?.id, name: "Renamed" }, { name: "Other" }];
    expect(kept).toMatchObject({ id: one.id, rules: expected });
    expect([one.id, two.id, "made-up"]).not.toContain(zero?.id);
  });

  test("is changed by a POST that keeps what it leaves out", async () => {
    const { id, phases } = await pipelineOf(phase("one"));
    const after = await must("POST", `/release_pipelines/${id}`, { triggerNotice: "careful" });
    expect(after).toMatchObject({ name: "pipeline", phases, triggerNotice: "careful" });
  });

  test("in use cannot be deleted", async () => {
    const { id } = await pipelineOf();
    await must("POST", "/gates", { name: "gate_a", releasePipelineID: id });
    expect((await ask("DELETE", `/release_pipelines/${id}`)).status).toBe(400);
    await must("PUT", "/gates/gate_a/archive", {});
    await must("DELETE", `/release_pipelines/${id}`);
    expect((await ask("GET", `/release_pipelines/${id}`)).status).toBe(404);
  });

  test("[L1] with pipelineInRollout refuse it changes again when the release is over", async () => {
    const own = await open({ clock: () => now, behaviour: { pipelineInRollout: "refuse" } });
    const { id } = await own.must("POST", "/release_pipelines", { name: "p", phases: [phase("one")] });
    const change = ["POST", `/release_pipelines/${id}`, { triggerNotice: "new" }] as const;
    await own.must(...change);
    await own.must("POST", "/gates", { name: "gate_a", releasePipelineID: id, rules });
    expect(await own.refused(...change)).toMatch(/^400 .*cannot be changed until its end/);
    now += 2 * hour;
    await own.must(...change);
  });
});

describe("a trigger", () => {
  test("starts when rules change or the object is switched on, and else not", async () => {
    const { pipeline, trigger } = await released(phase("one"));
    expect(trigger).toMatchObject({
      ...{ releasePipelineID: pipeline.id, gateID: "gate_a", status: "IN_PROGRESS", currentPhase: "one" },
      ...{ currentPhaseEndTime: now + hour, createdTime: now },
      actions: [{ type: "STARTED", timeMs: now, actorName: "CONSOLE API" }],
    });
    expect(Object.keys(trigger).filter((name) => /^\$|dynamicConfigID/.test(name))).toEqual([]);
    await must("PATCH", "/gates/gate_a", { description: "x" });
    await must("PUT", "/gates/gate_a/disable");
    expect(await triggers()).toHaveLength(1);
    await must("PUT", "/gates/gate_a/enable");
    expect(await triggers()).toHaveLength(2);
    await must("POST", "/dynamic_configs", { name: "config_a", releasePipelineID: pipeline.id });
    expect(await triggers()).toHaveLength(2);
    await must("PATCH", "/dynamic_configs/config_a", { rules: [{ ...ruleFor("new"), returnValue: {} }] });
    expect(await triggers("?dynamicConfigID=config_a")).toHaveLength(1);
  });

  test("waits for an approval where the phase needs a review (operation 18)", async () => {
    const { trigger } = await released(phase("one", true));
    const waiting = { status: "WAITING_FOR_REVIEW", currentPhaseEndTime: null };
    expect(trigger).toMatchObject(waiting);
    now += 10 * hour;
    expect((await act(trigger, "approve", "another phase")).status).toBe(400);
    expect((await act(trigger, "approve")).body).toMatchObject({ errors: [{ property: "phaseID" }] });
    expect(await read(trigger)).toMatchObject(waiting);
    const { status, data } = await act(trigger, "approve", trigger.currentPhaseID);
    expect([status, data.status, data.currentPhaseEndTime]).toEqual([200, "IN_PROGRESS", now + hour]);
    expect(typesOf(data)).toEqual(["STARTED", "APPROVED_FOR"]);
    expect((await act(trigger, "approve", trigger.currentPhaseID)).status).toBe(400);
  });

  test("goes on when the time of a phase is over, and is done after the last", async () => {
    const { trigger } = await released(phase("one"), phase("two"));
    now += hour;
    expect(await read(trigger)).toMatchObject({ currentPhase: "two", currentPhaseEndTime: now + hour });
    now += hour;
    const none = { currentPhase: null, currentPhaseID: null, currentPhaseEndTime: null };
    expect(await read(trigger)).toMatchObject({ status: "COMPLETED", ...none });
    expect(await triggers("?status=COMPLETED")).toHaveLength(1);
    expect(await triggers("?status=IN_PROGRESS")).toHaveLength(0);
  });

  test("is paused and goes on with the time that was left", async () => {
    const { trigger } = await released(phase("one"));
    now += hour / 2;
    expect((await act(trigger, "pause", trigger.currentPhaseID)).data.status).toBe("PAUSED");
    now += 5 * hour;
    expect((await act(trigger, "pause", trigger.currentPhaseID)).status).toBe(400);
    const { data } = await act(trigger, "unpause", trigger.currentPhaseID);
    expect(data).toMatchObject({ status: "IN_PROGRESS", currentPhaseEndTime: now + hour / 2 });
  });

  test("skips to the next phase, and after the last it is done", async () => {
    const { trigger } = await released(phase("one"), phase("two"));
    const second = (await act(trigger, "skip", trigger.currentPhaseID)).data;
    expect(second.currentPhase).toBe("two");
    expect((await act(trigger, "skip", trigger.currentPhaseID)).status).toBe(400);
    const last = (await act(trigger, "skip", second.currentPhaseID)).data;
    expect([last.status, typesOf(last)]).toEqual(["COMPLETED", ["STARTED", "SKIPPED", "SKIPPED"]]);
  });

  test("aborted, it leaves the old rules", async () => {
    const { trigger } = await released(phase("one"));
    expect(await rulesOfGate()).toHaveLength(1);
    expect((await act(trigger, "abort")).data.status).toBe("ABORTED");
    expect(await rulesOfGate()).toEqual([]);
    expect(await triggers()).toHaveLength(1);
  });

  test("rolled out, it is closed: nothing can be done to it any more", async () => {
    const { trigger } = await released(phase("one", true));
    const { data } = await act(trigger, "rollout");
    expect([data.status, typesOf(data)]).toEqual(["COMPLETED", ["STARTED", "FULL_ROLL_OUT"]]);
    expect(await rulesOfGate()).toHaveLength(1);
    for (const verb of ["approve", "pause", "unpause", "skip"])
      expect([verb, (await act(trigger, verb, trigger.currentPhaseID)).status]).toEqual([verb, 400]);
    for (const verb of ["abort", "rollout"])
      expect([verb, (await act(trigger, verb)).status]).toEqual([verb, 400]);
  });

  test("lists take 1 to 100 per page and a range of days", async () => {
    await released(phase("one"));
    for (const limit of [0, 101])
      expect((await ask("GET", `/release_pipeline_triggers?limit=${limit}`)).status).toBe(400);
    expect(await triggers("?startDate=2027-01-15&endDate=2027-01-15")).toHaveLength(1);
    expect(await triggers("?startDate=2027-01-16")).toHaveLength(0);
  });
});

test.each([
  [["staging"], 0],
  [["staging", "production"], 1],
  [undefined, 1],
])(
  "[E3] staging goes without release pipelines: a change of rules for %j starts %i releases",
  async (environments, count) => {
    const before = (await must("GET", "/environments")).environments as JsonObject[];
    const optedOut = before.map((one) =>
      one.name === "staging" ? { ...one, requiresReleasePipeline: false } : one,
    );
    await must("POST", "/environments", { environments: optedOut });
    const { id } = await pipelineOf(phase("one"));
    await must("POST", "/gates", { name: "gate_a", releasePipelineID: id });
    const rule = { ...ruleFor("new"), ...(environments && { environments }) };
    await must("PATCH", "/gates/gate_a", { rules: [rule] });
    expect(await triggers()).toHaveLength(count);
  },
);
