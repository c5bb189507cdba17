import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { adapters, type Subject, type SubjectOptions, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const tag = (name: string) => ({ name, description: name });
const place = (...names: string[]) => path.join(subject.folder, ".feature-console", ...names);
const lost = (why: string) =>
  `The create journal of this stack in .feature-console/journal ${why}: after a kill, what this run created has to be ` +
  "taken over by hand, with adopt: true or FEATURE_CONSOLE_TAKE_OVER=1. " +
  '"npx feature-console doctor" shows whether it can be kept again.';

describe.each(adapters)("an up whose journal cannot be kept (%s)", (adapter) => {
  const start = async (options: SubjectOptions = {}) => {
    subject = await startSubject(catalog.tag, { adapter, ...options });
  };

  test("reports once in a run what is lost, and goes on", async () => {
    await start();
    writeFileSync(place(), "a file");
    expect((await subject.up(tag("shop"))).id).toBe("shop");
    await subject.up(tag("other"));
    expect(subject.lines).toEqual([lost("cannot be written (a part of its path is a file, not a folder)")]);
    subject.nextRun();
    await subject.up(tag("third"));
    expect(subject.lines).toHaveLength(2);
  });

  test("names a full disk", async () => {
    await start();
    await subject.up(tag("shop"));
    expect(subject.lines).toEqual([]);
    const [file = ""] = readdirSync(place("journal"));
    rmSync(place("journal", file));
    symlinkSync("/dev/full", place("journal", file));
    await subject.up(tag("other"));
    expect(subject.lines).toEqual([lost("cannot be written (the disk is full)")]);
  });

  test("names a journal that cannot be read", async () => {
    await start();
    await subject.up(tag("shop"));
    const [file = ""] = readdirSync(place("journal"));
    rmSync(place("journal", file));
    mkdirSync(place("journal", file));
    subject.nextRun();
    await subject.up(tag("other"));
    expect(subject.lines).toEqual([lost("cannot be read (it is a folder)")]);
  });

  test("a disk that has room again is used again", async () => {
    await start();
    writeFileSync(place(), "a file");
    await subject.up(tag("shop"));
    rmSync(place());
    await subject.up(tag("other"));
    expect(readFileSync(place("journal", readdirSync(place("journal"))[0] ?? ""), "utf8")).toContain("other");
  });

  test("where Redis has the creates too, the line says where they are noted", async () => {
    await start({ config: { "feature-console:redisUrl": "redis://127.0.0.1:1" } });
    writeFileSync(place(), "a file");
    await subject.up(tag("shop"));
    expect(subject.lines.join("\n")).toContain(
      "creates are noted in the Redis of feature-console:redisUrl only",
    );
  });
});

test("an update that creates nothing reports nothing", async () => {
  subject = await startSubject(catalog.tag);
  const made = await subject.up(tag("shop"));
  subject.nextRun();
  rmSync(place(), { recursive: true });
  writeFileSync(place(), "a file");
  await subject.update(made, { ...tag("shop"), description: "Other" });
  expect(subject.lines).toEqual([]);
});

test("the folder is this user's alone, and git sees nothing of it but the notes of import", async () => {
  subject = await startSubject(catalog.tag);
  mkdirSync(place("journal"), { recursive: true, mode: 0o755 });
  await subject.up(tag("shop"));
  expect(statSync(place()).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(place("journal")))
    expect(statSync(place("journal", name)).mode & 0o777).toBe(0o600);
  expect(readFileSync(place(".gitignore"), "utf8")).toBe("*\n!import.json\n");
  writeFileSync(place(".gitignore"), "mine");
  subject.nextRun();
  await subject.up(tag("other"));
  expect(readFileSync(place(".gitignore"), "utf8")).toBe("mine");
  expect(existsSync(place("journal"))).toBe(true);
});
