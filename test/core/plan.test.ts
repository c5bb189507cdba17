import { describe, expect, test } from "@jest/globals";
import { changesOf, differences, isArchived, plan } from "../../src/provider/decisions/plan";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { stateOf } from "../../src/provider/values/managed";
import { kind, rowsByKind } from "./subjects";

/** A gate as a console shows it, under the names used here. */
const liveGate: JsonObject = {
  ...{ key: "checkout", name: "Checkout", description: "Shop", team: "growth", tags: ["a"], rules: [] },
  ...{
    isEnabled: true,
    status: "In Progress",
    type: "TEMPORARY",
    idType: "userID",
    measureMetricLifts: true,
  },
  ...{ targetApps: [], monitoringMetrics: [], isTemplate: false, creatorEmail: null },
  reviewSettings: { requiredReview: false, allowedReviewers: [] },
  ...{ version: 3, createdTime: 1 },
};
const staff = { key: "staff", name: "Staff", type: "rule_based" };
const search = { name: "Search", idType: "userID" };

/** Objects as a console shows them, and how the program names them. */
const lives: Partial<Record<KindName, { live: JsonObject; named: JsonObject }>> = {
  gate: { live: liveGate, named: { key: "checkout" } },
  segment: { live: { ...staff, description: "Old", rules: [], tags: [], idType: "userID" }, named: staff },
  layer: { live: { ...search, description: "", parameters: [], targetApps: [] }, named: search },
};

const nothing = { how: "nothing" };
const update = (...names: string[]) => ({ how: "update", names, revive: false });
const revive = (...names: string[]) => ({ how: "update", names, revive: true });
const replace = (...names: string[]) => ({ how: "replace", names });
const shop = { description: "Shop" };
const archived = { status: "Archived" };
const [on, off] = [{ isEnabled: true }, { isEnabled: false }];
const launched = { status: "Launched", isEnabled: false };
const author = (creatorEmail: string) => ({ creatorEmail });
const rules = [{ name: "r", passPercentage: 1, conditions: [] }];
const bypass = { gradualRolloutStrategy: { type: "bypass" } };
const anew = { onImmutableChange: "replace" };
const byConsole = { description: "By hand", rules: [{ name: "r" }], tags: ["x"] };

test.each(
  rowsByKind<[what: string, before: JsonObject, now: JsonObject, drift: JsonObject, planned: object]>({
    gate: [
      ["only the text differs", { tags: ["a"] }, { tags: ["★ a", "a"] }, {}, nothing],
      ["the console filled it in", {}, {}, byConsole, nothing],
      ["it changes by itself", {}, {}, { version: 9, typeReason: "STALE_NO_RULES" }, nothing],
      ["it drifted", shop, shop, { description: "By hand" }, update("description")],
      ["it changed", shop, { description: "New" }, {}, update("description")],
      ["it is new and equal: the program owns it from now on", {}, shop, {}, update()],
      ["it was removed, and can be cleared", { tags: ["a"] }, {}, {}, update("tags")],
      ["it was removed, and cannot be cleared", { measureMetricLifts: true }, {}, {}, nothing],
      ["the same, and another changes", { type: "PERMANENT", ...shop }, {}, {}, update("description")],
      ["it was removed, and is empty already", { team: "growth" }, {}, { team: null }, update()],
      ["a state is no longer said", off, {}, {}, nothing],
      ["another key", {}, { key: "other" }, {}, replace("key")],
      ["a key that may be another", {}, { key: UNKNOWN }, {}, replace("key")],
      ["another unit id type of a gate", {}, { idType: "stableID" }, {}, replace("idType")],
      ["it is not known yet", shop, { description: UNKNOWN }, {}, update("description")],
      ["the wish to adopt alone", { adopt: true }, {}, {}, nothing],
      ["the end of it", {}, { onDelete: "delete" }, {}, update("onDelete")],
      [
        "the reason of an archive",
        { archiveReason: "a" },
        { archiveReason: "b" },
        {},
        update("archiveReason"),
      ],
      ["the other of two views", { team: "growth" }, { teamID: "t1" }, {}, update("teamID")],
      ["internal arguments", {}, { __provider: "text", __adopt: "checkout" }, {}, nothing],
      ["it was archived", {}, {}, archived, revive()],
      ["it was archived, and changes", {}, { tags: ["b"] }, archived, revive("tags")],
      ["it is archived as wanted", archived, archived, archived, nothing],
      ["launched, and on", on, on, launched, nothing],
      ["launched, and to be off", off, off, launched, update("isEnabled")],
      ["temporary, gone stale", { type: "TEMPORARY" }, { type: "TEMPORARY" }, { type: "STALE" }, nothing],
      ["stale, and to stay", { type: "PERMANENT" }, { type: "PERMANENT" }, { type: "STALE" }, update("type")],
      ["the console names another author", author("a@x"), author("a@x"), author("b@x"), nothing],
      ["the program names another author", author("a@x"), author("b@x"), {}, update("creatorEmail")],
      ["the program names no author any more", author("a@x"), {}, {}, update("creatorEmail")],
      ["a rollout strategy, which no read shows", bypass, bypass, {}, nothing],
    ],
    segment: [
      ["only creation can set it", {}, { description: "New" }, {}, update("description")],
      ["the program replaces it", {}, { description: "New", ...anew }, {}, replace("description")],
      ["it is removed, and replaced", { tags: ["x"], ...anew }, anew, { tags: ["x"] }, replace("tags")],
      ["the wish to replace alone", {}, anew, {}, nothing],
      ["rules that are read as one object", { rules }, { rules }, { rules: rules[0] }, nothing],
    ],
    layer: [["another name", {}, { name: "Find" }, {}, replace("name")]],
  }),
)("the plan for a %s: %s", (name, _, before, now, drift, planned) => {
  const { live, named } = lives[name] ?? { live: {}, named: {} };
  const state = stateOf(kind(name), { ...live, ...drift }, { ...named, ...before });
  expect(plan(kind(name), state, { ...named, ...now })).toEqual(planned);
});

describe("an update sends", () => {
  test.each<[string, JsonObject, string[], JsonObject]>([
    ["only what differs", { description: "New", tags: ["a"] }, ["tags"], { description: "New" }],
    ["an empty text for a description that was removed", {}, ["description"], { description: "" }],
    ["an empty array for tags that were removed", {}, ["tags"], { tags: [] }],
    ["null for a team that was removed", {}, ["team"], { team: null }],
    ["nothing for what has no empty form", {}, ["isEnabled", "measureMetricLifts", "type"], {}],
    ["nothing for what was never the program's", {}, [], {}],
    ["nothing for what is empty already", {}, ["targetApps", "monitoringMetrics"], {}],
    ["null when the program says so", { team: null }, ["team"], { team: null }],
  ])("%s", (_, program, before, expected) => {
    expect(
      changesOf(kind("gate"), {
        ...{ program, live: liveGate },
        lastProgram: Object.fromEntries(before.map((name) => [name, liveGate[name]])),
      }),
    ).toEqual(expected);
  });

  test("what no read shows, unless the state says that it was said", () => {
    expect(changesOf(kind("gate"), { program: bypass, live: liveGate })).toEqual(bypass);
    expect(changesOf(kind("gate"), { program: bypass, live: liveGate, seen: bypass })).toEqual({});
  });
});

test("a live object differs from a program at paths, authorship aside", () => {
  const program = { key: "checkout", tags: ["b"], description: "Shop", creatorEmail: "me@x", rules };
  const live = { ...liveGate, rules: [{ ...rules[0], passPercentage: 2 }] };
  expect(differences(kind("gate"), live, program).map(({ label }) => label)).toEqual([
    "rules[0].passPercentage",
    "tags",
  ]);
});

test.each<[KindName, JsonObject, boolean]>([
  ["gate", archived, true],
  ["gate", { status: "Disabled" }, false],
  ["gate", {}, false],
  ["segment", archived, false],
])("a live %s with %j is archived: %s", (name, live, expected) => {
  expect(isArchived(kind(name), live)).toBe(expected);
});
