import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { type Resource, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
let made: Resource;
const groups = [
  { name: "Control", size: 50, parameterValues: {} },
  { name: "Test", size: 50, parameterValues: {} },
];
const silent: JsonObject = { key: "colours", groups, status: "active" };

beforeEach(async () => {
  subject = await startSubject(catalog.experiment);
  const { id: layerID } = await subject.raw.layer.create({ body: { name: "area", idType: "userID" } });
  made = await subject.up({ ...silent, layerID, onImmutableChange: "replace" });
  subject.nextRun();
});
afterEach(() => subject.close());

/** What Pulumi asks of a dependent of a resource that is replaced, before the program has declared it. */
const layerIsReplaced = () =>
  subject.calls().diff(made.id, made.outputs, { ...made.inputs, layerID: UNKNOWN });

test("an experiment whose layer gets another name is not replaced by what the program no longer says", async () => {
  expect((await layerIsReplaced()).replaces).toEqual(["layerID"]);
  const problems = await subject.problems({ ...silent, layerID: UNKNOWN, __program: { preview: true } });
  expect(problems).toEqual([
    {
      property: "layerID",
      reason: expect.stringMatching(
        /^experiment "colours" would be deleted and created anew, because .* Keep onImmutableChange: "replace" in this up, .*\. Nothing was changed$/,
      ),
    },
  ]);
  expect(await subject.raw.experiment.get({ id: "colours" })).toMatchObject({ status: "active" });
});

test("it is replaced where the program still says so", async () => {
  await layerIsReplaced();
  const args = { ...silent, layerID: UNKNOWN, onImmutableChange: "replace", __program: { preview: true } };
  expect(await subject.problems(args)).toEqual([]);
});

test("an up without a preview says how it comes back, and so it does", async () => {
  await layerIsReplaced();
  await subject.destroy(made);
  const { id: layerID } = await subject.raw.layer.create({ body: { name: "area two", idType: "userID" } });
  const args = { ...silent, layerID, __program: { preview: false } };
  const [problem] = await subject.problems(args);
  expect(problem?.reason).toMatch(
    /^experiment "colours" was archived in this run, .*: set onImmutableChange: "replace" again/,
  );
  subject.nextRun();
  const again = await subject.up({ ...args, onImmutableChange: "replace" });
  expect(await subject.raw.experiment.get({ id: again.id })).toMatchObject({ status: "active", layerID });
});
