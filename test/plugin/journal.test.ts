import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/catalog";
import type { ResourceDefinition } from "../../src/core/define";
import { type Subject, startSubject } from "../laws/subject";

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
  await expect(up(tag)).rejects.toThrow('tag "shop" exists already. It is what the program says.');
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
  const second = await up({ ...alert, __logicalName: "second" });
  expect(second.id).not.toBe(first.id);
});

test("an alert that was deleted by hand, and that a killed run made again, is not made a third time", async () => {
  await start(catalog.alert);
  const { id } = await up(alert);
  await subject.raw.alert.delete({ id });
  subject.nextRun();
  // The console has carried the create out, and the run never hears of it.
  subject.emulator.addFaults([{ method: "POST", path: "/alerts", times: 1, byteEveryMs: 500 }]);
  void up(alert).catch(() => undefined);
  const ids = async () => {
    const all: unknown[] = [];
    for await (const one of subject.raw.alert.list()) all.push(one.id);
    return all;
  };
  while ((await ids()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const [made] = await ids();
  subject.nextRun();
  expect((await up(alert)).id).toBe(made);
  expect(await ids()).toEqual([made]);
}, 20_000);
