import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { adapters, type Subject, type SubjectOptions, startSubject } from "../laws/subject";
import { allOf } from "../support/raw-client";

let subject: Subject;
afterEach(() => subject.close());

const start = async (definition: ResourceDefinition, options: SubjectOptions = {}) => {
  subject = await startSubject(definition, options);
};
const place = (...names: string[]) => path.join(subject.folder, ".feature-console", ...names);
/** The file of the journal. */
const journal = () => place("journal", readdirSync(place("journal"))[0] ?? "");
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
  const older = (at: string) => String(Number(at) - 8 * 24 * 3_600_000);
  writeFileSync(journal(), readFileSync(journal(), "utf8").replace(/(?<="at":)\d+/g, older));
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

const alertIds = () => idsOf(subject.raw.alert.list());

/** An alert that a run has made which died before it heard of it. */
const killedAlert = () =>
  cutOff(
    "POST",
    "/alerts",
    () => up(alert),
    async () => (await alertIds())[0],
  );

test("an alert that was deleted by hand, and that a killed run made again, is not made a third time", async () => {
  await start(catalog.alert);
  const { id } = await up(alert);
  await subject.raw.alert.delete({ id });
  subject.nextRun();
  const made = await killedAlert();
  expect((await up(alert)).id).toBe(made);
  expect(await alertIds()).toEqual([made]);
});

test("of target apps, one that was given the name since is not the one that a killed run made", async () => {
  await start(catalog.targetApp);
  const app = { name: "Shop", description: "Shop" };
  const { id: theirs } = await subject.raw.targetApp.create({ body: { ...app, name: "Theirs" } });
  const appMade = async () => (await idsOf(subject.raw.targetApp.list())).find((id) => id !== theirs);
  const made = await cutOff("POST", "/target_app", () => up(app), appMade);
  await subject.raw.targetApp.patch({ id: String(theirs), body: { name: app.name } });
  expect((await up(app)).id).toBe(made);
});

test("what a killed run made was taken over and deleted by hand: an equal one of somebody else is not taken", async () => {
  await start(catalog.alert);
  const made = await killedAlert();
  expect((await up(alert)).id).toBe(made);
  await subject.raw.alert.delete({ id: String(made) });
  const { id: theirs } = await subject.raw.alert.create({ body: alert });
  subject.nextRun();
  expect((await up(alert)).id).not.toBe(theirs);
});

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
    await cutOff("PUT", "/gates/old/unarchive", () => subject.update(gate, changed), isOpen);
    await subject.update(gate, changed);
    expect(await subject.raw.gate.get({ id: "old" })).toMatchObject({
      ...{ status: "Archived", description: "Two" },
    });
    expect(subject.lines.join("\n")).not.toContain("left as it is");
  });

  test("by somebody else: it stays in use, and that is said, also after a change of this stack", async () => {
    await start(catalog.gate);
    const gate = await subject.update(await up(args), changed);
    await subject.raw.gate.unarchive({ id: "old", body: {} });
    await subject.update(gate, { ...args, description: "Three" });
    expect(await isOpen()).toBe("In Progress");
    expect(subject.lines.join("\n")).toContain("status changed in the console since the last refresh");
  });
});

const lost = (why: string) =>
  `The create journal of this stack in .feature-console/journal ${why}: after a kill, what this run created has to be ` +
  "taken over by hand, with adopt: true or FEATURE_CONSOLE_TAKE_OVER=1. " +
  '"npx feature-console doctor" shows whether it can be kept again.';

describe.each(adapters)("an up whose journal cannot be kept (%s)", (adapter) => {
  const named = (name: string) => ({ name, description: name });

  test("reports once in a run what is lost, goes on, and uses a place again that has room", async () => {
    await start(catalog.tag, { adapter });
    writeFileSync(place(), "a file");
    for (const name of ["shop", "other"]) expect((await up(named(name))).id).toBe(name);
    expect(subject.lines).toEqual([lost("cannot be written (a part of its path is a file, not a folder)")]);
    subject.nextRun();
    await up(named("third"));
    expect(subject.lines).toHaveLength(2);
    rmSync(place());
    await up(named("fourth"));
    expect(readFileSync(journal(), "utf8")).toContain("fourth");
  });

  test.each<[string, (file: string) => void]>([
    ["cannot be written (the disk is full)", (file) => symlinkSync("/dev/full", file)],
    [
      "cannot be read (it is a folder)",
      (file) => {
        mkdirSync(file);
        subject.nextRun();
      },
    ],
  ])("names why it %s", async (why, spoil) => {
    await start(catalog.tag, { adapter });
    await up(named("shop"));
    expect(subject.lines).toEqual([]);
    const file = journal();
    rmSync(file);
    spoil(file);
    await up(named("other"));
    expect(subject.lines).toEqual([lost(why)]);
  });

  test("where Redis has the creates too, the line says where they are noted", async () => {
    await start(catalog.tag, { adapter, config: { "feature-console:redisUrl": "redis://127.0.0.1:1" } });
    writeFileSync(place(), "a file");
    await up(named("shop"));
    const only = "creates are noted in the Redis of feature-console:redisUrl only";
    expect(subject.lines.join("\n")).toContain(only);
  });
});

test("an update that creates nothing reports nothing of a lost journal", async () => {
  await start(catalog.tag);
  const made = await up(tag);
  subject.nextRun();
  rmSync(place(), { recursive: true });
  writeFileSync(place(), "a file");
  await subject.update(made, { ...tag, description: "Other" });
  expect(subject.lines).toEqual([]);
});

test("the folder is this user's alone, and git sees nothing of it but the notes of import", async () => {
  await start(catalog.tag);
  mkdirSync(place("journal"), { recursive: true, mode: 0o755 });
  await up(tag);
  const modes = [place(), journal()].map((file) => statSync(file).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
  expect(readFileSync(place(".gitignore"), "utf8")).toBe("*\n!import.json\n");
  writeFileSync(place(".gitignore"), "mine");
  subject.nextRun();
  await up({ ...tag, name: "other" });
  expect(readFileSync(place(".gitignore"), "utf8")).toBe("mine");
});

/** Lets a run die of which the console has carried out a request that it never hears of. @returns what that led to. */
async function cutOff<T>(
  method: "POST" | "PUT",
  path: string,
  run: () => Promise<unknown>,
  seen: () => Promise<T | undefined>,
): Promise<T> {
  subject.emulator.addFaults([{ method, path, times: 1, byteEveryMs: 500 }]);
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
