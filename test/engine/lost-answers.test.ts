import { describe, expect, test } from "@jest/globals";
import { NoAnswer } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import { read, update } from "../../src/provider/engine";
import { digestOf } from "../../src/provider/id-lists/digest";
import type { JsonObject } from "../../src/provider/schema/json";
import { managedMember } from "../../src/provider/values/managed";
import { json, type Reply } from "../client/fakes";
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
