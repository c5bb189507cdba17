import { beforeEach, describe, expect, test } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Item, ruleFor } from "./desk";
import { desksOfTests, sharedDesk } from "./test-desk";

let now = 0;
const open = desksOfTests();
const desk = sharedDesk({ clock: () => now });
beforeEach(() => {
  now = 1_800_000_000_000;
});

const hour = 3_600_000;
const phase = (name: string, requiredReview = false): JsonObject => ({
  ...{ name, timeIntervalMs: hour, requiredReview },
  rules: [{ name: "All", conditions: [{ type: "public" }] }],
});
const pipelineOf = (...phases: JsonObject[]): Promise<Item> =>
  desk.must("POST", "/release_pipelines", { name: "pipeline", phases });

/** A gate under a pipeline, and the trigger that a change of its rules starts. */
async function released(...phases: JsonObject[]): Promise<{ pipeline: Item; trigger: Item }> {
  const pipeline = await pipelineOf(...phases);
  await desk.must("POST", "/gates", { name: "gate_a", releasePipelineID: pipeline.id });
  await desk.must("PATCH", "/gates/gate_a", { rules: [ruleFor("new")] });
  const [trigger] = await desk.list("/release_pipeline_triggers");
  return { pipeline, trigger: trigger as Item };
}

const act = ({ id }: Item, verb: string, phaseID?: unknown) => {
  const body = phaseID === undefined ? undefined : { phaseID };
  return desk.ask("PUT", `/release_pipeline_triggers/${id}/${verb}`, body);
};
const read = (trigger: Item) => desk.must("GET", `/release_pipeline_triggers/${trigger.id}`);
const typesOf = (trigger: Item) => (trigger.actions as JsonObject[]).map(({ type }) => type);

describe("a create under a pipeline", () => {
  test("starts a release of its rules, and an aborted one leaves it without", async () => {
    const { id: releasePipelineID } = await pipelineOf(phase("one"));
    await desk.must("POST", "/gates", { name: "gate_a", releasePipelineID, rules: [ruleFor("new")] });
    const [trigger, ...more] = await desk.list("/release_pipeline_triggers");
    expect(more).toEqual([]);
    expect(trigger).toMatchObject({ releasePipelineID, gateID: "gate_a", status: "IN_PROGRESS" });
    await act(trigger as Item, "abort");
    expect((await desk.must("GET", "/gates/gate_a")).rules).toEqual([]);
  });

  test("starts none without rules", async () => {
    const { id: releasePipelineID } = await pipelineOf(phase("one"));
    await desk.must("POST", "/gates", { name: "gate_a", releasePipelineID });
    await desk.must("POST", "/dynamic_configs", { name: "config_a", releasePipelineID });
    expect(await desk.list("/release_pipeline_triggers")).toEqual([]);
  });
});

describe("a pipeline", () => {
  test("keeps the ids of phases and rules that are sent back, and makes new ones for the rest", async () => {
    const made = await pipelineOf(phase("one"), phase("two"));
    const [one, two] = made.phases as Item[];
    const [rule] = one?.rules ?? [];
    const renamed = { ...rule, name: "Renamed" };
    const changed = { ...one, rules: [renamed, { name: "Other", conditions: [] }] };
    const phases = [{ ...phase("zero"), id: "made-up" }, changed];
    const after = await desk.must("POST", `/release_pipelines/${made.id}`, { phases });
    const [zero, kept] = after.phases as Item[];
    const rules = [{ id: rule?.id, name: "Renamed" }, { name: "Other" }];
    expect(kept).toMatchObject({ id: one?.id, rules });
    expect([one?.id, two?.id, "made-up"]).not.toContain(zero?.id);
  });

  test("is changed by a POST that keeps what it leaves out", async () => {
    const made = await pipelineOf(phase("one"));
    const after = await desk.must("POST", `/release_pipelines/${made.id}`, { triggerNotice: "careful" });
    expect(after).toMatchObject({ name: "pipeline", phases: made.phases, triggerNotice: "careful" });
  });

  test("in use cannot be deleted", async () => {
    const { id } = await pipelineOf();
    await desk.must("POST", "/gates", { name: "gate_a", releasePipelineID: id });
    expect((await desk.ask("DELETE", `/release_pipelines/${id}`)).status).toBe(400);
    await desk.must("PUT", "/gates/gate_a/archive", {});
    await desk.must("DELETE", `/release_pipelines/${id}`);
    expect((await desk.ask("GET", `/release_pipelines/${id}`)).status).toBe(404);
  });
});

describe("a trigger", () => {
  test("starts when rules change or the object is switched on, and else not", async () => {
    const { pipeline, trigger } = await released(phase("one"));
    expect(trigger).toMatchObject({
      ...{ releasePipelineID: pipeline.id, gateID: "gate_a", status: "IN_PROGRESS", currentPhase: "one" },
      ...{ currentPhaseEndTime: now + hour, createdTime: now },
    });
    expect(trigger.actions).toMatchObject([{ type: "STARTED", timeMs: now, actorName: "CONSOLE API" }]);
    expect(trigger).not.toHaveProperty("dynamicConfigID");
    expect(Object.keys(trigger).filter((name) => name.startsWith("$"))).toEqual([]);
    const count = async () => (await desk.list("/release_pipeline_triggers")).length;
    await desk.must("PATCH", "/gates/gate_a", { description: "x" });
    await desk.must("PUT", "/gates/gate_a/disable");
    expect(await count()).toBe(1);
    await desk.must("PUT", "/gates/gate_a/enable");
    expect(await count()).toBe(2);
    await desk.must("POST", "/dynamic_configs", { name: "config_a", releasePipelineID: pipeline.id });
    expect(await count()).toBe(2);
    const rules = [{ ...ruleFor("new"), returnValue: {} }];
    await desk.must("PATCH", "/dynamic_configs/config_a", { rules });
    expect(await desk.list("/release_pipeline_triggers?dynamicConfigID=config_a")).toHaveLength(1);
  });

  test("waits for an approval where the phase needs a review (operation 18)", async () => {
    const { trigger } = await released(phase("one", true));
    expect(trigger).toMatchObject({ status: "WAITING_FOR_REVIEW", currentPhaseEndTime: null });
    now += 10 * hour;
    expect((await read(trigger)).status).toBe("WAITING_FOR_REVIEW");
    const wrong = await act(trigger, "approve", "another phase");
    expect([wrong.status, (await read(trigger)).status]).toEqual([400, "WAITING_FOR_REVIEW"]);
    expect((await act(trigger, "approve")).body).toMatchObject({ errors: [{ property: "phaseID" }] });
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
    expect(await read(trigger)).toMatchObject({
      ...{ status: "COMPLETED", currentPhase: null, currentPhaseID: null, currentPhaseEndTime: null },
    });
    expect(await desk.list("/release_pipeline_triggers?status=COMPLETED")).toHaveLength(1);
    expect(await desk.list("/release_pipeline_triggers?status=IN_PROGRESS")).toHaveLength(0);
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
    expect((await desk.must("GET", "/gates/gate_a")).rules).toHaveLength(1);
    expect((await act(trigger, "abort")).data.status).toBe("ABORTED");
    expect((await desk.must("GET", "/gates/gate_a")).rules).toEqual([]);
    expect(await desk.list("/release_pipeline_triggers")).toHaveLength(1);
  });

  test("rolled out, it is closed: nothing can be done to it any more", async () => {
    const { trigger } = await released(phase("one", true));
    const { data } = await act(trigger, "rollout");
    expect([data.status, typesOf(data)]).toEqual(["COMPLETED", ["STARTED", "FULL_ROLL_OUT"]]);
    expect((await desk.must("GET", "/gates/gate_a")).rules).toHaveLength(1);
    for (const verb of ["approve", "pause", "unpause", "skip"])
      expect([verb, (await act(trigger, verb, trigger.currentPhaseID)).status]).toEqual([verb, 400]);
    for (const verb of ["abort", "rollout"])
      expect([verb, (await act(trigger, verb)).status]).toEqual([verb, 400]);
  });

  test("lists take 1 to 100 per page and a range of days", async () => {
    await released(phase("one"));
    const path = "/release_pipeline_triggers";
    expect((await desk.ask("GET", `${path}?limit=0`)).status).toBe(400);
    expect((await desk.ask("GET", `${path}?limit=101`)).status).toBe(400);
    expect(await desk.list(`${path}?startDate=2027-01-15&endDate=2027-01-15`)).toHaveLength(1);
    expect(await desk.list(`${path}?startDate=2027-01-16`)).toHaveLength(0);
  });
});

describe("[E3] a change of rules", () => {
  const inEnvironments = (...environments: string[]) => ({ ...ruleFor("new"), environments });
  const changed = async (rule: JsonObject) => {
    const environments = (await desk.must("GET", "/environments")).environments as JsonObject[];
    const optedOut = environments.map((one) =>
      one.name === "staging" ? { ...one, requiresReleasePipeline: false } : one,
    );
    await desk.must("POST", "/environments", { environments: optedOut });
    const { id } = await pipelineOf(phase("one"));
    await desk.must("POST", "/gates", { name: "gate_a", releasePipelineID: id });
    await desk.must("PATCH", "/gates/gate_a", { rules: [rule] });
    return desk.list("/release_pipeline_triggers");
  };

  test("for an environment without release pipelines alone starts no release", async () => {
    expect(await changed(inEnvironments("staging"))).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ["another one too", inEnvironments("staging", "production")],
    ["every one", ruleFor("new")],
  ])("for %s starts one", async (_, rule) => {
    expect(await changed(rule)).toHaveLength(1);
  });
});

test("[L1] pipelineInRollout refuse: a pipeline changes again when the release is over", async () => {
  const own = await open({ clock: () => now, behaviour: { pipelineInRollout: "refuse" } });
  const pipeline = await own.must("POST", "/release_pipelines", { name: "p", phases: [phase("one")] });
  const change = () => own.ask("POST", `/release_pipelines/${pipeline.id}`, { triggerNotice: "new" });
  expect((await change()).status).toBe(200);
  const gate = { name: "gate_a", releasePipelineID: pipeline.id, rules: [ruleFor("new")] };
  await own.must("POST", "/gates", gate);
  const message = expect.stringContaining("cannot be changed until its end");
  expect((await change()).body).toEqual({ status: 400, message });
  now += 2 * hour;
  expect((await change()).status).toBe(200);
});
