import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { Fault } from "../../src/emulator";
import { createClient } from "../../src/provider/client";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Resource, type Subject, startSubject } from "../laws/subject";
import { allOf } from "../support/raw-client";

const args = { description: "Checkout servers", type: "SERVER", rotation: "1" };
let subject: Subject;
afterEach(() => subject.close());

const keyIn = ({ outputs }: Resource): string => String(outputs.value);
const keys = () => allOf(subject.raw.key.list());

describe("a key", () => {
  test("has an id that tells nothing of it, and its value as an output", async () => {
    subject = await startSubject(catalog.key);
    const made = await subject.up(args);
    expect(made.id).toMatch(/^[0-9a-f]{32}$/);
    expect(await subject.raw.key.get({ id: keyIn(made) })).toMatchObject({
      description: "Checkout servers",
    });
    expect(subject.emulator.requests.map(({ route }) => route)).not.toContain("rotate");
  });

  test("that was taken over by its description is replaced like any other: it is not taken for the new one", async () => {
    subject = await startSubject(catalog.key);
    const made = await subject.up({ ...args, adopt: true });
    const next = { ...args, type: "CLIENT", adopt: true };
    subject.nextRun();
    expect((await subject.diff(made, { ...next, __program: { preview: true } })).replaces).toEqual(["type"]);
    expect(await subject.problems({ ...next, __program: { preview: true } })).toEqual([]);
    const order = `the new key is created first; key "${made.id}" is archived after what uses it has moved.`;
    expect(subject.lines).toEqual([order]);
    subject.nextRun();
    const other = await subject.replace(made, { ...next, __program: { preview: false } });
    expect((await keys()).map(({ key, status }) => [key, status])).toEqual([
      [keyIn(made), "deactivated"],
      [keyIn(other), "active"],
    ]);
  });

  test("gets another value when the rotation changes; the old one stops working", async () => {
    subject = await startSubject(catalog.key);
    const made = await subject.up(args);
    const next = { ...args, rotation: "2" };
    expect((await subject.diff(made, next)).quiet).toBe(false);
    const rotated = await subject.update(made, next);
    expect(rotated.id).toBe(made.id);
    expect(keyIn(rotated)).not.toBe(keyIn(made));
    expect((await keys()).map(({ key }) => key)).toEqual([keyIn(rotated)]);
    subject.nextRun();
    const seen = (await subject.refresh(rotated)) ?? made;
    expect(keyIn(seen)).toBe(keyIn(rotated));
    expect(await subject.diff(seen, next)).toEqual({ quiet: true, replaces: [] });
    expect(subject.lines.join("\n")).toContain("has another value; the old one has stopped working");
  });

  test("is rotated with the old value kept where the program asks for it", async () => {
    subject = await startSubject(catalog.key);
    const made = await subject.up({ ...args, scopes: ["omni_read_only"] });
    const next = { ...args, scopes: ["omni_read_only"], rotation: "2", onRotation: "keep" };
    const rotated = await subject.update(made, next);
    expect(rotated.id).toBe(made.id);
    expect(await keys()).toMatchObject([
      { key: keyIn(made), status: "active" },
      { key: keyIn(rotated), status: "active", scopes: ["omni_read_only"] },
    ]);
    await subject.destroy(rotated);
    expect((await keys()).map(({ status }) => status)).toEqual(["active", "deactivated"]);
  });

  test("is deactivated by destroy, and the next up makes another", async () => {
    subject = await startSubject(catalog.key);
    const made = await subject.up(args);
    await subject.destroy(made);
    await subject.destroy(made);
    expect(await keys()).toMatchObject([{ key: keyIn(made), status: "deactivated" }]);
    subject.nextRun();
    expect((await subject.up(args)).id).not.toBe(made.id);
  });

  test("that was deactivated by hand counts as gone", async () => {
    subject = await startSubject(catalog.key);
    const made = await subject.up(args);
    await subject.raw.key.deactivate({ id: keyIn(made) });
    expect(await subject.refresh(made)).toBeUndefined();
  });

  test("keeps its value where reads hide it", async () => {
    subject = await startSubject(catalog.key, { behaviour: { keysInReads: "hide" } });
    const made = await subject.up(args);
    const changed = await subject.update(made, { ...args, description: "Other servers" });
    expect(keyIn(changed)).toBe(keyIn(made));
    subject.nextRun();
    const seen = (await subject.refresh(changed)) ?? made;
    expect(keyIn(seen)).toBe(keyIn(made));
    const rotated = await subject.update(seen, { ...args, description: "Other servers", rotation: "2" });
    expect(await subject.raw.key.get({ id: keyIn(rotated) })).toMatchObject({ key: null });
  });

  test("is taken over by its description, without a rotation, and never imported", async () => {
    subject = await startSubject(catalog.key);
    const { key } = await subject.raw.key.create({
      body: { description: args.description, type: args.type },
    });
    const taken = await subject.up({ ...args, adopt: true });
    expect(keyIn(taken)).toBe(key);
    expect(subject.emulator.requests.map(({ route }) => route)).not.toContain("rotate");
    expect(await subject.problems({ ...args, __adopt: key })).toEqual([
      { property: "", reason: expect.stringMatching(/^import: .*cannot be imported/) },
    ]);
  });

  test("whose value is not shown cannot be taken over, and no other is made in its place", async () => {
    subject = await startSubject(catalog.key, { behaviour: { keysInReads: "hide" } });
    const body = { description: args.description, type: args.type };
    await subject.raw.key.create({ body });
    await expect(subject.up({ ...args, adopt: true })).rejects.toThrow(
      /The key "Checkout servers" exists already.*does not show the secret value.*Leave out adopt/s,
    );
    expect(await keys()).toHaveLength(1);
    await subject.up(args);
    expect(await keys()).toHaveLength(2);
  });

  test("is not taken over where two have its description", async () => {
    subject = await startSubject(catalog.key);
    const body = { description: args.description, type: args.type };
    await subject.raw.key.create({ body });
    await subject.raw.key.create({ body });
    await expect(subject.up({ ...args, adopt: true })).rejects.toThrow(
      /2 objects have the name "Checkout servers".*Rename the others in the console/s,
    );
    expect(await keys()).toHaveLength(2);
  });

  test("whose new value was lost on its way is no longer there for the next run", async () => {
    subject = await startSubject(catalog.key);
    const made = await subject.up(args);
    subject.emulator.addFaults([{ method: "PATCH", path: "/keys/*/rotate", reset: "after", times: 1 }]);
    const next = { ...args, rotation: "2" };
    await expect(subject.update(made, next)).rejects.toThrow(
      /The new value of key .* was lost.*pulumi refresh/s,
    );
    const rotations = subject.emulator.requests.filter(({ route }) => route === "rotate");
    expect(rotations).toHaveLength(1);
    subject.nextRun();
    expect(await subject.refresh(made)).toBeUndefined();
  });
});

describe("whatever the console answers, no message, line or note shows a key", () => {
  const faults: [string, (key: string) => Omit<Fault, "method" | "times">][] = [
    ["400 that repeats it", (key) => ({ status: 400, body: echo(400, key) })],
    ["404 that repeats it", (key) => ({ status: 404, body: { status: 404, message: `No ${key} here` } })],
    ["403", () => ({ status: 403 })],
    ["500 that repeats it", (key) => ({ status: 500, body: echo(500, key) })],
    ["no answer, carried out", () => ({ reset: "after" })],
    ["no answer", () => ({ reset: "before" })],
    [
      "another key",
      () => ({ status: 200, body: { message: "", data: { key: "another-one", type: "SERVER" } } }),
    ],
  ];

  test.each(faults)(
    "%s",
    async (_, faultOf) => {
      for (const [method, verb] of verbs) {
        subject = await startSubject(catalog.key);
        const made = await subject.up(args);
        const key = keyIn(made);
        subject.emulator.addFaults([{ ...faultOf(key), method, times: 20 }]);
        const failure = await verb(made).then(
          () => undefined,
          (error: unknown) => error,
        );
        const outputs = (failure as { properties?: JsonObject })?.properties ?? {};
        const shown = [told(failure, outputs), ...subject.lines, ...notes(subject.folder)].join("\n");
        expect([method, shown.includes(key)]).toEqual([method, false]);
        await subject.close();
      }
      subject = await startSubject(catalog.key);
    },
    120_000,
  );

  test("the client by itself does not show it either", async () => {
    subject = await startSubject(catalog.key);
    const key = keyIn(await subject.up(args));
    const client = createClient({ profile: "custom", baseUrl: subject.emulator.url, apiKey: "any" });
    subject.emulator.addFaults([{ method: "GET", times: 1, status: 400, body: echo(400, key) }]);
    const failure = await client.key.get({ id: key }).catch((error: unknown) => error);
    expect(told(failure, {})).toContain("GET /keys/{id} answered 400: Not with [hidden]; a: [hidden]");
    expect(told(failure, {})).not.toContain(key);
  });

  const verbs: ["GET" | "PATCH" | "DELETE", (made: Resource) => Promise<unknown>][] = [
    ["GET", (made) => subject.refresh(made)],
    ["GET", (made) => subject.update(made, { ...args, description: "Other" })],
    ["PATCH", (made) => subject.update(made, { ...args, description: "Other" })],
    ["PATCH", (made) => subject.update(made, { ...args, rotation: "2" })],
    ["PATCH", (made) => subject.destroy(made)],
    ["DELETE", (made) => subject.destroy({ ...made, outputs: { ...made.outputs, onDelete: "delete" } })],
  ];
});

function echo(status: number, key: string): JsonObject {
  return { status, message: `Not with ${key}`, errors: [{ property: "a", errorMessage: key }] };
}

/** All that an error says, with its causes; without the state that it carries, whose secrets the engine hides. */
function told(error: unknown, outputs: JsonObject): string {
  if (!(error instanceof Error)) return String(error);
  const { properties: _properties, ...members } = error as Error & JsonObject;
  const own = JSON.stringify({ ...members, message: error.message, stack: error.stack, text: String(error) });
  expect(Object.keys(outputs).every((name) => name !== "id")).toBe(true);
  return `${own}\n${error.cause === undefined ? "" : told(error.cause, {})}`;
}

/** What is written into the folder of the project. */
function notes(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "utf8"));
}
