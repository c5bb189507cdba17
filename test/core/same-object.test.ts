import { describe, expect, test } from "@jest/globals";
import { isDecided, lossIn } from "../../src/provider/decisions/missing-objects";
import { isFormer, isSameObject, type Sameness, tellsObject } from "../../src/provider/decisions/same-object";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";

const { gate, tag, paramStore } = catalog;
const made = Date.parse("2026-11-26T19:00:00.123Z");

describe("the time of creation", () => {
  test.each<[unknown, unknown, Sameness]>([
    [made, made, "same"],
    [made, made + 1, "other"],
    [made, made - 60_000, "other"],
    [made, Math.floor(made / 1000) * 1000, "same"],
    [Math.floor(made / 1000), made, "same"],
    [Math.floor(made / 1000) + 1, made, "same"],
    [Math.floor(made / 1000) + 2, made, "other"],
    [Math.floor(made / 1000), Math.floor(made / 1000) + 1, "other"],
    [made, "2026-11-26T19:00:00.123Z", "same"],
    [made, "2026-11-26T20:00:00+01:00", "same"],
    [made, String(made), "same"],
    [made, "2026-11-27T19:00:00.123Z", "other"],
    [undefined, made, "unknown"],
    [made, null, "unknown"],
    [made, 0, "unknown"],
    [made, "", "unknown"],
    [made, "yesterday", "unknown"],
    [made, Number.MAX_VALUE, "unknown"],
  ])("%p in state and %p in the console: %s", (then, now, expected) => {
    expect(isSameObject(gate, { createdTime: then }, { createdTime: now })).toBe(expected);
  });

  test("an older one may come from a late read", () => {
    expect(isFormer(gate, { createdTime: made }, { createdTime: made - 1 })).toBe(true);
    expect(isFormer(gate, { createdTime: made }, { createdTime: made + 1 })).toBe(false);
    expect(isFormer(gate, {}, { createdTime: made })).toBe(false);
  });
});

describe("without a time of creation", () => {
  const rule = (name: string, id: string, baseID = id): JsonObject => ({ name, id, baseID });
  const rules = (...list: JsonObject[]): JsonObject => ({ rules: list });
  const [ann, ben] = [{ creatorID: "ann" }, { creatorID: "ben" }];

  test.each<[string, JsonObject, JsonObject, Sameness]>([
    ["other ids of the same rules", rules(rule("Staff", "a")), rules(rule("Staff", "b")), "other"],
    ["one rule that stayed", rules(rule("A", "a"), rule("B", "b")), rules(rule("C", "b")), "same"],
    ["a percentage that changed", rules(rule("A", "a1", "a")), rules(rule("A", "a2", "a")), "same"],
    ["an answer without base ids", rules(rule("A", "a1", "a")), rules({ name: "A", id: "a2" }), "unknown"],
    ["other rules", rules(rule("Staff", "a")), rules(rule("Everyone", "b")), "unknown"],
    ["no rules", rules(), rules(rule("Staff", "b")), "unknown"],
    ["another creator", ann, ben, "other"],
    ["a creator that the program sets", { ...ann, __managed: ["creatorID"] }, ben, "unknown"],
    ["no creator", { creatorID: "" }, ben, "unknown"],
    [
      "another creator, same rule",
      { ...ann, ...rules(rule("A", "a")) },
      { ...ben, ...rules(rule("A", "a")) },
      "same",
    ],
  ])("%s", (_, state, live, expected) => {
    expect(isSameObject(gate, state, live)).toBe(expected);
  });

  test("the creator is a trait of the kind", () => {
    expect(isSameObject(paramStore, ann, ben)).toBe("other");
  });

  test("nothing is read for a state that cannot tell", () => {
    expect(tellsObject(gate, { key: "pay", rules: [{ name: "A" }] })).toBe(false);
    expect(tellsObject(gate, rules(rule("A", "a")))).toBe(true);
    expect(tellsObject(gate, { createdTime: made })).toBe(true);
    expect(tellsObject(tag, { name: "shop", createdTime: made })).toBe(false);
  });
});

const gates = { title: "gate", hasNoList: false };

test.each([
  ["more than half of them is a loss", 10, 4, 6, "most"],
  ["half of them is none", 10, 5, 5, undefined],
  ["more than half of five", 5, 2, 3, "most"],
  ["of fewer than five, all but one may go", 4, 1, 3, undefined],
  ["and all", 4, 0, 4, undefined],
  ["all of five", 5, 0, 5, "all"],
])("of gates in the state, missing in the console: %s", (_, stored, found, missing, why) => {
  expect(lossIn([{ ...gates, stored, found, missing }])?.why).toBe(why);
});

test.each([
  ["most are missing", 10, 0, 6, true],
  ["half of them may be", 10, 0, 5, false],
  ["half of them are there", 10, 5, 0, true],
  ["of few, one is there", 4, 1, 0, true],
  ["of few, one is missing", 4, 0, 1, false],
])(
  "the rest of a kind is not asked for when that changes nothing: %s",
  (_, stored, found, missing, decided) => {
    expect(isDecided({ ...gates, stored, found, missing })).toBe(decided);
  },
);
