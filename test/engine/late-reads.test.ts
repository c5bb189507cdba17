import { afterEach, expect, jest, test } from "@jest/globals";
import { catalog, parts } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { type Subject, startSubject } from "../laws/subject";
import { allOf } from "../support/raw-client";

jest.setTimeout(60_000);

// The console may answer a read with what was there before the last write.

let subject: Subject;
afterEach(() => subject.close());
const start = async (definition: ResourceDefinition) => {
  subject = await startSubject(definition);
};

const apps = () => allOf(subject.raw.targetApp.list());

test("a change whose answer shows little is looked at twice before it counts as not made", async () => {
  await start(catalog.targetApp);
  const app = await subject.up({ name: "shop", description: "Old" });
  subject.emulator.addFaults([{ method: "GET", path: "/target_app/*", after: 1, times: 1, stale: true }]);
  const renamed = await subject.update(app, { name: "shop two", description: "Old" });
  expect(renamed.outputs.name).toBe("shop two");
});

test("a rule whose answer was lost is added once", async () => {
  await start(catalog.gate);
  const rule = (name: string) => ({ name, passPercentage: 10, conditions: [{ type: "public" }] });
  const gate = await subject.up({ key: "gate_g", rules: [rule("one")] });
  subject.emulator.addFaults([
    { method: "POST", path: "/gates/gate_g/rule", times: 1, reset: "after" },
    { method: "GET", path: "/gates/*", after: 1, times: 1, stale: true },
  ]);
  await subject.update(gate, { key: "gate_g", rules: [rule("one"), rule("two")] });
  const live = await subject.raw.gate.get({ id: "gate_g" });
  expect((live.rules as { name: string }[]).map(({ name }) => name)).toEqual(["one", "two"]);
});

test("a create whose answer was lost is not sent again where that could make a second object", async () => {
  await start(catalog.targetApp);
  subject.emulator.addFaults([
    { method: "POST", path: "/target_app", times: 1, reset: "after" },
    { method: "GET", path: "/target_app", after: 1, times: 2, stale: true },
  ]);
  await expect(subject.up({ name: "shop", description: "Old" })).rejects.toThrow(
    "run the same command again",
  );
  expect(await apps()).toHaveLength(1);
});

test("two equal apps that are created at the same time are two", async () => {
  await start(catalog.targetApp);
  subject.emulator.addFaults([{ method: "POST", path: "/target_app", times: 1, byteEveryMs: 20 }]);
  const [one, other] = await Promise.all(
    ["one", "other"].map((name) => subject.up({ name: "twin", description: "x", __program: { name } })),
  );
  expect(one?.id).not.toBe(other?.id);
  expect(await apps()).toHaveLength(2);
});

test("a create that arrives twice leaves one app, and tells of the other", async () => {
  await start(catalog.targetApp);
  subject.emulator.addFaults([{ method: "POST", path: "/target_app", times: 1, twice: "second" }]);
  const made = await subject.up({ name: "shop", description: "New" });
  expect(subject.lines).toContainEqual(
    expect.stringContaining("made by a request that arrived twice: removed"),
  );
  expect((await subject.refresh(made))?.outputs.description).toBe("New");
  expect(await apps()).toHaveLength(1);
});

test("an update whose read is late takes its own last write for no change in the console", async () => {
  await start(parts.gateOverrides);
  const gate = "overridden_gate";
  const passing = (...passingUserIDs: string[]) => ({ gate, passingUserIDs });
  const made = await subject.up(passing("qa_1"));
  // The next update reads in time; the one after it sees what was there before, twice.
  const path = `/gates/${gate}/overrides`;
  subject.emulator.addFaults([{ method: "GET", path, after: 1, times: 2, stale: true }]);
  const changed = await subject.update(made, passing("qa_1", "qa_2"));
  const last = await subject.update(changed, passing("qa_1", "qa_2", "qa_3"));
  const all = { passingUserIDs: ["qa_1", "qa_2", "qa_3"] };
  expect(last.outputs).toMatchObject(all);
  expect(await subject.raw.gate.getOverrides({ id: gate })).toMatchObject(all);
  expect(subject.lines.filter((line) => line.includes("changed in the console"))).toEqual([]);
});

test("a create whose answer got lost is not sent again because the first look is late", async () => {
  await start(catalog.alert);
  subject.emulator.addFaults([
    { method: "POST", times: 1, reset: "after" },
    { times: 1, stale: true },
  ]);
  await subject.up(catalog.alert.samples.fullest);
  expect(await allOf(subject.raw.alert.list())).toHaveLength(1);
});

test("a refresh keeps what one late read does not show", async () => {
  await start(catalog.alert);
  subject.emulator.addFaults([{ path: "/never-asked", times: 1, stale: true }]);
  const made = await subject.up(catalog.alert.samples.fullest);
  subject.emulator.addFaults([{ times: 1, stale: true }]);
  expect((await subject.refresh(made))?.id).toBe(made.id);
});
