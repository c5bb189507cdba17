import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { mustStayQuiet, quiet } from "../laws/quiet";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const rules = (condition: JsonObject, members: JsonObject = {}) => [
  { name: "one", passPercentage: 100, conditions: [condition], ...members },
];

/** A gate of one rule for each condition is made of them, comes back with them, and is quiet. */
async function keeps(conditions: readonly JsonObject[]): Promise<void> {
  subject = await startSubject(catalog.gate);
  const args = {
    key: "one",
    rules: conditions.map((condition, at) => ({ ...rules(condition)[0], name: `rule ${at}` })),
  };
  const made = await subject.up(args);
  const live = (await subject.raw.gate.get({ id: "one" })).rules as JsonObject[];
  expect(live.map((one) => one.conditions)).toEqual(conditions.map((condition) => [condition]));
  const refreshed = (await subject.refresh(made)) ?? made;
  expect(await subject.diff(refreshed, args)).toEqual(quiet);
}

/** Types and operators that no table shows. */
const unusual: JsonObject[] = [
  { type: "public", operator: "any", targetValue: ["x"] },
  { type: "locale", operator: "str_contains_any", targetValue: ["de"] },
  { type: "os_name", operator: "version_gt", targetValue: "10" },
  { type: "environment_tier", operator: "is_null" },
  { type: "passes_gate", operator: "none", targetValue: "other" },
  { type: "target_app", operator: "array_contains_any", targetValue: ["web"] },
  { type: "email", operator: "gt", targetValue: 5 },
  { type: "country", operator: "encoded_any", targetValue: ["CH"] },
];

test("[O1] unusual conditions are sent as they are said", () => keeps(unusual));

test("[O1] where the console refuses such a pair, it is its refusal that is told", async () => {
  subject = await startSubject(catalog.gate, { behaviour: { unusualOperators: "refuse" } });
  await expect(subject.up({ key: "one", rules: rules(unusual[0] as JsonObject) })).rejects.toThrow(
    /Invalid operator 'any' for condition type 'public'/,
  );
});

const texts = ["str_contains_any", "str_contains_none", "str_matches"];
const pairs: [type: string, operator: string, targetValue: unknown][] = [
  ["email", "str_matches", ["a.*"]],
  ["device_model", "is_null", undefined],
  ["device_model", "is_not_null", undefined],
  ...texts.map((operator): [string, string, unknown] => ["device_model", operator, ["Pixel"]]),
  ["unit_id", "str_matches", ["a.*"]],
  ...["user_id", "country", "ip_address"].flatMap((type) =>
    texts.map((operator): [string, string, unknown] => [type, operator, ["a"]]),
  ),
  ["time", "gt", 1_700_000_000_000],
  ["time", "lt", 1_700_000_000_000],
  ["time", "any", ["1700000000000"]],
  ["time", "none", ["1700000000000"]],
];

test("[O2] a type takes operators that others use", () =>
  keeps(
    pairs.map(([type, operator, targetValue]) => ({
      ...{ type, operator },
      ...(targetValue === undefined ? {} : { targetValue }),
      ...(type === "unit_id" ? { customID: "stableID" } : {}),
    })),
  ));

test("[O3] a segment is asked by one id and by a list of ids, and both are usual", async () => {
  await keeps(
    ["passes_segment", "fails_segment"].map((type) => ({ type, targetValue: ["staff", "testers"] })),
  );
  expect(subject.lines.filter((line) => line.includes("usual"))).toEqual([]);
});

test("[O4] a condition without what it asks is still an error, and nothing is sent", async () => {
  subject = await startSubject(catalog.gate);
  const condition = { type: "unit_id", operator: "any", targetValue: ["a"], customID: "" };
  expect(await subject.problems({ key: "one", rules: rules(condition) })).toEqual([
    { property: "", reason: expect.stringMatching(/conditions\[0\]\.customID: missing/) },
  ]);
  expect(subject.emulator.requests).toEqual([]);
});

test("[W1] a program may say them too, and it is quiet", async () => {
  subject = await startSubject(catalog.gate);
  const args = {
    key: "one",
    rules: rules({ type: "passes_segment", targetValue: "staff", operator: "", field: "", customID: "" }),
  };
  const made = await subject.up(args);
  expect(await subject.diff(made, args)).toEqual(quiet);
});

test.each(["operator", "field", "customID", "targetValue"])(
  "[W7] an explicit null for %s inside a condition is refused, and a program's null is left out",
  async (member) => {
    subject = await startSubject(catalog.gate);
    const condition = { type: "public", [member]: null };
    await expect(subject.raw.gate.create({ body: { name: "raw", rules: rules(condition) } })).rejects.toThrow(
      new RegExp(`rules\\.0\\.conditions\\.0\\.${member}`),
    );
    const args = { key: "one", rules: rules(condition) };
    const made = await subject.up(args);
    const body = (await subject.raw.gate.get({ id: "one" })).rules as JsonObject[];
    expect(body[0]?.conditions).toEqual([{ type: "public" }]);
    expect(await subject.diff(made, args)).toEqual(quiet);
  },
);

test.each(["scalar", "list"] as const)(
  "[W8] one target value that is read as a %s is no difference, nor a condition without operator",
  async (singleTargets) => {
    subject = await startSubject(catalog.segment, { behaviour: { singleTargets, emptyMembers: "absent" } });
    const conditions = [
      { type: "email", operator: "any", targetValue: ["a@example.com"] },
      { type: "passes_segment", targetValue: "staff" },
    ];
    const args = {
      key: "one",
      type: "rule_based",
      rules: [{ name: "one", passPercentage: 100, conditions }],
    };
    const made = await subject.up(args);
    const refreshed = (await subject.refresh(made)) ?? made;
    expect(await subject.diff(refreshed, args)).toEqual(quiet);
  },
);

test("[X1] a rule without a name stays quiet, and keeps its id when it changes", async () => {
  subject = await startSubject(catalog.gate);
  const rules = (passPercentage: number) => [{ name: "", passPercentage, conditions: [{ type: "public" }] }];
  const made = await subject.up({ key: "unnamed", rules: rules(10) });
  await mustStayQuiet(subject, made, { key: "unnamed", rules: rules(10) });
  const [before] = (await subject.raw.gate.get({ id: "unnamed" })).rules as JsonObject[];
  await subject.update(made, { key: "unnamed", rules: rules(20) });
  const [after] = (await subject.raw.gate.get({ id: "unnamed" })).rules as JsonObject[];
  expect(after).toMatchObject({ name: "", passPercentage: 20, baseID: before?.baseID });
});
