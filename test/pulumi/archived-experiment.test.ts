import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Resource, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const groups = [
  { name: "Control", size: 50, parameterValues: {} },
  { name: "Test", size: 50, parameterValues: {} },
];
const colours = { key: "colours", hypothesis: "Blue sells", groups };

/** An experiment whose program has archived it, which has run before or has not. */
async function archived(status: "active" | "setup"): Promise<Resource> {
  subject = await startSubject(catalog.experiment);
  const made = await subject.up({ ...colours, status });
  subject.nextRun();
  await subject.plan(made, { ...colours, status: "archived" });
  return subject.update(made, { ...colours, status: "archived" });
}

test.each(["setup", "active"])("one that ran comes back as ended: a preview refuses %s", async (status) => {
  const made = await archived("active");
  subject.nextRun();
  subject.emulator.clearRequests();
  await expect(subject.plan(made, { ...colours, status, __program: { preview: true } })).rejects.toThrow(
    /experiment "colours": status: comes back from the archive as "abandoned", and cannot change from "abandoned" to /,
  );
  expect(subject.emulator.requests).toEqual([]);
});

test("with allowReset the preview lets it go to setup, and so does the update", async () => {
  const made = await archived("active");
  const wants = { ...colours, status: "setup", allowReset: true };
  subject.nextRun();
  await subject.plan(made, { ...wants, __program: { preview: true } });
  subject.nextRun();
  await subject.plan(made, wants);
  await subject.update(made, wants);
  expect(await subject.raw.experiment.get({ id: "colours" })).toMatchObject({ status: "setup" });
});

test("one that never ran comes back to setup, and can start", async () => {
  const made = await archived("setup");
  subject.nextRun();
  await subject.plan(made, { ...colours, status: "setup", __program: { preview: true } });
  await subject.plan(made, { ...colours, status: "active" });
  await subject.update(made, { ...colours, status: "active" });
  expect(await subject.raw.experiment.get({ id: "colours" })).toMatchObject({ status: "active" });
});
