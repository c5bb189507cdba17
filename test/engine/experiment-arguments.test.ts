import { expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectQuiet, listOf, live, start, staysQuiet, subject, updated } from "../laws/harness";
import { mustComeAndGo } from "../laws/quiet";
import { group } from "./experiments";

const sidecar = {
  sidecarURLFilters: [{ type: "contains", value: "/shop" }],
  sidecarPrerunScript: "start()",
  sidecarDisableAutoRun: true,
};

test("[A4] an experiment has the arguments of the visual editor, and of the topline impact", async () => {
  await start(catalog.experiment);
  const more = { ...sidecar, sidecarEditorURL: "https://example.com/edit", autoLoadToplineImpact: true };
  await mustComeAndGo(subject, more);
});

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

test('[W8] an experiment without a targeting gate reads "", which is no difference', async () => {
  await start(catalog.experiment);
  const args = { key: "one_experiment", targetingGateID: null };
  const made = await subject.up(args);
  expect((await live("one_experiment")).targetingGateID).toBe("");
  await expectQuiet(made, args);
});
