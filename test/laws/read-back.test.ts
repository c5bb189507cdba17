import { afterEach, expect, test } from "@jest/globals";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { kinds, type Subject, startSubject } from "./subject";

let subject: Subject;
afterEach(() => subject.close());

/** Names of the sample that a read shows, which are all but those that are only written. */
function shownNames({ fields }: ResourceDefinition, args: JsonObject): string[] {
  return Object.keys(args).filter((name) => {
    const { mode, facts } = fields[name] ?? {};
    return mode === "input" && facts?.remembered !== true && facts?.readsOtherId !== true;
  });
}

test.each(kinds)("[W6] of a %s what was written is read back, defaults filled", async (_, definition) => {
  subject = await startSubject(definition);
  const { fullest } = definition.samples;
  const made = await subject.up(fullest);
  subject.nextRun();
  const refreshed = await subject.refresh(made);
  for (const name of shownNames(definition, fullest))
    expect([name, refreshed?.inputs[name]]).toEqual([name, expect.anything()]);
  const filled = Object.entries(definition.fields).filter(
    ([, { mode, facts }]) =>
      mode === "output" && facts.serverDefault !== undefined && facts.serverDefault !== null,
  );
  for (const [name] of filled) expect([name, refreshed?.outputs[name]]).toEqual([name, expect.anything()]);
});

/** Kinds of the catalog whose owner is a key's where a key made them. */
const ownedByKey = ["metricSource", "entityProperty", "qualifyingEvent"];

test.each(kinds.filter(([, { name }]) => ownedByKey.includes(name)))(
  "[W5] of a %s that a key made the owner is of type SDK_KEY",
  async (_, definition) => {
    subject = await startSubject(definition);
    const made = await subject.up(definition.samples.smallest);
    expect(made.outputs.owner).toMatchObject({ ownerType: "SDK_KEY" });
  },
);
