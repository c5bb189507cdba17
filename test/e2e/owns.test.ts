import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench, toldInAll, writesTo } from "./bench";

jest.setTimeout(180_000);

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  await bench.write(program("v0"));
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

const rule = (name: string, passPercentage: number, mail = "example.com") => ({
  name,
  passPercentage,
  conditions: [{ type: "email", operator: "str_contains_any", targetValue: [`@${mail}`] }],
});

/** One gate whose rollout the console owns, and two configs of which Pulumi ignores shares. */
const program = (mail: string) => `
const rules = ${JSON.stringify([rule("Staff", 100, mail), rule("Everyone", 10)])} as fc.GateArgs["rules"];
new fc.Gate("ramped", { rules, owns: { rollout: "console" } });
new fc.DynamicConfig("ignored", { rules } as fc.DynamicConfigArgs, { ignoreChanges: ["rules[1].passPercentage"] });
new fc.DynamicConfig("all_ignored", { rules } as fc.DynamicConfigArgs, { ignoreChanges: ["rules[*].passPercentage"] });`;

const names = ["ramped", "ignored", "all_ignored"];
const read = (id: string) =>
  id === "ramped" ? bench.raw.gate.get({ id }) : bench.raw.dynamicConfig.get({ id });

/** Somebody in the console. */
async function ramp(share: number): Promise<void> {
  for (const id of names) {
    const { rules } = (await read(id)) as unknown as { rules: JsonObject[] };
    const body = {
      rules: rules.map((one) => (one.name === "Everyone" ? { ...one, passPercentage: share } : one)),
    };
    await (id === "ramped"
      ? bench.raw.gate.patch({ id, body } as never)
      : bench.raw.dynamicConfig.patch({ id, body } as never));
  }
}

describe("a ramp in the console survives five ups, each of which changes another thing of the same rules", () => {
  test.each([20, 40, 60, 80, 100])("to %d %", async (share) => {
    await ramp(share);
    await bench.write(program(`for ${share}`));
    await bench.stack.up();
    for (const id of names) {
      const { rules } = (await read(id)) as unknown as { rules: JsonObject[] };
      expect([id, rules]).toMatchObject([
        id,
        [rule("Staff", 100, `for ${share}`), { name: "Everyone", passPercentage: share }],
      ]);
    }
    if (share !== 60) return;
    // Once somebody refreshes: the ramp is no drift, neither where the console owns it nor where it is ignored.
    const drift = await bench.stack.run(["refresh", "--preview-only", "--expect-no-changes"]);
    expect(drift.code).toBe(0);
    await bench.stack.refresh();
  });
});

test("a rule that comes before an ignored percentage is refused in the preview, with the percentages that would go live", async () => {
  const inserted = program("for 100").replace(
    "const rules = [",
    `const rules = [${JSON.stringify(rule("New", 5, "new"))},`,
  );
  await bench.write(inserted);
  const refused = await bench.stack.preview({ mayFail: true });
  expect(refused.code).not.toBe(0);
  const lines = toldInAll(refused);
  expect(lines).toContain(
    'rules[0].passPercentage: "New" would go live with 100, the value of "Staff", and not with 5; ',
  );
  // The last refresh has seen 60.
  expect(lines).toContain(
    'rules[2].passPercentage: "Everyone" would go live with 10, the program\'s value, and not with 60. ignoreChanges',
  );
});

const guarded = (description: string) =>
  `${program("for 100")}new fc.Gate("guarded", { description: ${JSON.stringify(description)} });`;

test("with protectConcurrentEdits, an edit between preview and up is refused by name, nothing is sent, and after a refresh it goes", async () => {
  await bench.write(guarded("One"));
  await bench.stack.setConfig("feature-console:protectConcurrentEdits", "true");
  await bench.stack.up();
  await bench.write(guarded("Two"));
  await bench.stack.preview();
  await bench.raw.gate.patch({ id: "guarded", body: { tags: ["theirs"] } });
  bench.emulator.clearRequests();
  const refused = await bench.stack.up({ mayFail: true });
  expect(refused.code).not.toBe(0);
  expect(toldInAll(refused)).toMatch(
    /gate "guarded" was changed in the console since the last refresh \(a key, \d{4}-\d\d-\d\d \d\d:\d\d UTC, version 1 to 2\)\. It differs in tags\. Nothing was sent/,
  );
  expect(writesTo(bench.emulator)).toEqual([]);
  await bench.stack.refresh();
  await bench.stack.up();
  expect(await bench.raw.gate.get({ id: "guarded" })).toMatchObject({ description: "Two", tags: ["theirs"] });
});

test("edited and put back, nothing shows: refused all the same, until a refresh has noted it", async () => {
  await bench.raw.gate.patch({ id: "guarded", body: { description: "Three" } });
  await bench.raw.gate.patch({ id: "guarded", body: { description: "Two" } });
  await bench.write(guarded("Four"));
  expect(toldInAll(await bench.stack.up({ mayFail: true }))).toContain("version 3 to 5");
  await bench.stack.refresh();
  await bench.stack.up();
});
