import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, changesTo, nameOf, openBench, told, toldInAll } from "./bench";

// A pipeline updates by saved plans, while people ramp, switch off and tag in the console.

jest.setTimeout(300_000);

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  await bench.write(program({ more: 'new fc.Gate("dropped");' }));
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

const rule = (name: string, passPercentage: number, mail = "example.com") => ({
  name,
  passPercentage,
  conditions: [{ type: "email", operator: "str_contains_any", targetValue: [`@${mail}`] }],
});

/** What the team merges. */
interface Merged {
  /** Whom the rules are for. */
  readonly mail?: string;
  readonly share?: number;
  readonly description?: string;
  readonly more?: string;
}

/** A gate whose rollout the console owns, two configs of which Pulumi ignores shares, and flags that are the program's. */
const program = ({ mail = "before", share = 50, description = "One", more = "" }: Merged) => `
const rules = ${JSON.stringify([rule("Staff", 100, mail), rule("Everyone", 10)])} as fc.GateArgs["rules"];
new fc.Gate("ramped", { rules, owns: { rollout: "console" } });
new fc.DynamicConfig("ignored", { rules } as fc.DynamicConfigArgs, { ignoreChanges: ["rules[1].passPercentage"] });
new fc.DynamicConfig("all_ignored", { rules } as fc.DynamicConfigArgs, { ignoreChanges: ["rules[*].passPercentage"] });
new fc.Gate("checkout", { rules: [{ name: "Everyone", passPercentage: ${share}, conditions: [{ type: "public" }] }] });
new fc.Gate("guarded", { description: ${JSON.stringify(description)}, protectConcurrentEdits: true });
new fc.Gate("kept");
${more}`;

const rampedNames = ["ramped", "ignored", "all_ignored"];
const read = (id: string) =>
  (id.includes("ignored")
    ? bench.raw.dynamicConfig.get({ id })
    : bench.raw.gate.get({ id })) as unknown as Promise<{
    rules: JsonObject[];
  }>;

/** Somebody in the console. */
async function ramp(share: number): Promise<void> {
  for (const id of rampedNames) {
    const { rules } = await read(id);
    const body = {
      rules: rules.map((one) => (one.name === "Everyone" ? { ...one, passPercentage: share } : one)),
    };
    await (id === "ramped"
      ? bench.raw.gate.patch({ id, body } as never)
      : bench.raw.dynamicConfig.patch({ id, body } as never));
  }
}
const switchOff = () =>
  bench.raw.gate.patch({
    id: "checkout",
    body: { rules: [{ name: "Everyone", passPercentage: 0, conditions: [{ type: "public" }] }] },
  } as never);
const shareNow = async () => (await read("checkout")).rules[0]?.passPercentage;

test("edited between the plan and its update: ramps survive, what the program would overwrite is refused, the rest is done", async () => {
  const added = 'new fc.Gate("added");';
  await bench.write(program({ mail: "after", share: 80, description: "Two", more: added }));
  expect(await bench.stack.run(["preview", "--save-plan=before.json"])).toMatchObject({ code: 0 });
  await ramp(60);
  await switchOff();
  await bench.raw.gate.patch({ id: "guarded", body: { tags: ["theirs"] } });
  bench.emulator.clearRequests();
  const refused = await bench.stack.up({
    mayFail: true,
    args: ["--plan=before.json", "--continue-on-error"],
  });
  expect(refused.code).not.toBe(0);
  const { checkout = [], guarded = [] } = told(refused);
  expect(checkout.join("\n")).toMatch(
    /rules\[0\]\.passPercentage of "Everyone" was 50, is 0 now, and the program sets 80\. Nothing was sent\. .*drift --accept checkout.*pulumi refresh/,
  );
  expect(guarded.join("\n")).toMatch(
    /gate "guarded" was changed in the console since the last refresh \(a key, \d{4}-\d\d-\d\d \d\d:\d\d UTC, version 1 to 2\)\. It differs in tags\. Nothing was sent/,
  );
  const written = changesTo(bench.emulator).join("\n");
  for (const id of [...rampedNames, "dropped"]) expect(written).toContain(`/${id}`);
  expect(await bench.raw.gate.get({ id: "added" })).toMatchObject({ status: "In Progress" });
  expect(written).not.toMatch(/checkout|guarded|kept/);
  for (const id of rampedNames)
    expect([id, (await read(id)).rules]).toMatchObject([
      id,
      [rule("Staff", 100, "after"), { name: "Everyone", passPercentage: 60 }],
    ]);
  expect(await bench.raw.gate.get({ id: "dropped" })).toMatchObject({ status: "Archived" });
});

test("a refresh shows what people decided, and no ramp that is theirs; then the program decides anew", async () => {
  const { events } = await bench.stack.refresh();
  const found = events.flatMap(({ resOutputsEvent }) => {
    const { op, urn } =
      (resOutputsEvent as { metadata?: { op: string; urn: string } } | undefined)?.metadata ?? {};
    return op === "update" ? [nameOf(urn ?? "")] : [];
  });
  // Of the tags of the other one the program says nothing.
  expect(found).toEqual(["checkout"]);
  const printed = (await bench.stack.run(["up", "--yes", "--skip-preview", "--diff"])).stdout;
  expect(printed).toMatch(/passPercentage: 0 => 80/);
  expect(await shareNow()).toBe(80);
  expect(await bench.raw.gate.get({ id: "guarded" })).toMatchObject({ description: "Two", tags: ["theirs"] });
});

test("a rule that comes before an ignored percentage is refused in the preview, with the percentages that would go live", async () => {
  // In one of the two: of several refusals Pulumi prints those that came before it stopped.
  const inserted = program({ mail: "after", share: 80, description: "Two" }).replace(
    '"all_ignored", { rules }',
    `"all_ignored", { rules: [${JSON.stringify(rule("New", 5, "new"))}, ...(rules as fc.GateRuleArgs[])] }`,
  );
  await bench.write(inserted);
  const refused = await bench.stack.preview({ mayFail: true });
  expect(refused.code).not.toBe(0);
  const lines = toldInAll(refused);
  expect(lines).toContain(
    'rules[0].passPercentage: "New" would go live with 100, the value of "Staff", and not with 5; ',
  );
  expect(lines).toContain(
    'rules[2].passPercentage: "Everyone" would go live with 10, the program\'s value, and not with 60. ignoreChanges',
  );
});
