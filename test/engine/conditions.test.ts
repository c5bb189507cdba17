import { expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectQuiet, listOf, refreshed, rule, start, staysQuiet, subject } from "../laws/harness";

const key = "one";
const asking = (condition: JsonObject, passPercentage = 100) =>
  rule("one", passPercentage, { conditions: [condition] });

/** A gate of one rule for each condition is made of them, comes back with them, and is quiet. */
async function keeps(conditions: readonly JsonObject[]): Promise<void> {
  await start(catalog.gate);
  const rules = conditions.map((condition, at) => ({ ...asking(condition), name: `rule ${at}` }));
  const made = await subject.up({ key, rules });
  expect((await listOf(key)).map((one) => one.conditions)).toEqual(conditions.map((one) => [one]));
  await expectQuiet(await refreshed(made), { key, rules });
}

const unusual = { type: "public", operator: "any", targetValue: ["x"] };

test("[O1] unusual conditions, of types and operators that no table shows, are sent as they are said", () =>
  keeps([
    unusual,
    { type: "locale", operator: "str_contains_any", targetValue: ["de"] },
    { type: "os_name", operator: "version_gt", targetValue: "10" },
    { type: "environment_tier", operator: "is_null" },
    { type: "passes_gate", operator: "none", targetValue: "other" },
    { type: "target_app", operator: "array_contains_any", targetValue: ["web"] },
    { type: "email", operator: "gt", targetValue: 5 },
    { type: "country", operator: "encoded_any", targetValue: ["CH"] },
  ]));

test("[O1] where the console refuses such a pair, it is its refusal that is told", async () => {
  await start(catalog.gate, { behaviour: { unusualOperators: "refuse" } });
  await expect(subject.up({ key, rules: [asking(unusual)] })).rejects.toThrow(
    /Invalid operator 'any' for condition type 'public'/,
  );
});

test("[O2] a type takes operators that others use", () => {
  const texts = ["str_contains_any", "str_contains_none", "str_matches"];
  const at = 1_700_000_000_000;
  const pairs: [type: string, operators: string[], more: JsonObject][] = [
    ["device_model", ["is_null", "is_not_null"], {}],
    ["unit_id", ["str_matches"], { targetValue: ["a.*"], customID: "stableID" }],
    ["email", ["str_matches"], { targetValue: ["a.*"] }],
    ...["device_model", "user_id", "country", "ip_address"].map((type): [string, string[], JsonObject] => [
      type,
      texts,
      { targetValue: ["a"] },
    ]),
    ["time", ["gt", "lt"], { targetValue: at }],
    ["time", ["any", "none"], { targetValue: [String(at)] }],
  ];
  return keeps(
    pairs.flatMap(([type, operators, more]) => operators.map((operator) => ({ type, operator, ...more }))),
  );
});

test("[O3] a segment is asked by one id and by a list of ids, and both are usual", async () => {
  await keeps(
    ["passes_segment", "fails_segment"].map((type) => ({ type, targetValue: ["staff", "testers"] })),
  );
  expect(subject.lines.filter((line) => line.includes("usual"))).toEqual([]);
});

test("[O4] a condition without what it asks is still an error, and nothing is sent", async () => {
  await start(catalog.gate);
  const condition = { type: "unit_id", operator: "any", targetValue: ["a"], customID: "" };
  expect(await subject.problems({ key, rules: [asking(condition)] })).toEqual([
    { property: "", reason: expect.stringMatching(/conditions\[0\]\.customID: missing/) },
  ]);
  expect(subject.emulator.requests).toEqual([]);
});

test("[W1] a program may say empty members too, and it is quiet", async () => {
  await start(catalog.gate);
  const empty = { operator: "", field: "", customID: "" };
  const rules = [asking({ type: "passes_segment", targetValue: "staff", ...empty })];
  await expectQuiet(await subject.up({ key, rules }), { key, rules });
});

test.each(["operator", "field", "customID", "targetValue"])(
  "[W7] an explicit null for %s inside a condition is refused, and a program's null is left out",
  async (member) => {
    await start(catalog.gate);
    const rules = [asking({ type: "public", [member]: null })];
    await expect(subject.raw.gate.create({ body: { name: "raw", rules } })).rejects.toThrow(
      new RegExp(`rules\\.0\\.conditions\\.0\\.${member}`),
    );
    const made = await subject.up({ key, rules });
    expect((await listOf(key))[0]?.conditions).toEqual([{ type: "public" }]);
    await expectQuiet(made, { key, rules });
  },
);

test.each(["scalar", "list"] as const)(
  "[W8] one target value that is read as a %s is no difference, nor a condition without operator",
  async (singleTargets) => {
    await start(catalog.segment, { behaviour: { singleTargets, emptyMembers: "absent" } });
    const conditions = [
      { type: "email", operator: "any", targetValue: ["a@example.com"] },
      { type: "passes_segment", targetValue: "staff" },
    ];
    const args = { key, type: "rule_based", rules: [rule("one", 100, { conditions })] };
    await expectQuiet(await refreshed(await subject.up(args)), args);
  },
);

test("[X1] a rule without a name stays quiet, and keeps its id when it changes", async () => {
  await start(catalog.gate);
  const args = (share: number) => ({ key, rules: [rule("", share)] });
  const made = await staysQuiet(await subject.up(args(10)), args(10));
  const [before] = await listOf(key);
  await subject.update(made, args(20));
  expect(await listOf(key)).toMatchObject([{ name: "", passPercentage: 20, baseID: before?.baseID }]);
});
