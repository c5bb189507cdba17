import { afterAll, expect, test } from "@jest/globals";
import { createEmulator } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { Resource } from "../support/driver";
import { configFor } from "../support/in-process";
import { startRun } from "../support/run";

const key = ["console", "outage"].join("-");
const emulator = createEmulator({ key });
afterAll(() => emulator.close());

/** A kind, driven by a run with a key. */
const drivenWith = (apiKey: string, definition: ResourceDefinition) =>
  startRun({
    ...{ config: configFor({ url: "https://console.test" }, apiKey), folder: undefined },
    transport: emulator.transport,
  }).of(definition);

test.each([
  ["gates", catalog.gate, {}],
  ["segments, whose ids stand apart in state", catalog.segment, { type: "id_list", ids: ["one"] }],
] as const)(
  "of %s that a refresh could not read, one fails and the others keep what state has",
  async (_, definition, args) => {
    const maker = drivenWith(key, definition);
    const made: Resource[] = [];
    for (const name of ["one", "two", "three"])
      made.push(await maker.up({ ...args, key: `${definition.name}_${name}` }));
    const reader = drivenWith("wrong", definition).calls();
    const read = await Promise.allSettled(made.map(({ id, outputs }) => reader.read(id, outputs)));
    const failed = read.filter((one) => one.status === "rejected");
    expect(failed).toHaveLength(1);
    expect(String(failed[0]?.reason.message)).toContain("2 more objects were not read");
    // Inputs that a read leaves out the engine keeps; an empty object would take their place.
    const kept = made.map(({ id, outputs }) => ({ status: "fulfilled", value: { id, properties: outputs } }));
    expect(read).toEqual(read.map((one, index) => (one.status === "rejected" ? one : kept[index])));
  },
);

test("a second refresh that fails while the first still waits for its other reads ends too, as the first does", async () => {
  const { id, outputs } = await drivenWith(key, catalog.gate).up({ key: "read_again" });
  const reader = drivenWith("wrong", catalog.gate).calls();
  const first = reader.read(id, outputs).catch((error: unknown) => error);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const second = reader.read(id, outputs).catch((error: unknown) => error);
  const late = new Promise((resolve) => setTimeout(resolve, 3000, "late").unref());
  const [one, other] = await Promise.all([Promise.race([first, late]), Promise.race([second, late])]);
  for (const error of [one, other]) expect(String(error)).toContain('Cannot read gate "read_again"');
});
