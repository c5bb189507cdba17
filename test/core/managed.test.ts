import { describe, expect, test } from "@jest/globals";
import { plan } from "../../src/provider/decisions/plan";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { managedBefore, managedMember, overlay, stateOf } from "../../src/provider/values/managed";
import { kind } from "./subjects";

const live: JsonObject = {
  key: "checkout",
  name: "Checkout",
  description: "Shop",
  isEnabled: true,
  status: "In Progress",
  rules: [],
  tags: ["a"],
  version: 1,
  lastModifiedTime: 1,
  team: null,
  type: "TEMPORARY",
};
const refreshed = (wants: JsonObject, drift: JsonObject, name: KindName = "gate") => {
  const old = stateOf(kind(name), live, wants);
  return { old, ...overlay(kind(name), old, { ...live, ...drift }) };
};

describe("a state", () => {
  test("holds the live object, the options and what the program owns; no nulls, nothing that is not known here", () => {
    const wants = { key: "checkout", tags: ["a"], onDelete: "retain" };
    expect(stateOf(kind("gate"), { ...live, brandNew: 1 }, wants)).toEqual({
      key: "checkout",
      name: "Checkout",
      description: "Shop",
      isEnabled: true,
      status: "In Progress",
      rules: [],
      tags: ["a"],
      version: 1,
      lastModifiedTime: 1,
      type: "TEMPORARY",
      onDelete: "retain",
      [managedMember]: ["key", "tags"],
    });
  });

  test("holds what the program said where no read shows it, or shows another", () => {
    const wants = { key: "checkout", creatorEmail: "me@x", gradualRolloutStrategy: { type: "bypass" } };
    const state = stateOf(kind("gate"), { ...live, creatorEmail: "console@x" }, wants);
    expect(state).toMatchObject({ creatorEmail: "me@x", gradualRolloutStrategy: { type: "bypass" } });
  });

  test.each<[string, unknown, string[]]>([
    ["nothing", undefined, []],
    ["names", ["key", "tags"], ["key", "tags"]],
    ["what is no list of names", { key: true }, []],
    ["what is not all names", ["key", 1], ["key"]],
  ])("lists what the program owned: %s", (_, member, names) => {
    expect(managedBefore({ [managedMember]: member })).toEqual(names);
  });
});

describe("a refresh", () => {
  const wants = { key: "checkout", name: "Checkout", description: "Shop", tags: ["a"] };

  test("shows as arguments what the program owns, nothing else", () => {
    expect(refreshed(wants, { isEnabled: false, rules: [{ name: "r" }] }).inputs).toEqual(wants);
  });

  test("shows the drift of what the program owns, and the next plan takes it back", () => {
    const { state, inputs } = refreshed(wants, { description: "By hand", tags: ["b", "a"] });
    expect(inputs).toEqual({ ...wants, description: "By hand", tags: ["a", "b"] });
    expect(state).toMatchObject({
      description: "By hand",
      [managedMember]: ["key", "name", "description", "tags"],
    });
    expect(plan(kind("gate"), state, wants)).toEqual({
      how: "update",
      names: ["description", "tags"],
      revive: false,
    });
  });

  test("shows what is not the program's in the state alone", () => {
    const { state, inputs } = refreshed(wants, { isEnabled: false });
    expect(state.isEnabled).toBe(false);
    expect(inputs).toEqual(wants);
    expect(plan(kind("gate"), state, wants)).toEqual({ how: "nothing" });
  });

  test("keeps the old state when only what changes by itself changed", () => {
    const { old, state } = refreshed(wants, {
      version: 7,
      lastModifiedTime: 99,
      checksPerHour: 12,
      holdoutIDs: ["h"],
    });
    expect(state).toBe(old);
  });

  test("keeps the old state when the order of a set or a null changed", () => {
    const { old, state } = refreshed(
      { ...wants, tags: ["a", "b"] },
      { team: "", targetApps: [], version: 2 },
    );
    expect(state).toBe(old);
  });

  test("keeps what the program said about authorship, rollouts and options", () => {
    const said = {
      ...wants,
      creatorEmail: "me@x",
      gradualRolloutStrategy: { type: "bypass" },
      onDelete: "delete",
      archiveReason: "x",
    };
    const { state, inputs } = refreshed(said, { creatorEmail: "console@x", description: "By hand" });
    expect(inputs).toEqual({ ...said, description: "By hand" });
    expect(state).toMatchObject({
      creatorEmail: "me@x",
      gradualRolloutStrategy: { type: "bypass" },
      onDelete: "delete",
      archiveReason: "x",
    });
  });

  test("drops an argument that is empty in the console now", () => {
    const old = stateOf(kind("gate"), { ...live, team: "growth" }, { key: "checkout", team: "growth" });
    const { inputs, state } = overlay(kind("gate"), old, live);
    expect(inputs).toEqual({ key: "checkout" });
    expect(plan(kind("gate"), state, { key: "checkout", team: "growth" })).toMatchObject({ names: ["team"] });
  });

  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      "a launched gate counts as on",
      { isEnabled: true },
      { status: "Launched", isEnabled: false },
      { isEnabled: true },
    ],
    ["a stale gate counts as temporary", { type: "TEMPORARY" }, { type: "STALE" }, { type: "TEMPORARY" }],
    [
      "a gate switched off by hand",
      { isEnabled: true },
      { status: "Disabled", isEnabled: false },
      { isEnabled: false },
    ],
    [
      "an archived gate whose state the program sets",
      { status: "In Progress" },
      { status: "Archived" },
      { status: "Archived" },
    ],
  ])("says it as a program would: %s", (_, said, drift, expected) => {
    expect(refreshed({ key: "checkout", ...said }, drift).inputs).toEqual({ key: "checkout", ...expected });
  });

  test("shows rules without the console's ids", () => {
    const rules = [{ name: "r", passPercentage: 1, conditions: [] }];
    const drift = {
      rules: [{ ...rules[0], id: "b:2.00:1", baseID: "b", passPercentage: 2, environments: null }],
    };
    expect(refreshed({ key: "checkout", rules }, drift).inputs).toEqual({
      key: "checkout",
      rules: [{ ...rules[0], passPercentage: 2 }],
    });
  });

  test("of an object that nobody declared says that nothing is owned", () => {
    const { state, inputs } = overlay(kind("gate"), {}, live);
    expect(inputs).toEqual({});
    expect(state).toMatchObject({ key: "checkout", [managedMember]: [] });
  });
});
