import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import type { Fault } from "../../src/emulator";
import { createClient } from "../../src/provider/client";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectChange, expectQuiet, fault, live, refreshed, start, subject } from "../laws/harness";
import type { Resource } from "../laws/subject";
import { allOf } from "../support/raw-client";

const args = { description: "Checkout servers", type: "SERVER", rotation: "1" };
/** What a person makes. */
const byHand = { body: { description: args.description, type: args.type } };
const rotation = { ...args, rotation: "2" };
const hiding = { behaviour: { keysInReads: "hide" } } as const;

const keyIn = ({ outputs }: Resource): string => String(outputs.value);
const keys = () => allOf(subject.raw.key.list());
const routes = () => subject.emulator.requests.map(({ route }) => route);

describe("a key", () => {
  test("has an id that tells nothing of it, and its value as an output", async () => {
    await start(catalog.key);
    const made = await subject.up(args);
    expect(made.id).toMatch(/^[0-9a-f]{32}$/);
    expect(await live(keyIn(made))).toMatchObject({ description: "Checkout servers" });
    expect(routes()).not.toContain("rotate");
  });

  test("that was taken over by its description is replaced like any other: it is not taken for the new one", async () => {
    await start(catalog.key);
    const made = await subject.up({ ...args, adopt: true });
    const next = (preview: boolean) => ({ ...args, type: "CLIENT", adopt: true, __program: { preview } });
    subject.nextRun();
    expect((await subject.diff(made, next(true))).replaces).toEqual(["type"]);
    expect(await subject.problems(next(true))).toEqual([]);
    expect(subject.lines).toEqual([
      `the new key is created first; key "${made.id}" is archived after what uses it has moved.`,
    ]);
    subject.nextRun();
    const other = await subject.replace(made, next(false));
    expect((await keys()).map(({ key, status }) => [key, status])).toEqual([
      [keyIn(made), "deactivated"],
      [keyIn(other), "active"],
    ]);
  });

  test("gets another value when the rotation changes; the old one stops working", async () => {
    await start(catalog.key);
    const made = await subject.up(args);
    await expectChange(made, rotation);
    const rotated = await subject.update(made, rotation);
    expect(rotated.id).toBe(made.id);
    expect(keyIn(rotated)).not.toBe(keyIn(made));
    expect((await keys()).map(({ key }) => key)).toEqual([keyIn(rotated)]);
    subject.nextRun();
    const seen = await refreshed(rotated);
    expect(keyIn(seen)).toBe(keyIn(rotated));
    await expectQuiet(seen, rotation);
    expect(subject.lines.join("\n")).toContain("has another value; the old one has stopped working");
  });

  test("is rotated with the old value kept where the program asks for it", async () => {
    await start(catalog.key);
    const scopes = ["omni_read_only"];
    const made = await subject.up({ ...args, scopes });
    const rotated = await subject.update(made, { ...rotation, scopes, onRotation: "keep" });
    expect(rotated.id).toBe(made.id);
    expect(await keys()).toMatchObject([
      { key: keyIn(made), status: "active" },
      { key: keyIn(rotated), status: "active", scopes },
    ]);
    await subject.destroy(rotated);
    expect((await keys()).map(({ status }) => status)).toEqual(["active", "deactivated"]);
  });

  test("is deactivated by destroy, and the next up makes another; one that was deactivated by hand counts as gone", async () => {
    await start(catalog.key);
    const made = await subject.up(args);
    await subject.destroy(made);
    await subject.destroy(made);
    expect(await keys()).toMatchObject([{ key: keyIn(made), status: "deactivated" }]);
    subject.nextRun();
    const other = await subject.up(args);
    expect(other.id).not.toBe(made.id);
    await subject.raw.key.deactivate({ id: keyIn(other) });
    expect(await subject.refresh(other)).toBeUndefined();
  });

  test("keeps its value where reads hide it", async () => {
    await start(catalog.key, hiding);
    const made = await subject.up(args);
    const other = { description: "Other servers" };
    const changed = await subject.update(made, { ...args, ...other });
    expect(keyIn(changed)).toBe(keyIn(made));
    subject.nextRun();
    const seen = await refreshed(changed);
    expect(keyIn(seen)).toBe(keyIn(made));
    const rotated = await subject.update(seen, { ...rotation, ...other });
    expect(await live(keyIn(rotated))).toMatchObject({ key: null });
  });

  test("is taken over by its description, without a rotation, and never imported", async () => {
    await start(catalog.key);
    const { key } = await subject.raw.key.create(byHand);
    expect(keyIn(await subject.up({ ...args, adopt: true }))).toBe(key);
    expect(routes()).not.toContain("rotate");
    expect(await subject.problems({ ...args, __adopt: key })).toEqual([
      { property: "", reason: expect.stringMatching(/^import: .*cannot be imported/) },
    ]);
  });

  test("whose value is not shown cannot be taken over, and no other is made in its place", async () => {
    await start(catalog.key, hiding);
    await subject.raw.key.create(byHand);
    await expect(subject.up({ ...args, adopt: true })).rejects.toThrow(
      /The key "Checkout servers" exists already.*does not show the secret value.*Leave out adopt/s,
    );
    expect(await keys()).toHaveLength(1);
    await subject.up(args);
    expect(await keys()).toHaveLength(2);
  });

  test("is not taken over where two have its description", async () => {
    await start(catalog.key);
    for (const _key of [1, 2]) await subject.raw.key.create(byHand);
    await expect(subject.up({ ...args, adopt: true })).rejects.toThrow(
      /2 objects have the name "Checkout servers".*Rename the others in the console/s,
    );
    expect(await keys()).toHaveLength(2);
  });

  test("whose new value was lost on its way is no longer there for the next run", async () => {
    await start(catalog.key);
    const made = await subject.up(args);
    fault({ method: "PATCH", path: "/keys/*/rotate", reset: "after" });
    await expect(subject.update(made, rotation)).rejects.toThrow(
      /The new value of key .* was lost.*pulumi refresh/s,
    );
    expect(routes().filter((route) => route === "rotate")).toHaveLength(1);
    subject.nextRun();
    expect(await subject.refresh(made)).toBeUndefined();
  });
});

describe("whatever the console answers, no message, line or note shows a key", () => {
  const repeating = (status: number) => (key: string) => ({ status, body: echo(status, key) });
  const another = { message: "", data: { key: "another-one", type: "SERVER" } };
  const faults: [string, (key: string) => Partial<Fault>][] = [
    ["400 that repeats it", repeating(400)],
    ["404 that repeats it", (key) => ({ status: 404, body: { status: 404, message: `No ${key} here` } })],
    ["403", () => ({ status: 403 })],
    ["500 that repeats it", repeating(500)],
    ["no answer, carried out", () => ({ reset: "after" })],
    ["no answer", () => ({ reset: "before" })],
    ["another key", () => ({ status: 200, body: another })],
  ];
  const deleting = { onDelete: "delete" };
  const verbs: ["GET" | "PATCH" | "DELETE", (made: Resource) => Promise<unknown>][] = [
    ["GET", (made) => subject.refresh(made)],
    ["GET", (made) => subject.update(made, { ...args, description: "Other" })],
    ["PATCH", (made) => subject.update(made, { ...args, description: "Other" })],
    ["PATCH", (made) => subject.update(made, rotation)],
    ["PATCH", (made) => subject.destroy(made)],
    ["DELETE", (made) => subject.destroy({ ...made, outputs: { ...made.outputs, ...deleting } })],
  ];

  test.each(faults)("%s", async (_, faultOf) => {
    for (const [method, verb] of verbs) {
      await start(catalog.key);
      const made = await subject.up(args);
      fault({ ...faultOf(keyIn(made)), method, times: 20 });
      const failure = await verb(made).then(
        () => undefined,
        (error: unknown) => error,
      );
      const outputs = (failure as { properties?: JsonObject })?.properties ?? {};
      const shown = [told(failure, outputs), ...subject.lines, ...notes(subject.folder)].join("\n");
      expect([method, shown.includes(keyIn(made))]).toEqual([method, false]);
    }
  });

  test("the client by itself does not show it either", async () => {
    await start(catalog.key);
    const key = keyIn(await subject.up(args));
    const client = createClient({ profile: "custom", baseUrl: subject.emulator.url, apiKey: "any" });
    fault({ method: "GET", ...repeating(400)(key) });
    const shown = told(await client.key.get({ id: key }).catch((error: unknown) => error), {});
    expect(shown).toContain("GET /keys/{id} answered 400: Not with [hidden]; a: [hidden]");
    expect(shown).not.toContain(key);
  });
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
