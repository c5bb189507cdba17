import { expect, test } from "@jest/globals";
import { catalog } from "../../src/catalog";
import { createRouteClient } from "../../src/client/client";
import type { WireRequest } from "../../src/client/transport";
import type { JsonObject } from "../../src/core/json";
import { stateOf } from "../../src/core/managed";
import { plan } from "../../src/core/plan";
import { createEmulator } from "../../src/emulator";
import { create, type EngineContext, Ownership, update } from "../../src/engine";
import { settings } from "../client/fakes";

// The strategy went out only when it changed itself, and a project whose policy asks for it refused each later change of
// the rules.

const strategy = { type: "bypass" };
const rule = (name: string, passPercentage: number) => ({
  name,
  passPercentage,
  conditions: [{ type: "public" }],
});
const args = (percentage: number, more: JsonObject = {}): JsonObject => ({
  key: "flag_one",
  name: "flag_one",
  gradualRolloutStrategy: strategy,
  rules: [rule("A", percentage), rule("B", 5)],
  ...more,
});

/** The bodies of the writes of an update, as they went over the wire. */
async function bodies(from: JsonObject, to: JsonObject): Promise<JsonObject[]> {
  const emulator = createEmulator();
  const sent: JsonObject[] = [];
  const transport = {
    send(request: WireRequest) {
      if (request.method !== "GET") sent.push(JSON.parse(request.body ?? "{}") as JsonObject);
      return emulator.transport.send(request);
    },
  };
  const context: EngineContext = {
    client: createRouteClient(settings, { transport }),
    report: () => {},
    ownership: new Ownership(),
    idsOf: () => undefined,
    sleep: async () => {},
    now: Date.now,
  };
  const { id, live } = await create(context, catalog.gate, from);
  const state = stateOf(catalog.gate, live, from);
  sent.length = 0;
  const after = await update(context, catalog.gate, { id, wants: to, state });
  expect(plan(catalog.gate, stateOf(catalog.gate, after, to), to)).toEqual({ how: "nothing" });
  emulator.close();
  return sent;
}

test("a change of one rule carries the strategy, by the route that takes it", async () => {
  expect(await bodies(args(10), args(20))).toMatchObject([
    {
      gradual_rollout_strategy: strategy,
      rules: [
        { name: "A", passPercentage: 20 },
        { name: "B", passPercentage: 5 },
      ],
    },
  ]);
});

test("another change does not, and without a strategy one rule goes by its own route", async () => {
  expect(await bodies(args(10), args(10, { description: "New" }))).toEqual([{ description: "New" }]);
  const { gradualRolloutStrategy: _without, ...bare } = args(10);
  const { gradualRolloutStrategy: _too, ...more } = args(20);
  expect(await bodies(bare, more)).toEqual([{ passPercentage: 20 }]);
});
