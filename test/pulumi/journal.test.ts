import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { type Subject, startSubject } from "../laws/subject";
import { allOf } from "../support/raw-client";

let subject: Subject;
afterEach(() => subject.close());

const start = async (definition: ResourceDefinition) => {
  subject = await startSubject(definition);
};
const up = (args: object) => subject.up({ ...args });
const tag = { name: "shop", description: "Shop" };
const alert = { name: "Few orders", message: "Look", alertThreshold: 3 };

test("an equal tag that was there before is nobody's lost create", async () => {
  await start(catalog.tag);
  await subject.raw.tag.create({ body: tag });
  await expect(up(tag)).rejects.toThrow('tag "shop" exists already. It matches the program.');
  subject.nextRun();
  await expect(up(tag)).rejects.toThrow("exists already");
});

test("a tag that an interrupted run of this stack made is taken over; another stack is refused it", async () => {
  await start(catalog.tag);
  await up(tag);
  subject.nextRun("prod");
  await expect(up(tag)).rejects.toThrow("exists already");
  subject.nextRun();
  await expect(up(tag)).resolves.toMatchObject({ id: "shop" });
});

test("a note counts for a week", async () => {
  await start(catalog.tag);
  await up(tag);
  const folder = path.join(subject.folder, ".feature-console", "journal");
  const [file = ""] = readdirSync(folder).map((name) => path.join(folder, name));
  const older = (at: string) => String(Number(at) - 8 * 24 * 3_600_000);
  writeFileSync(file, readFileSync(file, "utf8").replace(/(?<="at":)\d+/g, older));
  subject.nextRun();
  await expect(up(tag)).rejects.toThrow("exists already");
});

test("of alerts of one name, the one that was not there before is taken over", async () => {
  await start(catalog.alert);
  const { id: theirs } = await subject.raw.alert.create({ body: { name: alert.name, message: "Other" } });
  const made = await up(alert);
  subject.nextRun();
  const again = await up(alert);
  expect(again.id).toBe(made.id);
  expect(again.id).not.toBe(theirs);
  expect((await subject.raw.alert.get({ id: String(theirs) })).message).toBe("Other");
});

test("without a note, an alert that may be what a run left is not made a second time", async () => {
  await start(catalog.alert);
  const { id } = await subject.raw.alert.create({ body: { name: alert.name, message: alert.message } });
  await expect(up(alert)).rejects.toThrow(`alert "${id}" exists already.`);
  await expect(up({ ...alert, adopt: true })).resolves.toMatchObject({ id });
});

test("once it was destroyed, an equal tag that somebody else made is refused again", async () => {
  await start(catalog.tag);
  const made = await up(tag);
  subject.nextRun();
  await subject.destroy(made);
  await subject.raw.tag.create({ body: tag });
  subject.nextRun();
  await expect(up(tag)).rejects.toThrow("exists already");
});

test("a second alert of a name does not get the one that another resource holds", async () => {
  await start(catalog.alert);
  const first = await up(alert);
  subject.nextRun();
  expect((await subject.diff(first, alert)).quiet).toBe(true);
  const second = await up({ ...alert, __program: { name: "second" } });
  expect(second.id).not.toBe(first.id);
});

test("an alert that was deleted by hand, and that a killed run made again, is not made a third time", async () => {
  await start(catalog.alert);
  const { id } = await up(alert);
  await subject.raw.alert.delete({ id });
  subject.nextRun();
  const hung: Fault = { method: "POST", path: "/alerts", times: 1, byteEveryMs: 500 };
  const made = await cutOff(
    hung,
    () => up(alert),
    async () => (await idsOf(subject.raw.alert.list()))[0],
  );
  expect((await up(alert)).id).toBe(made);
  expect(await idsOf(subject.raw.alert.list())).toEqual([made]);
}, 20_000);

test("of target apps, one that was given the name since is not the one that a killed run made", async () => {
  await start(catalog.targetApp);
  const app = { name: "Shop", description: "Shop" };
  const { id: theirs } = await subject.raw.targetApp.create({ body: { ...app, name: "Theirs" } });
  const hung: Fault = { method: "POST", path: "/target_app", times: 1, byteEveryMs: 500 };
  const made = await cutOff(
    hung,
    () => up(app),
    async () => {
      const ids = await idsOf(subject.raw.targetApp.list());
      return ids.find((id) => id !== theirs);
    },
  );
  await subject.raw.targetApp.patch({ id: String(theirs), body: { name: app.name } });
  expect((await up(app)).id).toBe(made);
}, 20_000);

test("what a killed run made was taken over and deleted by hand: an equal one of somebody else is not taken", async () => {
  await start(catalog.alert);
  const hung: Fault = { method: "POST", path: "/alerts", times: 1, byteEveryMs: 500 };
  const made = await cutOff(
    hung,
    () => up(alert),
    async () => (await idsOf(subject.raw.alert.list()))[0],
  );
  expect((await up(alert)).id).toBe(made);
  await subject.raw.alert.delete({ id: String(made) });
  const { id: theirs } = await subject.raw.alert.create({ body: alert });
  subject.nextRun();
  expect((await up(alert)).id).not.toBe(theirs);
}, 20_000);

describe("a gate whose program says that it is archived, brought back for a change", () => {
  const args = { key: "old", description: "One", status: "Archived" };
  const changed = { ...args, description: "Two" };
  const isOpen = async () => {
    const { status } = await subject.raw.gate.get({ id: "old" });
    return status === "Archived" ? undefined : status;
  };

  test("by a run that was killed then: the next one makes the change and archives it again", async () => {
    await start(catalog.gate);
    const gate = await up(args);
    const hung: Fault = { method: "PUT", path: "/gates/old/unarchive", times: 1, byteEveryMs: 500 };
    await cutOff(hung, () => subject.update(gate, changed), isOpen);
    await subject.update(gate, changed);
    expect(await subject.raw.gate.get({ id: "old" })).toMatchObject({
      ...{ status: "Archived", description: "Two" },
    });
    expect(subject.lines.join("\n")).not.toContain("left as it is");
  }, 20_000);

  test("by somebody else: it stays in use, and that is said, also after a change of this stack", async () => {
    await start(catalog.gate);
    const gate = await subject.update(await up(args), changed);
    await subject.raw.gate.unarchive({ id: "old", body: {} });
    await subject.update(gate, { ...args, description: "Three" });
    expect(await isOpen()).toBe("In Progress");
    expect(subject.lines.join("\n")).toContain("status changed in the console since the last refresh");
  });
});

type Fault = Parameters<Subject["emulator"]["addFaults"]>[0][number];

/** Lets a run die of which the console has carried out a request that it never hears of. @returns what that led to. */
async function cutOff<T>(
  fault: Fault,
  run: () => Promise<unknown>,
  seen: () => Promise<T | undefined>,
): Promise<T> {
  subject.emulator.addFaults([fault]);
  void run().catch(() => undefined);
  for (;;) {
    const result = await seen();
    if (result !== undefined) {
      subject.nextRun();
      return result;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function idsOf(list: AsyncIterable<{ readonly id?: unknown }>): Promise<unknown[]> {
  return (await allOf(list)).map(({ id }) => id);
}
