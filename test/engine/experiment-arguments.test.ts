import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { mustComeAndGo, mustStayQuiet, quiet } from "../laws/quiet";
import { type Resource, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const staysQuiet = (made: Resource, args: JsonObject) => mustStayQuiet(subject, made, args);

test("[A4] an experiment has the arguments of the visual editor, and of the topline impact", async () => {
  subject = await startSubject(catalog.experiment);
  await mustComeAndGo(subject, {
    sidecarEditorURL: "https://example.com/edit",
    sidecarURLFilters: [{ type: "contains", value: "/shop" }],
    sidecarPrerunScript: "start()",
    sidecarDisableAutoRun: true,
    autoLoadToplineImpact: true,
  });
});

test("[A4] what is only read of a group is not sent", async () => {
  const marks = { isControl: true, shipped: false, images: [{ url: "a" }], foreignGroupIDVerified: true };
  const group = (name: string) => ({ name, size: 50, parameterValues: {} });
  const groups = [
    { ...group("Control"), ...marks, id: "g1" },
    { ...group("Test"), id: "g2" },
  ];
  subject = await startSubject(catalog.experiment, {
    seed: { experiments: [{ id: "marked", name: "marked", groups }] },
  });
  const args = { key: "marked", groups: [group("Control"), group("Test")], adopt: true };
  const made = await subject.up(args);
  expect(made.outputs.groups).toMatchObject([marks, {}]);
  const said = { ...args, groups: [{ ...group("Control"), ...marks }, group("Test")] };
  const reasons = (await subject.problems(said)).map(({ reason }) => reason);
  expect(reasons).toEqual(
    Object.keys(marks).map((member) => `groups[0].${member}: set by the console; leave it out`),
  );
});

test("[R4] what the visual editor copies into the values of groups is no difference, and is not sent there", async () => {
  subject = await startSubject(catalog.experiment);
  const group = (name: string, values: JsonObject) => ({ name, size: 50, parameterValues: values });
  const args = {
    key: "sidecar_experiment",
    isSidecar: true,
    sidecarURLFilters: [{ type: "contains", value: "/shop" }],
    sidecarDisableAutoRun: true,
    sidecarPrerunScript: "start()",
    groups: [group("Control", { a: 1 }), group("Test", { a: 2, sidecarPrerunScript: "another()" })],
  };
  const made = await subject.up(args);
  const read = (await subject.raw.experiment.get({ id: "sidecar_experiment" })).groups as JsonObject[];
  expect(read[1]?.parameterValues).toEqual({
    a: 2,
    sidecarURLFilters: args.sidecarURLFilters,
    sidecarDisableAutoRun: true,
    sidecarPrerunScript: "start()",
    sidecarExperimentName: expect.any(String),
  });
  await staysQuiet(made, args);
  const changed = { ...args, groups: [group("Control", { a: 3 }), group("Test", { a: 2 })] };
  await staysQuiet(await subject.update(made, changed), changed);
});

test('[W8] an experiment without a targeting gate reads "", which is no difference', async () => {
  subject = await startSubject(catalog.experiment);
  const args = { key: "one_experiment", targetingGateID: null };
  const made = await subject.up(args);
  expect((await subject.raw.experiment.get({ id: "one_experiment" })).targetingGateID).toBe("");
  expect(await subject.diff(made, args)).toEqual(quiet);
});
