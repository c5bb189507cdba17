import { describe, expect, test } from "@jest/globals";
import { plan } from "../../src/provider/decisions/plan";
import type { JsonObject } from "../../src/provider/schema/json";
import {
  managedBefore,
  managedMember,
  overlay,
  refreshFinds,
  stateOf,
} from "../../src/provider/values/managed";
import { kind } from "./subjects";

const live: JsonObject = {
  ...{ key: "checkout", name: "Checkout", description: "Shop", isEnabled: true, status: "In Progress" },
  ...{ rules: [], tags: ["a"], version: 1, lastModifiedTime: 1, team: null, type: "TEMPORARY" },
};
const gate = kind("gate");
const refreshed = (program: JsonObject, drift: JsonObject) => {
  const old = stateOf(gate, live, program);
  return { old, ...overlay(gate, old, { ...live, ...drift }) };
};
const bypass = { gradualRolloutStrategy: { type: "bypass" } };

describe("a state", () => {
  test("holds the live object, the options and what the program owns; no nulls, nothing that is not known here", () => {
    const program = { key: "checkout", tags: ["a"], onDelete: "retain" };
    // The version shows changes; the time of the last one is in lookups.
    const { team: _, lastModifiedTime: __, ...shown } = live;
    const kept = { ...shown, onDelete: "retain", [managedMember]: ["key", "tags"] };
    expect(stateOf(gate, { ...live, brandNew: 1 }, program)).toEqual(kept);
  });

  test("holds what the program said where no read shows it, or shows another", () => {
    const said = { creatorEmail: "me@x", ...bypass };
    expect(stateOf(gate, { ...live, creatorEmail: "console@x" }, said)).toMatchObject(said);
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
  test("takes from a state of an earlier version what only lookups show today", () => {
    const state = stateOf(gate, live, { key: "checkout" });
    const former = { ...state, creatorName: "Ada", lastModifiedTime: 1, checksPerHour: 3, owner: {} };
    expect(overlay(gate, former, live)).toEqual({ state, inputs: { key: "checkout" } });
    expect(refreshFinds(gate, former, { ...live, checksPerHour: 5, lastModifiedTime: 2 })).toBe(false);
  });

  test("keeps the time of the last change where nothing counts the changes", () => {
    const pipeline = { name: "Slow", phases: [], lastModifiedTime: 5, lastModifierID: "u-1" };
    const { lastModifierID: _, ...kept } = { ...pipeline, [managedMember]: ["name"] };
    expect(stateOf(kind("releasePipeline"), pipeline, { name: "Slow" })).toEqual(kept);
  });

  const program = { key: "checkout", name: "Checkout", description: "Shop", tags: ["a"] };

  test("shows the drift of what the program owns, and the next plan takes it back", () => {
    const { state, inputs } = refreshed(program, { description: "By hand", tags: ["b", "a"] });
    expect(inputs).toEqual({ ...program, description: "By hand", tags: ["a", "b"] });
    expect(state).toMatchObject({
      description: "By hand",
      [managedMember]: ["key", "name", "description", "tags"],
    });
    const back = { how: "update", names: ["description", "tags"], revive: false };
    expect(plan(gate, state, program)).toEqual(back);
  });

  test("shows what is not the program's in the state alone", () => {
    const { state, inputs } = refreshed(program, { isEnabled: false, rules: [{ name: "r" }] });
    expect(state.isEnabled).toBe(false);
    expect(inputs).toEqual(program);
    expect(plan(gate, state, program)).toEqual({ how: "nothing" });
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      "what changes by itself",
      program,
      { version: 7, lastModifiedTime: 99, checksPerHour: 12, holdoutIDs: ["h"] },
    ],
    ["nulls and empty lists", { ...program, tags: ["a", "b"] }, { team: "", targetApps: [], version: 2 }],
  ])("keeps the old state when only this changed: %s", (_, said, drift) => {
    const { old, state } = refreshed(said, drift);
    expect(state).toBe(old);
  });

  test("keeps what the program said about authorship, rollouts and options", () => {
    const own = { creatorEmail: "me@x", ...bypass, onDelete: "delete", archiveReason: "x" };
    const drift = { creatorEmail: "console@x", description: "By hand" };
    const { state, inputs } = refreshed({ ...program, ...own }, drift);
    expect(inputs).toEqual({ ...program, ...own, description: "By hand" });
    expect(state).toMatchObject(own);
  });

  test("drops an argument that is empty in the console now", () => {
    const old = stateOf(gate, { ...live, team: "growth" }, { key: "checkout", team: "growth" });
    const { inputs, state } = overlay(gate, old, live);
    expect(inputs).toEqual({ key: "checkout" });
    expect(plan(gate, state, { key: "checkout", team: "growth" })).toMatchObject({ names: ["team"] });
  });

  const [on, off] = [{ isEnabled: true }, { isEnabled: false }];
  const [archived, temporary] = [{ status: "Archived" }, { type: "TEMPORARY" }];

  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ["a launched gate counts as on", on, { status: "Launched", ...off }, on],
    ["a stale gate counts as temporary", temporary, { type: "STALE" }, temporary],
    ["a gate switched off by hand", on, { status: "Disabled", ...off }, off],
    ["an archived gate whose state the program sets", { status: "In Progress" }, archived, archived],
  ])("says it as a program would: %s", (_, said, drift, expected) => {
    expect(refreshed({ key: "checkout", ...said }, drift).inputs).toEqual({ key: "checkout", ...expected });
  });

  test("shows rules without the console's ids", () => {
    const rules = [{ name: "r", passPercentage: 1, conditions: [] }];
    const shown = { ...rules[0], passPercentage: 2 };
    const drift = { rules: [{ ...shown, id: "b:2.00:1", baseID: "b", environments: null }] };
    expect(refreshed({ key: "checkout", rules }, drift).inputs).toEqual({ key: "checkout", rules: [shown] });
  });

  test("of an object that nobody declared says that nothing is owned", () => {
    const { state, inputs } = overlay(gate, {}, live);
    expect(inputs).toEqual({});
    expect(state).toMatchObject({ key: "checkout", [managedMember]: [] });
  });
});
