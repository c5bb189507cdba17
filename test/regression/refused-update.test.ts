import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { catalog } from "../../src/catalog";
import type { JsonObject } from "../../src/core/json";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { providerOf } from "../../src/pulumi/provider";

const key = ["console", "refused"].join("-");
const gate = providerOf(catalog.gate);

let emulator: RunningEmulator;
beforeAll(async () => {
  emulator = await startEmulator({ key });
  const settings: Record<string, string> = { profile: "custom", baseUrl: emulator.url, apiKey: key };
  const get = (name: string) => settings[name.replace("feature-console:", "")];
  await gate.configure({ config: { get, require: (name) => get(name) ?? "" } });
});
afterAll(() => emulator.close());

async function checked(olds: JsonObject, args: JsonObject): Promise<JsonObject> {
  const { inputs = {}, failures } = await gate.check(olds, args);
  expect(failures).toEqual([]);
  return inputs;
}

test("what no read shows is sent again after an update that was refused", async () => {
  await gate.create(await checked({}, { key: "taken_name" }));
  const before = await checked({}, { key: "refused_gate" });
  const { id, outs = {} } = await gate.create(before);

  const unseen = { gradualRolloutStrategy: { type: "bypass" }, creatorEmail: "owner@example.com" };
  const refused = await checked(before, { key: "refused_gate", name: "taken_name", ...unseen });
  const failure = await gate.update(id, outs, refused).then(
    () => undefined,
    (error: { id: string; properties: JsonObject }) => error,
  );
  expect(failure?.id).toBe(id);

  const corrected = await checked(refused, { key: "refused_gate", name: "refused_gate", ...unseen });
  expect(await gate.diff(id, failure?.properties ?? {}, corrected)).not.toEqual({ changes: false });
  const updated = await gate.update(id, failure?.properties ?? {}, corrected);
  expect(updated.outs).toMatchObject(unseen);
  const statuses = emulator.requests.flatMap(({ route, status }) => (route === "patch" ? [status] : []));
  expect(statuses).toEqual([400, 200]);
});
