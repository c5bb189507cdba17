import { describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/catalog";
import type { JsonObject } from "../../src/core/json";
import { explains, isOwn } from "../../src/engine/own";

const created = 1_700_000_000_000;
const parameter = { name: "colour", type: "string", defaultValue: "blue" };
const wants = { name: "area", idType: "userID", description: "Area", parameters: [parameter] };
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
    ["with nothing that tells its age", { ...bare, version: undefined, createdTime: undefined }, false],
  ];
  test.each(cases)("%s", (_, live, own) => {
    expect(isOwn(catalog.layer, { live, wants, mine: false })).toBe(own);
  });

  test("that was not there before this stack's create is its own unless another has been at it", () => {
    const touched = { ...finished, lastModifierEmail: "a@example.com" };
    expect(isOwn(catalog.layer, { live: touched, wants, mine: true })).toBe(true);
    const other = { ...touched, description: "Theirs" };
    expect(isOwn(catalog.layer, { live: other, wants, mine: true })).toBe(false);
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
  expect(isOwn(catalog.experiment, { live, wants: args, mine: false })).toBe(true);
});

test("a note explains what was not there before it", () => {
  expect(explains({}, "a")).toBe(false);
  expect(explains({ noted: ["b"] }, "a")).toBe(true);
  expect(explains({ noted: ["a", "b"] }, "a")).toBe(false);
});

describe("after a lost answer of this run", () => {
  const undated = { ...bare, version: undefined, createdTime: undefined, lastModifiedTime: undefined };
  const cases: [string, JsonObject, boolean][] = [
    ["what is as a create leaves it is its fruit", bare, true],
    ["what bears no date is its fruit", undated, true],
    ["what a person made was there before", { ...undated, creatorEmail: "a@example.com" }, false],
    ["what another changed was there before", { ...finished, lastModifierEmail: "a@example.com" }, false],
  ];
  test.each(cases)("%s", (_, live, own) => {
    expect(isOwn(catalog.layer, { live, wants, mine: false, lost: true })).toBe(own);
  });
});
