import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Resource, type Subject, type SubjectOptions, startSubject } from "../laws/subject";
import { UNKNOWN_VALUE } from "../support/dynamic-host";

let subject: Subject;
afterEach(() => subject.close());

const start = async (definition: ResourceDefinition, options: SubjectOptions = {}) => {
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
const colours = {
  ...{ key: "colours", hypothesis: "Blue sells" },
  groups: ["Control", "Test"].map((name) => ({ name, size: 50, parameterValues: {} })),
};
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
  const running = { ...colours, status: "active" };
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
    through: (transport) => ({
      async send(request) {
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
  expect(await preview(...gates(30))).toEqual([
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
  const made = [await subject.up({ key: "one" }), await subject.up({ key: "two" })];
  /** Plans the same for both in a run. @returns what it told, one resource after the other. */
  const plan = async (more: JsonObject, isPreview = true) => {
    subject.nextRun();
    const told: (readonly string[])[] = [];
    for (const one of made) {
      const before = subject.lines.length;
      const note = { name: one.id, preview: isPreview, declared: 2 };
      await subject.plan(one, { key: one.id, ...more, __program: note });
      told.push(subject.lines.slice(before));
    }
    return told;
  };
  subject.emulator.clearRequests();
  const [first, second] = await plan({ description: "New" });
  expect(first).not.toContain(untried);
  expect(second?.filter((line) => line === untried)).toHaveLength(1);
  expect(asked()).toEqual([]);
  expect(await plan({})).toEqual([[], []]);
  expect(await plan({ description: "New" }, false)).toEqual([[], []]);
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

describe("an experiment that its program has archived", () => {
  const plan = (made: Resource, args: JsonObject, isPreview = true) => {
    subject.nextRun();
    return subject.plan(made, { ...args, __program: { preview: isPreview } });
  };
  const archived = async (status: string) => {
    await start(catalog.experiment);
    const made = await subject.up({ ...colours, status });
    await plan(made, { ...colours, status: "archived" }, false);
    return subject.update(made, { ...colours, status: "archived" });
  };

  test("comes back as ended if it ran: a preview refuses setup and active", async () => {
    const made = await archived("active");
    subject.emulator.clearRequests();
    for (const status of ["setup", "active"])
      await expect(plan(made, { ...colours, status })).rejects.toThrow(
        /experiment "colours": status: comes back from the archive as "abandoned", and cannot change from "abandoned" to /,
      );
    expect(subject.emulator.requests).toEqual([]);
  });

  test.each<[string, string, JsonObject]>([
    ["to setup with allowReset", "active", { status: "setup", allowReset: true }],
    ["and starts if it never ran", "setup", { status: "active" }],
  ])("comes back %s, as its preview says", async (_, ran, wants) => {
    const made = await archived(ran);
    if (ran === "setup") await plan(made, { ...colours, status: "setup" });
    else await plan(made, { ...colours, ...wants });
    await plan(made, { ...colours, ...wants }, false);
    await subject.update(made, { ...colours, ...wants });
    expect(await subject.raw.experiment.get({ id: "colours" })).toMatchObject({ status: wants.status });
  });
});

describe("an alert that two resources take over", () => {
  const named = (name: string, args: object) => ({ ...args, __program: { name, preview: true } });

  test("is refused to the second by a preview", async () => {
    await start(catalog.alert);
    const { id } = await subject.raw.alert.create({ body: { name: "Few orders" } });
    expect(await subject.problems(named("one", { name: "Few orders", __adopt: id }))).toEqual([]);
    const [problem] = await subject.problems(named("two", { name: "Many orders", __adopt: id }));
    expect(problem?.reason).toBe(
      `alert "${id}" is taken over by the resource "one" of this program already. Give one of the two another object, or remove it.`,
    );
  });

  test("is refused to the one that has it in state and goes on with it", async () => {
    await start(catalog.alert);
    const first = await subject.up({ __program: { name: "first" }, name: "Few orders" });
    subject.nextRun();
    expect(await subject.problems(named("second", { name: "Few orders", __adopt: first.id }))).toEqual([]);
    await expect(subject.diff(first, named("first", { name: "Many orders" }))).rejects.toThrow(
      `alert "${first.id}" is taken over by the resource "second" of this program already.`,
    );
  });
});
