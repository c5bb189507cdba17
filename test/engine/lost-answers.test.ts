import { describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/catalog";
import { createRouteClient } from "../../src/client/client";
import { NoAnswer, type WireRequest } from "../../src/client/transport";
import type { JsonObject } from "../../src/core/json";
import { managedMember } from "../../src/core/managed";
import { type EngineContext, Ownership, read, update } from "../../src/engine";
import { digestOf } from "../../src/id-lists/digest";
import { FakeClock, json, type Reply, settings } from "../client/fakes";

/** An engine whose console is a function. */
function engine(answer: (request: WireRequest) => Reply) {
  const sent: string[] = [];
  const transport = {
    send: async ({ method, url, body = "" }: WireRequest) => {
      if (method !== "GET") sent.push(`${method} ${new URL(url).pathname.slice(11)} ${body}`);
      const reply = answer({ method, url, headers: {}, body });
      if (reply instanceof Error) throw reply;
      return {
        status: reply.status ?? 200,
        headers: {},
        text: JSON.stringify("body" in reply ? reply.body : {}),
      };
    },
  };
  const client = createRouteClient(settings, { transport, clock: new FakeClock() });
  const context: EngineContext = {
    client,
    report: () => {},
    ownership: new Ownership(),
    now: Date.now,
    idsOf: () => undefined,
    sleep: async () => {},
  };
  return { context, sent };
}

const lost = new NoAnswer("ECONNRESET", false);
const gate = { id: "g", name: "g", description: "old", isEnabled: true, status: "In Progress" };
const target = (wants: JsonObject, state: JsonObject = {}) => ({ id: String(wants.key), wants, state });

describe("an update whose answers are lost", () => {
  const wants = { key: "g", description: "new" };

  test("looks, and is done when the change is there", async () => {
    let description = "old";
    const { context, sent } = engine(({ method }) => {
      if (method === "GET") return json(200, { data: { ...gate, description } });
      description = "new";
      return lost;
    });
    await expect(update(context, catalog.gate, target(wants))).resolves.toMatchObject({ description: "new" });
    expect(sent).toHaveLength(1);
  });

  test("says at last that no answer came, and not that the console held the change back", async () => {
    const { context, sent } = engine(({ method }) => (method === "GET" ? json(200, { data: gate }) : lost));
    const failed = update(context, catalog.gate, target(wants));
    await expect(failed).rejects.toMatchObject({
      id: "g",
      error: { category: "unreachable", uncertain: true },
    });
    expect(sent).toHaveLength(3);
  });

  test("says that the console held the change back when every answer was a success", async () => {
    const { context } = engine(() => json(200, { data: gate }));
    const failed = update(context, catalog.gate, target(wants));
    await expect(failed).rejects.toMatchObject({ error: { category: "not-taken" } });
  });
});

describe("ids that no read shows", () => {
  const segment = { id: "s", name: "s", type: "user_store_id_list" };
  const wants = { key: "s", name: "s", type: "user_store_id_list", ids: ["a", "b"] };
  const state = { ...wants, [managedMember]: Object.keys(wants) };

  test("are no drift in a refresh", async () => {
    const { context } = engine(() => json(200, { data: segment }));
    const ids = digestOf(["b", "a"]);
    const digested = { ...state, ids };
    const found = { state: digested, inputs: { ...wants, ids } };
    await expect(read(context, catalog.segment, "s", digested)).resolves.toEqual(found);
    // What an earlier version wrote.
    await expect(read(context, catalog.segment, "s", state)).resolves.toEqual(found);
  });

  test("are changed from what the state knows, also after a lost answer", async () => {
    const replies: Reply[] = [lost];
    const { context, sent } = engine(({ method }) =>
      method === "GET" ? json(200, { data: segment }) : (replies.shift() ?? json(200, { message: "ok" })),
    );
    await update(context, catalog.segment, target({ ...wants, ids: ["b", "c"] }, state));
    expect(sent).toEqual([
      'PATCH /segments/s/add_ids {"ids":["c"]}',
      'PATCH /segments/s/add_ids {"ids":["c"]}',
      'PATCH /segments/s/remove_ids {"ids":["a"]}',
    ]);
  });
});
