import { describe, expect, test } from "@jest/globals";
import { NoAnswer } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import { create } from "../../src/provider/engine";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { json, type Reply } from "../client/fakes";
import { expectQuiet, start, subject } from "../laws/harness";
import { without } from "../laws/subject";
import { engineOver } from "./fake-console";

const kinds = [catalog.metricSource, catalog.metric, catalog.assignmentSource].map(
  (definition): [string, ResourceDefinition] => [definition.kind, definition],
);

const lost = new NoAnswer("ECONNRESET", false);

describe.each(kinds)("%s with validate: true", (_, definition) => {
  const wants: JsonObject = { ...definition.samples.smallest, validate: true };

  /** Creates it at a console that has none. Some writes are answered as given, the others are stored. */
  const creating = (replies: Reply[] = [], args: JsonObject = wants) => {
    const { context, writes } = engineOver(({ method, url, body = "{}" }) => {
      if (method === "GET")
        return /list|sources\?/.test(url) ? json(200, { data: [] }) : json(404, { message: "Not found." });
      const { dryRun: _dryRun, ...stored } = JSON.parse(body) as JsonObject;
      return replies.shift() ?? json(201, { data: { id: `${wants.name}::${wants.type}`, ...stored } });
    });
    const bodies = () => writes.map(({ body = "{}" }) => JSON.parse(body) as JsonObject);
    return { work: create(context, definition, args), bodies };
  };

  test("sends the same body twice, first for the check; once where it is off", async () => {
    const { work, bodies } = creating();
    await work;
    const [check, write] = bodies();
    expect(bodies()).toHaveLength(2);
    expect(check).toEqual({ ...write, dryRun: true });
    expect(write).not.toHaveProperty("dryRun");
    expect(write).not.toHaveProperty("validate");
    const off = creating([], { ...wants, validate: false });
    await off.work;
    expect(off.bodies()).toHaveLength(1);
  });

  test("asks again when the answer to a check is lost, and takes nothing for its own because of that", async () => {
    const { work, bodies } = creating([lost, lost]);
    await work;
    expect(bodies().map(({ dryRun }) => dryRun)).toEqual([true, true, true, undefined]);
    const never = creating(Array<Reply>(20).fill(lost));
    await expect(never.work).rejects.toMatchObject({
      ...{ uncertain: false, message: expect.stringContaining("nothing was stored") },
    });
    expect(never.bodies().every(({ dryRun }) => dryRun === true)).toBe(true);
  });

  test("makes one check and one write of each create and each change", async () => {
    await start(definition);
    const statuses = () => {
      const sent = subject.writes().map(({ status }) => status);
      subject.emulator.clearRequests();
      return sent;
    };
    // Whom it belongs to is settled by a further write where a create does not take it.
    const fullest = without(definition.samples.fullest, "owner");
    const made = await subject.up({ ...fullest, validate: true });
    expect(statuses()).toEqual([201, 201]);
    const changed = { ...fullest, description: "Another", validate: true };
    const after = await subject.update(made, changed);
    expect(statuses()).toEqual([200, 200]);
    expect(after.outputs).toMatchObject({ description: "Another" });
    await expectQuiet(after, { ...changed, validate: false });
  });
});

test("what the console refuses in a check is told in its words and not stored, and a later change is refused as well", async () => {
  await start(catalog.metricSource);
  const good = { ...catalog.metricSource.samples.smallest, validate: true };
  const bad = { ...good, sql: "" };
  const refused = "The query is empty and no table is named";
  await expect(subject.up(bad)).rejects.toThrow(refused);
  expect(subject.writes()).toHaveLength(1);
  expect(await subject.objects()).toEqual([]);
  const made = await subject.up(good);
  const reasons = [expect.stringContaining(refused)];
  await expect(subject.update(made, bad)).rejects.toMatchObject({ reasons });
  expect(await subject.objects()).toMatchObject([{ sql: good.sql }]);
  await expectQuiet(made, good);
});
