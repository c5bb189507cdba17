import { describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Attempt, equalsOwnCreate, originOf } from "../../src/provider/engine/claims/origin";
import type { JsonObject } from "../../src/provider/schema/json";

const created = 1_700_000_000_000;
const parameter = { name: "colour", type: "string", defaultValue: "blue" };
const program = { name: "area", idType: "userID", description: "Area", parameters: [parameter] };
const bare = {
  ...{ id: "area", name: "area", idType: "userID", description: "Area", parameters: [] },
  ...{ version: 1, createdTime: created, lastModifiedTime: created, creatorEmail: null },
};
const finished = {
  ...bare,
  ...{ parameters: [parameter], version: 2, lastModifiedTime: created + 900_000, lastModifierEmail: null },
};

describe("a layer, whose parameters take a second write, found by a create", () => {
  const cases: [string, JsonObject, boolean][] = [
    ["as the first write leaves it", bare, true],
    ["as the second write leaves it, held back by the write limit", finished, true],
    ["with a second write hours later", { ...finished, lastModifiedTime: created + 4_000_000 }, false],
    ["changed by a person", { ...finished, lastModifierEmail: "a@example.com" }, false],
    ["made by a person", { ...bare, creatorEmail: "a@example.com" }, false],
    ["with other parameters", { ...finished, parameters: [{ ...parameter, name: "size" }] }, false],
    ["with another description", { ...bare, description: "Theirs" }, false],
    [
      "with nothing that tells whether it changed",
      { ...bare, version: undefined, createdTime: undefined },
      false,
    ],
  ];
  test.each(cases)("%s", (_, live, own) => {
    expect(equalsOwnCreate({ definition: catalog.layer, id: "area", live, program })).toBe(own);
  });
});

describe("an alert, which shows no times, found by a create", () => {
  const args = { name: "Few orders", alertThreshold: 3 };
  const sent = { id: "x", name: "Few orders", alertThreshold: 3, message: "", condition: "greater" };
  const cases: [string, JsonObject, boolean][] = [
    ["as the program and the console's defaults say", sent, true],
    ["with a message, of which the program says nothing", { ...sent, message: "Theirs" }, false],
    ["with another condition, of which the program says nothing", { ...sent, condition: "less" }, false],
  ];
  test.each(cases)("%s", (_, live, own) => {
    expect(equalsOwnCreate({ definition: catalog.alert, id: "x", live, program: args })).toBe(own);
  });
});

test("an experiment on its way through its states is its own", () => {
  const args = {
    ...{ key: "trial", name: "trial", status: "decision_made", controlGroup: "A", launchedGroup: "A" },
    ...{ decisionReason: "Better", groups: [{ name: "A", size: 100, parameterValues: {} }] },
  };
  const live = {
    ...{ key: "trial", name: "trial", status: "active", controlGroup: "x", version: 3 },
    ...{ createdTime: created, lastModifiedTime: created + 50, owner: { ownerType: "SDK_KEY" } },
    groups: [{ id: "x", name: "A", size: 100, parameterValues: {} }],
  };
  expect(equalsOwnCreate({ definition: catalog.experiment, id: "trial", live, program: args })).toBe(true);
});

describe("where an object comes from, by the journal", () => {
  const entry = { at: created, did: "create", resource: "one" } as const;
  const mine = { ...program, __resource: "one" };
  const undated = { ...bare, createdTime: undefined };
  const cases: [string, JsonObject, Partial<Attempt>, string][] = [
    ["nothing was noted", bare, { entry: undefined }, "unknown"],
    ["it came to be right after the note", { ...bare, createdTime: created + 500 }, {}, "this-stack"],
    ["it was there before the note", { ...bare, createdTime: created - 1 }, {}, "unknown"],
    ["it came long after the note", { ...bare, createdTime: created + 3_600_000 }, {}, "unknown"],
    ["an answer named it", { ...bare, createdTime: 0 }, { entry: { ...entry, made: "area" } }, "this-stack"],
    ["an answer named another", bare, { entry: { ...entry, made: "other" } }, "unknown"],
    ["it was looked for and not there", undated, { entry: { ...entry, there: ["x"] } }, "this-stack"],
    ["it was looked for and there", bare, { entry: { ...entry, there: ["area"] } }, "unknown"],
    ["it bears no date", undated, {}, "unknown"],
    ["it bears no date, and this run lost an answer", undated, { lost: true }, "this-stack"],
    ["another resource made it", bare, { entry: { ...entry, resource: "two" } }, "renamed"],
    ["it was archived", bare, { entry: { ...entry, did: "archive" } }, "unknown"],
    [
      "it was being brought back",
      { ...bare, createdTime: created - 3_600_000, lastModifiedTime: created },
      { entry: { ...entry, did: "unarchive" } },
      "brought-back",
    ],
    [
      "it was being brought back for another resource",
      { ...bare, createdTime: created - 3_600_000, lastModifiedTime: created },
      { entry: { ...entry, did: "unarchive", resource: "two" } },
      "renamed",
    ],
    [
      "somebody made it anew after it was brought back",
      { ...bare, createdTime: created + 1000, lastModifiedTime: created + 1000 },
      { entry: { ...entry, did: "unarchive" } },
      "unknown",
    ],
    [
      "it was brought back, and changed since",
      { ...bare, lastModifiedTime: created + 3_600_000 },
      { entry: { ...entry, did: "unarchive" } },
      "unknown",
    ],
  ];
  test.each(cases)("%s", (_, live, attempt, origin) => {
    const whole = { lost: false, entry, ...attempt };
    expect(originOf({ definition: catalog.layer, id: "area", live, program: mine }, whole, undefined)).toBe(
      origin,
    );
  });

  test("the console's clock may be another one", () => {
    const late = { ...bare, createdTime: created + 60_500 };
    const of = (offset: number) =>
      originOf(
        { definition: catalog.layer, id: "area", live: late, program: mine },
        { lost: false, entry },
        offset,
      );
    expect([of(60_000), of(120_000)]).toEqual(["this-stack", "unknown"]);
  });
});
