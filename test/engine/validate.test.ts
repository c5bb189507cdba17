import { afterEach, describe, expect, test } from "@jest/globals";
import { NoAnswer } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import { create, update } from "../../src/provider/engine";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { expectedId } from "../../src/provider/schema/object-id";
import { json, type Reply } from "../client/fakes";
import { type Subject, startSubject } from "../laws/subject";
import { allOf } from "../support/raw-client";
import { engineOver } from "./fake-console";

const kinds = [catalog.metricSource, catalog.metric, catalog.assignmentSource].map(
  (definition): [string, ResourceDefinition] => [definition.kind, definition],
);

/** A console that has one object, or none, and answers writes as it is told. */
function engine(live: JsonObject | undefined, answer: (body: JsonObject) => Reply) {
  const { context, writes } = engineOver(({ method, url, body = "{}" }) => {
    if (method !== "GET") return answer(JSON.parse(body) as JsonObject);
    if (/list|sources\?/.test(url)) return json(200, { data: live ? [live] : [] });
    return live ? json(200, { data: live }) : json(404, { message: "Not found." });
  });
  return { context, bodies: () => writes.map(({ body = "{}" }) => JSON.parse(body) as JsonObject) };
}

const refusal = json(400, {
  status: 400,
  message: "Bad Request Exception",
  errors: [{ property: "sql", errorMessage: "Table purchases does not exist" }],
});
const lost = new NoAnswer("ECONNRESET", false);

describe.each(kinds)("%s with validate: true", (_, definition) => {
  const wants: JsonObject = { ...definition.samples.smallest, validate: true };
  const stored = (sent: JsonObject) => {
    const { dryRun: _dryRun, ...rest } = sent;
    return json(201, { data: { id: `${wants.name}::${wants.type}`, ...rest } });
  };

  test("sends the same body twice, first for the check", async () => {
    const { context, bodies } = engine(undefined, stored);
    await create(context, definition, wants);
    const [check, write] = bodies();
    expect(bodies()).toHaveLength(2);
    expect(check).toEqual({ ...write, dryRun: true });
    expect(write).not.toHaveProperty("dryRun");
    expect(write).not.toHaveProperty("validate");
  });

  test("sends nothing after a refused check, and passes the console's words on", async () => {
    const { context, bodies } = engine(undefined, (sent) => (sent.dryRun === true ? refusal : stored(sent)));
    await expect(create(context, definition, wants)).rejects.toThrow("sql: Table purchases does not exist");
    expect(bodies()).toHaveLength(1);
  });

  test("checks a change in the same way", async () => {
    const id = String(expectedId(definition, wants));
    const live = { ...definition.samples.smallest, id };
    const { context, bodies } = engine(live, (sent) => (sent.dryRun === true ? refusal : stored(sent)));
    const target = { id, wants: { ...wants, description: "new" }, state: {} };
    await expect(update(context, definition, target)).rejects.toThrow("sql: Table purchases does not exist");
    expect(bodies()).toMatchObject([{ description: "new", dryRun: true }]);
  });

  test("asks again when the answer to a check is lost", async () => {
    const replies: Reply[] = [lost, lost];
    const { context, bodies } = engine(undefined, (sent) => replies.shift() ?? stored(sent));
    await create(context, definition, wants);
    expect(bodies().map(({ dryRun }) => dryRun)).toEqual([true, true, true, undefined]);
  });

  test("takes nothing for its own because a check got lost", async () => {
    const { context, bodies } = engine(undefined, () => lost);
    await expect(create(context, definition, wants)).rejects.toMatchObject({
      uncertain: false,
      message: expect.stringContaining("nothing was stored"),
    });
    expect(bodies().every(({ dryRun }) => dryRun === true)).toBe(true);
  });

  test("is off unless a program says so", async () => {
    const { context, bodies } = engine(undefined, stored);
    await create(context, definition, { ...wants, validate: false });
    expect(bodies()).toHaveLength(1);
  });
});

describe("against a console", () => {
  let subject: Subject;
  afterEach(() => subject.close());

  const all = () => allOf(subject.raw.metricSource.list());

  test("what the console refuses is not stored, and a later change is refused as well", async () => {
    subject = await startSubject(catalog.metricSource);
    const good = { ...catalog.metricSource.samples.smallest, validate: true };
    const refused = "The query is empty and no table is named";
    await expect(subject.up({ ...good, sql: "" })).rejects.toThrow(refused);
    expect(await all()).toEqual([]);
    const made = await subject.up(good);
    await expect(subject.update(made, { ...good, sql: "" })).rejects.toMatchObject({
      reasons: [expect.stringContaining(refused)],
    });
    expect(await all()).toMatchObject([{ sql: good.sql }]);
    expect(await subject.diff(made, good)).toEqual({ quiet: true, replaces: [] });
  });

  test.each(kinds)("%s: one check and one write for each create and each change", async (_, definition) => {
    subject = await startSubject(definition);
    const writes = () => {
      const sent = subject.writes();
      subject.emulator.clearRequests();
      return sent.map(({ status }) => status);
    };
    // Whom it belongs to is settled by a further write where a create does not take it.
    const { owner: _owner, ...fullest } = definition.samples.fullest;
    const made = await subject.up({ ...fullest, validate: true });
    expect(writes()).toEqual([201, 201]);
    const changed = { ...fullest, description: "Another", validate: true };
    const after = await subject.update(made, changed);
    expect(writes()).toEqual([200, 200]);
    expect(isObject(after.outputs) && after.outputs.description).toBe("Another");
    expect(await subject.diff(after, { ...changed, validate: false })).toEqual({ quiet: true, replaces: [] });
  });
});
