import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { managed } from "../../src/provider/definitions";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { type Subject, startSubject } from "../laws/subject";

const rules = [{ name: "All", passPercentage: 50, conditions: [{ type: "public" }] }];
const phase = (name: string, requiredReview: boolean) => ({
  name,
  timeIntervalMs: 60_000,
  requiredReview,
  rules: [{ name, conditions: [] }],
});
const subjects: Subject[] = [];
const open = async (name: keyof typeof managed): Promise<Subject> => {
  const subject = await startSubject(managed[name]);
  subjects.push(subject);
  return subject;
};
afterEach(async () => {
  for (const subject of subjects.splice(0)) await subject.close();
});

/** A release of a gate through the phases "staff" and "everyone"; `ids` are those of the phases. */
async function release(subject: Subject, waits: boolean) {
  const { raw } = subject;
  const phases = [phase("staff", waits), phase("everyone", false)];
  const pipeline = await raw.releasePipeline.create({ body: { name: "careful", phases } });
  await raw.gate.create({ body: { id: "released", name: "released", releasePipelineID: pipeline.id } });
  await raw.gate.patch({ id: "released", body: { rules } });
  const { value } = await raw.releasePipelineTrigger.list().next();
  const trigger: JsonObject = isObject(value) ? value : {};
  const ids = (pipeline.phases as JsonObject[]).map(({ id }) => String(id));
  return { pipeline: String(pipeline.id), trigger: String(trigger.id), ids };
}

const message = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "it was carried out",
    (error: Error) => error.message,
  );

let subject: Subject;
beforeEach(async () => {
  subject = await open("releaseApproval");
});

test("an approval of another phase names the phases and marks the current one", async () => {
  const { trigger, ids } = await release(subject, true);
  expect(await message(subject.up({ trigger, phaseID: ids[1] }))).toMatch(
    `It is WAITING_FOR_REVIEW. Its phases: "staff" ("${ids[0]}", the current one), "everyone" ("${ids[1]}"). ` +
      "Set phaseID to the id of the current one.",
  );
});

test("an approval that is not awaited says how the release is, and does not send to another phase", async () => {
  const { trigger, ids } = await release(subject, false);
  const told = await message(subject.up({ trigger, phaseID: ids[0] }));
  expect(told).toMatch(`It is IN_PROGRESS. Its phases: "staff" ("${ids[0]}", the current one)`);
  expect(told).not.toMatch("Set phaseID");
});

test("a skip of a made-up phase names the phases", async () => {
  const skip = await open("releaseSkip");
  const { trigger, ids } = await release(skip, false);
  expect(await message(skip.up({ trigger, phaseID: "staff" }))).toMatch(
    `"staff" ("${ids[0]}", the current one), "everyone" ("${ids[1]}"). Set phaseID to the id of the current one.`,
  );
});

test("a rollout of what is over says so, and marks no phase", async () => {
  const rollout = await open("releaseRollout");
  const { trigger, ids } = await release(rollout, true);
  await rollout.raw.releasePipelineTrigger.abort({ id: trigger });
  const told = await message(rollout.up({ trigger }));
  expect(told).toMatch(`It is ABORTED. Its phases: "staff" ("${ids[0]}"), "everyone" ("${ids[1]}").`);
});

test("the current phase is named also when the pipeline lost it since, or cannot be read", async () => {
  const { trigger, pipeline, ids } = await release(subject, true);
  await subject.raw.releasePipeline.update({ id: pipeline, body: { phases: [phase("new", false)] } });
  const told = () => message(subject.up({ trigger, phaseID: "another" }));
  expect(await told()).toMatch(
    new RegExp(`Its phases: "staff" \\("${ids[0]}", the current one\\), "new" \\("\\w+"\\)\\.`),
  );
  await subject.raw.gate.archive({ id: "released" });
  await subject.raw.releasePipeline.delete({ id: pipeline });
  expect(await told()).toMatch(
    new RegExp(`answered 400.*Its phases: "staff" \\("${ids[0]}", the current one\\)\\.`),
  );
});

test("what is carried out reads no phases", async () => {
  const { trigger, ids } = await release(subject, true);
  subject.emulator.clearRequests();
  await subject.up({ trigger, phaseID: ids[0] });
  const asked = subject.emulator.requests.filter(({ kind }) => kind !== "project");
  expect(asked.map(({ route }) => route)).toEqual(["get", "approve"]);
});

test("an update whose change waits names the phase, the trigger and the approval; the approval then goes through", async () => {
  const gate = await open("gate");
  const pipeline = await gate.raw.releasePipeline.create({
    body: { name: "careful", phases: [phase("Testers", true), phase("everyone", false)] },
  });
  const args = { key: "released", releasePipelineID: pipeline.id };
  const made = await gate.up(args);
  gate.nextRun();
  await gate.plan(made, { ...args, rules });
  const before = gate.lines.length;
  gate.emulator.clearRequests();
  await gate.update(made, { ...args, rules });
  const { value } = await gate.raw.releasePipelineTrigger.list().next();
  const { id, currentPhaseID } = value as JsonObject;
  expect(gate.lines.slice(before)).toEqual([
    `gate "released" waits for approval of "Testers", trigger "${id}". Approve it in the console, or with ` +
      `new fc.ReleaseApproval("NAME", { trigger: "${id}", phaseID: "${currentPhaseID}" }).`,
  ]);
  const lists = gate.emulator.requests.filter(({ path }) => path.includes("release_pipeline_triggers"));
  expect(lists.length).toBeLessThanOrEqual(2);
  await gate.of(managed.releaseApproval).up({ trigger: id, phaseID: currentPhaseID });
  expect(await gate.raw.releasePipelineTrigger.get({ id: String(id) })).toMatchObject({
    status: "IN_PROGRESS",
  });
});

test("a change that waits for nobody says nothing, and one without a pipeline asks nothing more", async () => {
  const gate = await open("gate");
  const made = await gate.up({ key: "plain" });
  gate.nextRun();
  await gate.plan(made, { key: "plain", rules });
  await gate.update(made, { key: "plain", rules });
  expect(gate.emulator.requests.filter(({ path }) => path.includes("release_pipeline"))).toEqual([]);
  const pipeline = await gate.raw.releasePipeline.create({
    body: { name: "fast", phases: [phase("everyone", false)] },
  });
  const args = { key: "released", name: "released", releasePipelineID: pipeline.id };
  const released = await gate.up(args);
  gate.nextRun();
  await gate.plan(released, { ...args, rules });
  await gate.update(released, { ...args, rules });
  expect(gate.lines.filter((line) => line.includes("waits for approval"))).toEqual([]);
});
