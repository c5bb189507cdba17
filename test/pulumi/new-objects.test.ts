import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Subject, startSubject } from "../laws/subject";
import { UNKNOWN_VALUE } from "../support/dynamic-host";

let subject: Subject;
afterEach(() => subject.close());

const start = async (definition: ResourceDefinition, options = {}) => {
  subject = await startSubject(definition, options);
};
/** A preview of a program that declares these resources, in a process of its own. */
const preview = async (...program: JsonObject[]) => {
  subject.nextRun();
  const before = subject.lines.length;
  for (const args of program)
    await subject.checked({
      ...args,
      __program: { name: args.key, preview: true, declared: program.length, ...(args.__program as object) },
    });
  return subject.lines.slice(before);
};
const asked = () => subject.emulator.requests.map(({ method, path }) => `${method} ${path.slice(11)}`);
const gates = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `gate_${index}` }));

test("a new gate whose key is free: one read, and not a word", async () => {
  await start(catalog.gate);
  expect(await preview({ key: "checkout" })).toEqual([]);
  expect(asked()).toEqual(["GET /gates/checkout"]);
});

test("a key that is taken: the update will fail, and how to go on; the update says the same", async () => {
  await start(catalog.gate);
  await subject.raw.gate.create({ body: { id: "checkout", name: "checkout", description: "Theirs" } });
  const [line = "", ...others] = await preview({ key: "checkout", description: "Ours" });
  expect(others).toEqual([]);
  expect(line).toMatch(
    /^This update will fail: gate "checkout" exists already\. It differs in description\. /,
  );
  expect(line).toContain("adopt: true");
  subject.nextRun();
  const refusal = line.replace("This update will fail: ", "");
  await expect(subject.up({ key: "checkout", description: "Ours" })).rejects.toThrow(refusal);
});

test("a gate that this stack archived comes back; one that is archived and different does not", async () => {
  await start(catalog.gate);
  const ours = await subject.up({ key: "ours", description: "Ours" });
  subject.nextRun();
  await subject.destroy(ours);
  await subject.raw.gate.create({ body: { id: "theirs", name: "theirs", description: "Theirs" } });
  await subject.raw.gate.archive({ id: "theirs", body: { archiveReason: "old" } });
  const lines = await preview({ key: "ours", description: "Ours" }, { key: "theirs" });
  expect(lines).toEqual([
    expect.stringMatching(/^gate "ours" is archived: would be brought back/),
    expect.stringMatching(/^This update will fail: gate "theirs" /),
  ]);
});

test("an experiment that ran and was archived does not come back running: the preview of the revert says so", async () => {
  await start(catalog.experiment);
  const groups = [
    { name: "Control", size: 50, parameterValues: {} },
    { name: "Test", size: 50, parameterValues: {} },
  ];
  const running = { key: "colours", hypothesis: "Blue sells", groups, status: "active" };
  const ours = await subject.up(running);
  subject.nextRun();
  await subject.destroy(ours);
  const [line = "", ...others] = await preview(running);
  expect(others).toEqual([]);
  expect(line).toMatch(/^This update will fail: experiment "colours" .*archived/);
  subject.nextRun();
  await expect(subject.up(running)).rejects.toThrow(line.replace("This update will fail: ", ""));
});

test("25 new objects are looked for side by side, and of the others a line gives the number", async () => {
  let underWay = 0;
  let most = 0;
  await start(catalog.gate, {
    through: (transport: import("../../src/provider/client/transport").Transport) => ({
      async send(request: import("../../src/provider/client/transport").WireRequest) {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 20));
        underWay -= 1;
        return transport.send(request);
      },
    }),
  });
  await subject.raw.gate.create({ body: { name: "gate_24" } });
  subject.emulator.clearRequests();
  expect(await preview(...gates(30))).toEqual([
    expect.stringMatching(/^This update will fail: gate "gate_24" exists already/),
    "5 new objects not checked: a preview looks for 25 in the console.",
  ]);
  expect(asked()).toHaveLength(25);
  expect(most).toBeGreaterThan(4);
});

test("an object whose key is not known yet is not looked for", async () => {
  await start(catalog.gate);
  expect(await preview({ key: UNKNOWN_VALUE, __program: { name: "later" } }, { key: "checkout" })).toEqual([
    "1 new object not checked: its key is not known before the update.",
  ]);
  expect(asked()).toEqual(["GET /gates/checkout"]);
});

test("a console that does not answer makes one line, and a refused key another; neither preview fails", async () => {
  await start(catalog.gate);
  subject.emulator.addFaults([{ method: "GET", path: "/gates", times: 1000, reset: "before" }]);
  const lines = await preview(...gates(30));
  expect(lines).toEqual([
    expect.stringMatching(/^30 new objects not checked: GET \/gates\/gate_\d: no answer/),
  ]);
  subject.emulator.clearFaults();
  subject.emulator.addFaults([{ method: "GET", path: "/gates", times: 1000, status: 401 }]);
  subject.emulator.clearRequests();
  expect(await preview(...gates(30))).toEqual([
    expect.stringMatching(/^30 new objects not checked: GET \/gates\/gate_\d answered 401/),
  ]);
  expect(asked().length).toBeLessThanOrEqual(8);
});

test("an update looks at nothing beforehand", async () => {
  await start(catalog.gate);
  subject.nextRun();
  await subject.up({ key: "checkout", __program: { preview: false, declared: 1 } });
  expect(asked()).toEqual(["GET /project", "POST /gates"]);
});

const untried =
  'The key was not tried: nothing in this preview has asked the console so far. "npx feature-console doctor --for up" tries it.';

test("a preview of an update asks nobody and says so once; an empty one says nothing", async () => {
  await start(catalog.gate);
  const [one, two] = [await subject.up({ key: "one" }), await subject.up({ key: "two" })];
  const said = (key: string, more: JsonObject, isPreview = true) => ({
    __program: { name: key, preview: isPreview, declared: 2 },
    ...{ key, ...more },
  });
  subject.nextRun();
  subject.emulator.clearRequests();
  await subject.plan(one, said("one", { description: "New" }));
  expect(subject.lines).not.toContain(untried);
  await subject.plan(two, said("two", { description: "New" }));
  expect(subject.lines.filter((line) => line === untried)).toHaveLength(1);
  expect(asked()).toEqual([]);
  const before = subject.lines.length;
  subject.nextRun();
  await subject.plan(one, said("one", {}));
  await subject.plan(two, said("two", {}));
  expect(subject.lines.slice(before)).toEqual([]);
  subject.nextRun();
  await subject.plan(one, said("one", { description: "New" }, false));
  await subject.plan(two, said("two", { description: "New" }, false));
  expect(subject.lines.slice(before)).toEqual([]);
});

test("what is replaced under its own key is not new: nothing is said of it", async () => {
  await start(catalog.gate);
  const made = await subject.up({ key: "checkout", idType: "userID" });
  subject.nextRun();
  const before = subject.lines.length;
  const next = { key: "checkout", idType: "stableID", __program: { preview: true, declared: 1 } };
  expect((await subject.plan(made, next)).replaces).toEqual(["idType"]);
  await subject.checked(next);
  expect(subject.lines.slice(before).filter((line) => /exists|new object/.test(line))).toEqual([]);
});
