import { afterEach, describe, expect, test } from "@jest/globals";
import { NoAnswer } from "../../src/provider/client/transport";
import { catalog, managed } from "../../src/provider/definitions";
import { read, update } from "../../src/provider/engine";
import { digestOf } from "../../src/provider/id-lists/digest";
import type { JsonObject } from "../../src/provider/schema/json";
import { managedMember } from "../../src/provider/values/managed";
import { json, type Reply } from "../client/fakes";
import { type Subject, startSubject } from "../laws/subject";
import { allOf } from "../support/raw-client";
import { startRelease } from "../support/release";
import { engineOver } from "./fake-console";

const lost = new NoAnswer("ECONNRESET", false);
const gate = { id: "g", name: "g", description: "old", isEnabled: true, status: "In Progress" };
const target = (wants: JsonObject, state: JsonObject = {}) => ({ id: String(wants.key), wants, state });

describe("an update whose answers are lost", () => {
  const wants = { key: "g", description: "new" };

  test("looks, and is done when the change is there", async () => {
    let description = "old";
    const { context, writes } = engineOver(({ method }) => {
      if (method === "GET") return json(200, { data: { ...gate, description } });
      description = "new";
      return lost;
    });
    await expect(update(context, catalog.gate, target(wants, gate))).resolves.toMatchObject({
      description: "new",
    });
    expect(writes).toHaveLength(1);
  });

  test("says at last that no answer came, and not that the console held the change back", async () => {
    const { context, writes } = engineOver(({ method }) =>
      method === "GET" ? json(200, { data: gate }) : lost,
    );
    const failed = update(context, catalog.gate, target(wants, gate));
    await expect(failed).rejects.toMatchObject({
      id: "g",
      error: { category: "unreachable", uncertain: true },
    });
    expect(writes).toHaveLength(3);
  });

  test("says that the console held the change back when every answer was a success", async () => {
    const { context } = engineOver(() => json(200, { data: gate }));
    const failed = update(context, catalog.gate, target(wants, gate));
    await expect(failed).rejects.toMatchObject({ error: { category: "not-taken" } });
  });
});

describe("ids that no read shows", () => {
  const segment = { id: "s", name: "s", type: "user_store_id_list" };
  const wants = { key: "s", name: "s", type: "user_store_id_list", ids: ["a", "b"] };
  const state = { ...wants, [managedMember]: Object.keys(wants) };

  test("are no drift in a refresh", async () => {
    const { context } = engineOver(() => json(200, { data: segment }));
    const ids = digestOf(["b", "a"]);
    const digested = { ...state, ids };
    const found = { state: digested, inputs: { ...wants, ids } };
    await expect(read(context, catalog.segment, "s", digested)).resolves.toMatchObject(found);
    // What an earlier version wrote.
    await expect(read(context, catalog.segment, "s", state)).resolves.toMatchObject(found);
  });

  test("are changed from what the state knows, also after a lost answer", async () => {
    const replies: Reply[] = [lost];
    const { context, writes } = engineOver(({ method }) =>
      method === "GET" ? json(200, { data: segment }) : (replies.shift() ?? json(200, { message: "ok" })),
    );
    await update(context, catalog.segment, target({ ...wants, ids: ["b", "c"] }, state));
    expect(
      writes.map(({ method, url, body }) => `${method} ${new URL(url).pathname.slice(11)} ${body}`),
    ).toEqual([
      'PATCH /segments/s/add_ids {"ids":["c"]}',
      'PATCH /segments/s/add_ids {"ids":["c"]}',
      'PATCH /segments/s/remove_ids {"ids":["a"]}',
    ]);
  });
});

describe("over a console whose answers get lost", () => {
  let subject: Subject;
  afterEach(() => subject.close());
  const emptyYes = { times: 1, status: 200, body: "" } as const;
  const { fullest: tag } = catalog.tag.samples;
  const tags = () => allOf(subject.raw.tag.list());

  describe("a create", () => {
    test("that is delivered twice, and of which the refusal arrives, is for a person to decide: it may be another stack's", async () => {
      subject = await startSubject(catalog.tag);
      subject.emulator.addFaults([{ method: "POST", times: 1, twice: "second" }]);
      await expect(subject.up(tag)).rejects.toThrow(/exists already.*FEATURE_CONSOLE_TAKE_OVER=1/);
      expect(await tags()).toHaveLength(1);
      expect(await subject.up({ ...tag, adopt: true })).toHaveProperty("id");
    });

    test("whose answer got lost is found, though the first look fails", async () => {
      subject = await startSubject(catalog.tag);
      subject.emulator.addFaults([
        { method: "POST", times: 1, reset: "after" },
        {
          method: "GET",
          path: "/tags/**",
          after: 1,
          times: 1,
          status: 200,
          body: "<html>",
          contentType: "text/html",
        },
      ]);
      const made = await subject.up(tag);
      expect(await subject.diff(made, tag)).toEqual({ quiet: true, replaces: [] });
    });
  });

  test("a delete that was answered with nothing, and not carried out, is sent again", async () => {
    subject = await startSubject(catalog.tag);
    const made = await subject.up(tag);
    subject.emulator.addFaults([{ method: "DELETE", ...emptyYes }]);
    await subject.destroy(made);
    expect(await tags()).toEqual([]);
  });

  test("a delete that was carried out and answered with a failure is done", async () => {
    subject = await startSubject(catalog.tag);
    const made = await subject.up(tag);
    subject.emulator.addFaults([{ method: "DELETE", ...emptyYes, carriedOut: true }]);
    await subject.destroy(made);
    expect(subject.emulator.requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);
  });

  test("a list that is answered with nothing is not a list of nothing", async () => {
    subject = await startSubject(catalog.assignmentSource);
    const made = await subject.up(catalog.assignmentSource.samples.smallest);
    // A page that cannot be had is asked for once more.
    subject.emulator.addFaults([{ ...emptyYes, times: 2 }]);
    await expect(subject.refresh(made)).rejects.toThrow("answered 200 with nothing");
  });

  test("an action whose answer got lost is not refused for having been carried out", async () => {
    subject = await startSubject(managed.releaseRollout);
    const { trigger } = await startRelease(subject.raw, false);
    subject.emulator.addFaults([{ method: "PUT", times: 1, reset: "after" }]);
    const made = await subject.up({ trigger });
    expect(made.outputs.status).toBe("COMPLETED");
  });
});
