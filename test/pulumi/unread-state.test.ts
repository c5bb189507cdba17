import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { late, within } from "../../src/provider/pulumi/patience";

const asked = { invoke: (): Promise<unknown> => Promise.reject(new Error("no lock\nat a place")) };
const monitor = { current: undefined as object | undefined };

/** What the engine's connection calls at the end. */
type Done = (error: Error | null, answer?: object) => void;

function connection(): object {
  return {
    invoke(_: unknown, done: Done) {
      asked.invoke().then(
        (values) => done(null, { getReturn: () => Struct.fromJavaScript(values as Record<string, never>) }),
        (error: Error) => done(error),
      );
    },
  };
}

jest.doMock("@pulumi/pulumi", () => {
  const pulumi = jest.requireActual<typeof import("@pulumi/pulumi")>("@pulumi/pulumi");
  const engine = { getMonitor: () => monitor.current, requirePulumiVersion: () => Promise.resolve() };
  const stack = { getStack: () => "dev", getProject: () => "shop", getOrganization: () => "organization" };
  return { ...pulumi, ...stack, runtime: { ...pulumi.runtime, ...engine } };
});

const { storedState, whyUnread } =
  require("../../src/provider/pulumi/runs/stack-state") as typeof import("../../src/provider/pulumi/runs/stack-state");

beforeEach(() => {
  monitor.current = connection();
});

afterEach(() => {
  jest.useRealTimers();
});

test("a state that cannot be read is none, and the reason is known", async () => {
  expect(whyUnread()).toBeUndefined();
  await expect(storedState()).resolves.toBeUndefined();
  expect(whyUnread()).toBe("no lock");
});

test("a backend that does not answer is waited for 10 s, and the reason is known", async () => {
  jest.useFakeTimers();
  asked.invoke = () => new Promise(() => undefined);
  const reading = storedState();
  await jest.advanceTimersByTimeAsync(9_000);
  expect(whyUnread()).toBeUndefined();
  await jest.advanceTimersByTimeAsync(1_500);
  await expect(reading).resolves.toBeUndefined();
  expect(whyUnread()).toBe("no answer within 10 s");
});

test("a state that was read in time is no unread one later", async () => {
  jest.useFakeTimers();
  asked.invoke = () => Promise.resolve({ outputs: {} });
  await expect(storedState()).resolves.toEqual(new Map());
  await jest.advanceTimersByTimeAsync(20_000);
  expect(whyUnread()).toBeUndefined();
});

test("nothing is read where nothing runs the program", async () => {
  monitor.current = undefined;
  await expect(storedState()).resolves.toBeUndefined();
  expect(whyUnread()).toBeUndefined();
});

test("while this process computes, nothing is late: an answer that came meanwhile counts", async () => {
  const answer = within(100, readFile(__filename, "utf8"));
  const end = performance.now() + 150;
  while (performance.now() < end);
  expect(await answer).toContain("while this process computes");
});

test("work that never ends is late", async () => {
  expect(await within(20, new Promise(() => {}))).toBe(late);
});
