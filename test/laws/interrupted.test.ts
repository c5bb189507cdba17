import { describe, expect, test } from "@jest/globals";
import { createRouteClient } from "../../src/provider/client/client";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { allOf } from "../support/raw-client";
import { kinds, type Subject, startSubject } from "./subject";

const made = kinds.filter(([, { lifecycle }]) => lifecycle.create.how === "send");

describe.each(made)("%s", (_, definition: ResourceDefinition) => {
  const argumentsOf = (): JsonObject[] => {
    const { fullest } = definition.samples;
    const { status, isEnabled } = definition.fields;
    if (status?.mode !== "input") return [fullest];
    const { isEnabled: _enabled, ...rest } = fullest;
    const states = ["active", "archived", "Launched", "Archived"];
    const legal = states.filter((one) => status.schema.safeParse(one).success);
    return [fullest, ...legal.map((one) => ({ ...(isEnabled ? rest : fullest), status: one }))];
  };

  test.each(argumentsOf().map((args, index) => [index, args] as const))(
    "killed after any of its writes, it is finished by the next run, once (arguments %i)",
    async (_index, args) => {
      const whole = await play(definition, args, undefined);
      expect(whole.methods.length).toBeGreaterThan(0);
      for (let writes = 1; writes <= whole.methods.length; writes += 1) {
        const cut = await play(definition, args, { methods: whole.methods, writes });
        expect([writes, cut.objects]).toEqual([writes, whole.objects]);
      }
    },
    60_000,
  );
});

/** The methods of the writes of a create, and how many of them come before the kill. */
interface Cut {
  readonly methods: readonly string[];
  readonly writes: number;
}

/** Makes an object; with a cut, by a run that ends there and one that follows. */
async function play(definition: ResourceDefinition, args: JsonObject, cut?: Cut) {
  const subject = await startSubject(definition);
  const wants = args;
  try {
    if (cut !== undefined) {
      refuseAfter(subject, cut);
      await subject.up(wants).catch(() => undefined);
      subject.nextRun();
    }
    const resource = await subject.up(wants);
    expect(await subject.diff(resource, wants)).toEqual({ quiet: true, replaces: [] });
    const writes = subject.writes();
    return { methods: writes.map(({ method }) => method), objects: await countOf(subject) };
  } finally {
    await subject.close();
  }
}

/** Refuses the write that follows the cut, as if it had never been sent; the run that is killed cannot send another. */
function refuseAfter({ emulator }: Subject, { methods, writes }: Cut): void {
  const method = methods[writes] as "POST" | undefined;
  if (method === undefined) return;
  const before = methods.slice(0, writes).filter((one) => one === method).length;
  if (before > 0) emulator.addFaults([{ method, delayMs: 0, times: before }]);
  emulator.addFaults([{ method, status: 403, times: 1 }]);
}

async function countOf({ emulator, definition }: Subject): Promise<number> {
  const { list } = definition.routes;
  const client = createRouteClient({ profile: "custom", baseUrl: emulator.url, apiKey: "x" });
  return list === undefined ? 0 : (await allOf(client.items(list, {}))).length;
}
