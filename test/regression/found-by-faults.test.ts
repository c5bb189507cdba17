import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { managed } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Subject, startSubject } from "../laws/subject";

jest.setTimeout(30_000);

/** What the fault matrix found once. */
let subject: Subject;
afterEach(() => subject.close());

const count = async (list: AsyncIterable<JsonObject>): Promise<number> => {
  let found = 0;
  for await (const _ of list) found += 1;
  return found;
};
const emptyYes = { times: 1, status: 200, body: "" } as const;
const { fullest: tag } = managed.tag.samples;
const { fullest: alert } = managed.alert.samples;

describe("a create", () => {
  test("that is delivered twice, and of which the refusal arrives, is for a person to decide: it may be another stack's", async () => {
    subject = await startSubject(managed.tag);
    subject.emulator.addFaults([{ method: "POST", times: 1, twice: "second" }]);
    await expect(subject.up(tag)).rejects.toThrow(/exists already.*FEATURE_CONSOLE_TAKE_OVER=1/);
    expect(await count(subject.raw.tag.list())).toBe(1);
    expect(await subject.up({ ...tag, adopt: true })).toHaveProperty("id");
  });

  test("whose answer got lost is found, though the first look fails", async () => {
    subject = await startSubject(managed.tag);
    subject.emulator.addFaults([
      { method: "POST", times: 1, reset: "after" },
      { method: "GET", after: 1, times: 1, status: 200, body: "<html>", contentType: "text/html" },
    ]);
    const made = await subject.up(tag);
    expect(await subject.diff(made, tag)).toEqual({ quiet: true, replaces: [] });
  });

  test("whose answer got lost is not sent again because the first look is late", async () => {
    subject = await startSubject(managed.alert);
    subject.emulator.addFaults([
      { method: "POST", times: 1, reset: "after" },
      { times: 1, stale: true },
    ]);
    await subject.up(alert);
    expect(await count(subject.raw.alert.list())).toBe(1);
  });
});

test("of two resources of one name that are made at the same time, one is refused", async () => {
  subject = await startSubject(managed.tag);
  // Which resource they are of, nobody tells.
  const create = async () =>
    subject.calls().create(await subject.checked({ ...tag, __program: { urn: undefined } }));
  const both = await Promise.all([1, 2].map(() => create().then(String, (error: unknown) => error)));
  const [refused, ...more] = both.filter((one) => one instanceof Error);
  expect(more).toEqual([]);
  expect(refused?.message).toMatch(/belongs to another resource of this program/);
});

test("a refresh keeps what one late read does not show", async () => {
  subject = await startSubject(managed.alert);
  subject.emulator.addFaults([{ path: "/never-asked", times: 1, stale: true }]);
  const made = await subject.up(alert);
  subject.emulator.addFaults([{ times: 1, stale: true }]);
  expect((await subject.refresh(made))?.id).toBe(made.id);
});

test("a delete that was answered with nothing, and not carried out, is sent again", async () => {
  subject = await startSubject(managed.tag);
  const made = await subject.up(tag);
  subject.emulator.addFaults([{ method: "DELETE", ...emptyYes }]);
  await subject.destroy(made);
  expect(await count(subject.raw.tag.list())).toBe(0);
});

test("a delete that was carried out and answered with a failure is done", async () => {
  subject = await startSubject(managed.tag);
  const made = await subject.up(tag);
  subject.emulator.addFaults([{ method: "DELETE", ...emptyYes, carriedOut: true }]);
  await subject.destroy(made);
  expect(subject.emulator.requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);
});

test("a list that is answered with nothing is not a list of nothing", async () => {
  subject = await startSubject(managed.assignmentSource);
  const made = await subject.up(managed.assignmentSource.samples.smallest);
  // A page that cannot be had is asked for once more.
  subject.emulator.addFaults([{ ...emptyYes, times: 2 }]);
  await expect(subject.refresh(made)).rejects.toThrow("answered 200 with nothing");
});

test("an action whose answer got lost is not refused for having been carried out", async () => {
  subject = await startSubject(managed.releaseRollout);
  const phases = [{ name: "one", timeIntervalMs: 60_000, requiredReview: false, rules: [] }];
  const { raw } = subject;
  const pipeline = await raw.releasePipeline.create({ body: { name: "careful", phases } });
  await raw.gate.create({ body: { name: "released", releasePipelineID: pipeline.id } });
  await raw.gate.patch({
    id: "released",
    body: { rules: [{ name: "All", passPercentage: 50, conditions: [{ type: "public" }] }] },
  });
  const [trigger] = await firstOf(raw.releasePipelineTrigger.list());
  subject.emulator.addFaults([{ method: "PUT", times: 1, reset: "after" }]);
  const made = await subject.up({ trigger });
  expect(made.outputs.status).toBe("COMPLETED");
});

async function firstOf(list: AsyncIterable<JsonObject>): Promise<unknown[]> {
  for await (const { id } of list) return [id];
  return [];
}
