import { describe, expect, test } from "@jest/globals";
import { catalog, managed } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { rule, start, subject } from "../laws/harness";

const rules = [rule("All", 50)];
const phase = (name: string, requiredReview: boolean) => ({
  ...{ name, timeIntervalMs: 60_000, requiredReview, rules: [{ name, conditions: [] }] },
});
const pipelineOf = async (first: string, waits: boolean) => {
  const phases = [phase(first, waits), phase("everyone", false)];
  const made = await subject.raw.releasePipeline.create({ body: { name: "careful", phases } });
  return { pipeline: String(made.id), ids: (made.phases as JsonObject[]).map(({ id }) => String(id)) };
};
const currentTrigger = async () =>
  (await subject.raw.releasePipelineTrigger.list().next()).value as JsonObject;

/** A release of a gate through the phases "staff" and "everyone"; `ids` are those of the phases. */
async function release(kind: keyof typeof managed, waits: boolean) {
  await start(managed[kind]);
  const { raw } = subject;
  const { pipeline, ids } = await pipelineOf("staff", waits);
  await raw.gate.create({ body: { id: "released", name: "released", releasePipelineID: pipeline } });
  await raw.gate.patch({ id: "released", body: { rules } });
  return { pipeline, trigger: String((await currentTrigger()).id), ids };
}

/** The message of what fails. */
const told = (args: JsonObject): Promise<string> =>
  subject.up(args).then(
    () => "it was carried out",
    (error: Error) => error.message,
  );

test("an approval of another phase names the phases and marks the current one", async () => {
  const { trigger, ids } = await release("releaseApproval", true);
  expect(await told({ trigger, phaseID: ids[1] })).toMatch(
    `It is WAITING_FOR_REVIEW. Its phases: "staff" ("${ids[0]}", the current one), "everyone" ("${ids[1]}"). ` +
      "Set phaseID to the id of the current one.",
  );
});

test("an approval that is not awaited says how the release is, and does not send to another phase", async () => {
  const { trigger, ids } = await release("releaseApproval", false);
  const message = await told({ trigger, phaseID: ids[0] });
  expect(message).toMatch(`It is IN_PROGRESS. Its phases: "staff" ("${ids[0]}", the current one)`);
  expect(message).not.toMatch("Set phaseID");
});

test("a skip of a made-up phase names the phases", async () => {
  const { trigger, ids } = await release("releaseSkip", false);
  expect(await told({ trigger, phaseID: "staff" })).toMatch(
    `"staff" ("${ids[0]}", the current one), "everyone" ("${ids[1]}"). Set phaseID to the id of the current one.`,
  );
});

test("a rollout of what is over says so, and marks no phase", async () => {
  const { trigger, ids } = await release("releaseRollout", true);
  await subject.raw.releasePipelineTrigger.abort({ id: trigger });
  expect(await told({ trigger })).toMatch(
    `It is ABORTED. Its phases: "staff" ("${ids[0]}"), "everyone" ("${ids[1]}").`,
  );
});

test("the current phase is named also when the pipeline lost it since, or cannot be read", async () => {
  const { trigger, pipeline, ids } = await release("releaseApproval", true);
  const { releasePipeline, gate } = subject.raw;
  await releasePipeline.update({ id: pipeline, body: { phases: [phase("new", false)] } });
  const another = { trigger, phaseID: "another" };
  const current = `"staff" \\("${ids[0]}", the current one\\)`;
  expect(await told(another)).toMatch(new RegExp(`Its phases: ${current}, "new" \\("\\w+"\\)\\.`));
  await gate.archive({ id: "released" });
  await releasePipeline.delete({ id: pipeline });
  expect(await told(another)).toMatch(new RegExp(`answered 400.*Its phases: ${current}\\.`));
});

test("what is carried out reads no phases", async () => {
  const { trigger, ids } = await release("releaseApproval", true);
  subject.emulator.clearRequests();
  await subject.up({ trigger, phaseID: ids[0] });
  const asked = subject.emulator.requests.filter(({ kind }) => kind !== "project");
  expect(asked.map(({ route }) => route)).toEqual(["get", "approve"]);
});

describe("an update of a gate", () => {
  /** Previewed and updated to have rules; the lines of the update, and its requests for releases. */
  async function update(args: JsonObject) {
    const made = await subject.up(args);
    subject.nextRun();
    await subject.plan(made, { ...args, rules });
    const before = subject.lines.length;
    subject.emulator.clearRequests();
    await subject.update(made, { ...args, rules });
    const asked = subject.emulator.requests.filter(({ path }) => path.includes("release_pipeline"));
    return { lines: subject.lines.slice(before), asked };
  }

  test("whose change waits names the phase, the trigger and the approval; the approval then goes through", async () => {
    await start(catalog.gate);
    const { pipeline } = await pipelineOf("Testers", true);
    const { lines, asked } = await update({ key: "released", releasePipelineID: pipeline });
    const { id, currentPhaseID } = await currentTrigger();
    expect(lines).toEqual([
      `gate "released" waits for approval of "Testers", trigger "${id}". Approve it in the console, or with ` +
        `new fc.ReleaseApproval("NAME", { trigger: "${id}", phaseID: "${currentPhaseID}" }).`,
    ]);
    expect(asked.filter(({ path }) => path.includes("triggers")).length).toBeLessThanOrEqual(2);
    await subject.of(managed.releaseApproval).up({ trigger: id, phaseID: currentPhaseID });
    expect(await currentTrigger()).toMatchObject({ id, status: "IN_PROGRESS" });
  });

  test("that waits for nobody says nothing, and one without a pipeline asks nothing more", async () => {
    await start(catalog.gate);
    expect((await update({ key: "plain" })).asked).toEqual([]);
    const { pipeline: releasePipelineID } = await pipelineOf("fast", false);
    const { lines } = await update({ key: "released", name: "released", releasePipelineID });
    expect(lines.filter((line) => line.includes("waits for approval"))).toEqual([]);
  });
});
