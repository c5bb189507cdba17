import { afterEach, describe, expect, test } from "@jest/globals";
import { createEmulator, type Emulator } from "../../src/emulator";
import type { Transport } from "../../src/provider/client/transport";
import { catalog, managed } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Adapter, adapters, startSubject } from "../laws/subject";
import { configFor, hurriedClock, testKey } from "../support/in-process";
import { startRun } from "../support/run";

// One address, two projects: the key decides, and no key may read which project it is of.

const consoles: Emulator[] = [];
afterEach(() => Promise.all(consoles.splice(0).map((one) => one.close())));

const keys = { staging: testKey, production: `${testKey}-production` };

function newProject(key: string): Emulator {
  const one = createEmulator({ key });
  consoles.push(one);
  return one;
}

/** A vendor that looks for the project of a key, and answers 403 to whoever asks which one that is. `tells`: but for staging's key. */
function vendor({ tells = false } = {}) {
  const projects = { staging: newProject(keys.staging), production: newProject(keys.production) };
  const writes: string[] = [];
  const transport: Transport = {
    send(request) {
      const name = JSON.stringify(request.headers).includes(keys.production) ? "production" : "staging";
      const { pathname } = new URL(request.url);
      if (request.method !== "GET") writes.push(`${name} ${request.method} ${pathname}`);
      const isTold = tells && name === "staging";
      const headers = { ...request.headers, "SERVICE-API-KEY": keys[name] };
      if (isTold || !/v1\/project$/.test(pathname))
        return projects[name].transport.send({ ...request, headers });
      const text = JSON.stringify({ status: 403, message: "Forbidden" });
      return Promise.resolve({ status: 403, headers: { "content-type": "application/json" }, text });
    },
  };
  return { transport, writes };
}

function runWith(
  apiKey: string,
  transport: Transport,
  adapter: Adapter = "dynamic",
  definition: ResourceDefinition = catalog.gate,
) {
  const config = configFor({ url: "https://console.test" }, apiKey);
  const run = startRun({ config, adapter, folder: undefined, transport, ...hurriedClock() });
  return { ...run.of(definition), lines: run.lines };
}

const gate = (passPercentage: number): JsonObject => ({
  key: "checkout",
  rules: [{ name: "Everyone", passPercentage, conditions: [] }],
});

describe.each(adapters)("the staging stack with the key of production, %s", (adapter) => {
  test("changes and archives nothing of production", async () => {
    const { transport, writes } = vendor();
    const staging = await runWith(keys.staging, transport, adapter).up(gate(50));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await runWith(keys.production, transport, adapter).up(gate(100));
    writes.splice(0);
    const run = runWith(keys.production, transport, adapter);
    await expect(run.update(staging, gate(0))).rejects.toThrow(
      /is another object than the one in state .* or the key belongs to another project.*Nothing was sent/s,
    );
    await run.destroy(staging);
    expect(run.lines).toEqual([
      expect.stringContaining('gate "checkout" stays as it is, and this stack forgets it'),
    ]);
    expect(writes).toEqual([]);
    const right = runWith(keys.staging, transport, adapter);
    const updated = await right.update(staging, gate(0));
    await right.destroy(updated);
    expect(writes.map((one) => one.split(" ")[0])).toEqual(["staging", "staging"]);
  });
});

const described = (args: JsonObject) => [args, { ...args, description: "Other" }] as const;
const overrides = (user: string) => ({ gate: "checkout", passingUserIDs: [user] });
const untellable: readonly (readonly [ResourceDefinition, JsonObject, JsonObject])[] = [
  [catalog.tag, ...described({ name: "core", description: "Ours" })],
  [catalog.unitIdType, ...described({ name: "deviceID", description: "Ours" })],
  [managed.gateOverrides, overrides("a"), overrides("b")],
];

describe.each(adapters)("what shows neither its creation nor its creator, %s", (adapter) => {
  test.each(untellable.map((one) => [one[0].title, ...one] as const))(
    "%s: with a key that does not show its project, nothing of production is changed or removed",
    async (title, definition, args, others) => {
      const { transport, writes } = vendor({ tells: true });
      const run = (key: string) => runWith(key, transport, adapter, definition);
      for (const key of Object.values(keys)) await runWith(key, transport).up({ key: "checkout" });
      const ours = await run(keys.staging).up(args);
      await run(keys.production).up(args);
      writes.splice(0);
      const told = new RegExp(
        `${title} .* is in project .* of the console. This key may not read to which project it leads, and the object shows neither when nor by whom it was created: nothing was sent. Allow the key to read its project, or set the key of .* again.`,
      );
      await expect(run(keys.production).update(ours, others)).rejects.toThrow(told);
      await expect(run(keys.production).destroy(ours)).rejects.toThrow(told);
      expect(writes).toEqual([]);
      const updated = await run(keys.staging).update(ours, others);
      await run(keys.staging).destroy(updated);
      expect(writes.length).toBeGreaterThan(1);
    },
  );
});

test.each(adapters)(
  "a key that was refused for a moment is asked for its project again, %s",
  async (adapter) => {
    const subject = await startSubject(catalog.tag, { adapter });
    try {
      const made = await subject.up({ name: "shop", description: "Shop" });
      subject.nextRun();
      subject.emulator.addFaults([{ method: "GET", path: "/project", status: 401, times: 1 }]);
      const updated = await subject.update(made, { name: "shop", description: "All of the shop" });
      expect(updated.outputs).toMatchObject({ description: "All of the shop" });
    } finally {
      await subject.close();
    }
  },
);
