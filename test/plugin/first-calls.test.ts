import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { named } from "../support/driver";
import { configFor, testKey } from "../support/in-process";
import { secret } from "../support/wire-json";
import { kinds, openBench, type WireBench } from "./bench";

jest.setTimeout(60_000);

let bench: WireBench;
beforeEach(async () => {
  bench = await openBench({ configure: false });
}, 300_000);
afterEach(() => bench?.close());

test("twenty creates of all kinds at once, together with the configuration, are all made", async () => {
  const configured = bench.host.configure(configFor(bench.emulator));
  const creates = Array.from({ length: 20 }, (_, index) => {
    const [kind, definition] = kinds[index % kinds.length] as (typeof kinds)[number];
    const args = named(definition, definition.samples.smallest, `${kind}_${index}`);
    return bench.host.create({ ...args, __provider: bench.of(definition).text });
  });
  await configured;
  const made = await Promise.all(creates);
  expect(new Set(made.map(({ id }) => id)).size).toBe(20);
  expect(bench.emulator.requests.filter(({ route }) => route === "create")).toHaveLength(20);
});

test("a key that arrives as a secret works, and no answer holds it", async () => {
  await bench.host.configure(configFor(bench.emulator, secret(testKey)));
  const driver = bench.of(catalog.gate);
  const answers: unknown[] = [];
  const made = await driver.up(named(catalog.gate, catalog.gate.samples.fullest, "secretly_made"));
  answers.push(made, await driver.refresh(made), await driver.get(made.id));
  const echo = {
    status: 400,
    message: `Bad Request: ${testKey}`,
    errors: [{ property: "x", errorMessage: `Key: ${testKey}` }],
  };
  bench.emulator.addFaults([{ method: "PATCH", times: 1, status: 400, body: echo }]);
  const failed = await driver.update(made, { ...made.inputs, description: "New" }).catch(everythingOf);
  expect(failed).toContain("[hidden]");
  answers.push(failed);
  await driver.destroy(made);
  const said = JSON.stringify(answers) + bench.host.stderr();
  expect(said).not.toContain(testKey);
  expect(said).not.toContain(Buffer.from(testKey).toString("base64"));
});

test("a wrong key is refused with what to check, and is not shown", async () => {
  const wrong = `${testKey}-wrong`;
  await bench.host.configure(configFor(bench.emulator, wrong));
  const driver = bench.of(catalog.gate);
  const failures = [
    await driver.up(catalog.gate.samples.smallest).catch(everythingOf),
    await driver.get("any_gate").catch(everythingOf),
  ];
  for (const failure of failures) {
    expect(failure).toMatch(
      /answered 401: .*Check the key \(feature-console:apiKey or FEATURE_CONSOLE_API_KEY\)/,
    );
    expect(failure).not.toContain(testKey);
  }
  expect(bench.host.stderr()).not.toContain(testKey);
});

test("without settings, the first call says what to set: check, in a preview too", async () => {
  await bench.host.configure({});
  const driver = bench.of(catalog.gate);
  expect(await driver.problems({ key: "any_gate" })).toEqual([
    {
      property: "",
      reason: expect.stringMatching(
        /^No profile is set: set it with "pulumi config set feature-console:profile embedded"/,
      ),
    },
  ]);
  await expect(driver.up({ key: "any_gate" })).rejects.toThrow(/No profile is set/);
});

/** All that an error carries, own members included. */
function everythingOf(error: unknown): string {
  const { message, stack, ...rest } = error as Error;
  return JSON.stringify([message, stack, rest]);
}
