import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { formatMember } from "../../src/provider/schema/internal";
import { stateFormat } from "../../src/provider/values/upgrade";
import { adapters, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

describe.each(adapters)("a state that a later version wrote, by the %s adapter", (adapter) => {
  test("is refused by each verb, and nothing is touched", async () => {
    subject = await startSubject(catalog.gate, { adapter });
    const made = await subject.up({ __program: { name: "checkout" }, description: "New" });
    subject.nextRun();
    const newer = { ...made, outputs: { ...made.outputs, [formatMember]: stateFormat + 1 } };
    const changed = { __program: { name: "checkout" }, description: "Newer" };
    subject.emulator.clearRequests();
    for (const verb of [
      () => subject.diff(newer, changed),
      () => subject.update(newer, changed),
      () => subject.refresh(newer),
      () => subject.destroy(newer),
    ])
      await expect(verb()).rejects.toThrow(
        'A newer version of this provider wrote the state of gate "checkout", and this version cannot read it. ' +
          "Nothing was changed. Install the newer version of pulumi-feature-console, or of its plugin.",
      );
    expect(subject.emulator.requests).toEqual([]);
  });

  test("is read where this version wrote it", async () => {
    subject = await startSubject(catalog.gate, { adapter });
    const made = await subject.up({ __program: { name: "checkout" }, description: "New" });
    subject.nextRun();
    expect(await subject.diff(made, { __program: { name: "checkout" }, description: "New" })).toMatchObject({
      quiet: true,
    });
  });
});
