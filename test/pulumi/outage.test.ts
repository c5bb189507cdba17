import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { catalog } from "../../src/catalog";
import { createEmulator } from "../../src/emulator";
import { ProviderProcess } from "../../src/pulumi/process";
import { providerOf } from "../../src/pulumi/provider";

const folder = mkdtempSync(path.join(tmpdir(), "feature-console-outage-"));
const key = ["console", "outage"].join("-");
const emulator = createEmulator({ key });
afterAll(async () => {
  emulator.close();
  await removeTree(folder);
});

const processWith = (apiKey: string) => {
  const settings: Record<string, string> = {
    "feature-console:profile": "custom",
    "feature-console:baseUrl": "http://console.test",
    "feature-console:apiKey": apiKey,
  };
  const { transport } = emulator;
  const process = new ProviderProcess({
    environment: () => ({}),
    folder,
    report: () => undefined,
    transport,
  });
  process.configure((name) => settings[name]);
  return process;
};

test.each([
  ["gates", catalog.gate, {}],
  ["segments, whose ids stand apart in state", catalog.segment, { type: "id_list", ids: ["one"] }],
] as const)(
  "of %s that a refresh could not read, one fails and the others keep what state has",
  async (_, definition, args) => {
    const maker = providerOf(definition, processWith(key));
    const names = ["one", "two", "three"].map((name) => `${definition.name}_${name}`);
    const made: Awaited<ReturnType<typeof maker.create>>[] = [];
    for (const name of names) {
      const { inputs = {} } = await maker.check({}, { ...args, key: name, __provider: "text" });
      made.push(await maker.create(inputs));
    }
    const reader = providerOf(definition, processWith("wrong"));
    const read = await Promise.allSettled(made.map(({ id, outs }) => reader.read(id, outs)));
    const failed = read.filter(({ status }) => status === "rejected");
    expect(failed).toHaveLength(1);
    expect(String((failed[0] as PromiseRejectedResult).reason.message)).toContain(
      "2 more objects were not read",
    );
    const others = read.flatMap((one, index) =>
      one.status === "fulfilled" ? [[one.value, { id: made[index]?.id, props: made[index]?.outs }]] : [],
    );
    expect(others).toHaveLength(2);
    // Inputs that a read leaves out the engine keeps; an empty object would take their place.
    for (const [found, expected] of others) expect(found).toEqual(expected);
  },
);

test("a second refresh that fails while the first still waits for its other reads ends too, as the first does", async () => {
  const maker = providerOf(catalog.gate, processWith(key));
  const { inputs = {} } = await maker.check({}, { key: "read_again", __provider: "text" });
  const { id, outs } = await maker.create(inputs);
  const reader = providerOf(catalog.gate, processWith("wrong"));
  const first = reader.read(id, outs).catch((error: unknown) => error);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const second = reader.read(id, outs).catch((error: unknown) => error);
  const late = new Promise((resolve) => setTimeout(resolve, 3000, "late").unref());
  const [one, other] = await Promise.all([Promise.race([first, late]), Promise.race([second, late])]);
  for (const error of [one, other]) expect(String(error)).toContain('Cannot read gate "read_again"');
});
