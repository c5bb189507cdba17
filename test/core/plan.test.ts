import { expect, test } from "@jest/globals";
import { plan } from "../../src/provider/decisions/plan";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { stateOf } from "../../src/provider/values/managed";
import { lives } from "./live";
import { kind, rowsByKind } from "./subjects";

/** What a program sets besides: it names its object. */
const named: Readonly<Record<string, JsonObject>> = {
  gate: { key: "checkout" },
  segment: { key: "staff", name: "Staff", type: "rule_based" },
  layer: { name: "Search", idType: "userID" },
};

const nothing = { how: "nothing" };
const update = (...names: string[]) => ({ how: "update", names, revive: false });
const revive = (...names: string[]) => ({ how: "update", names, revive: true });
const replace = (...names: string[]) => ({ how: "replace", names });
const shop = { description: "Shop" };
const archived = { status: "Archived" };
const rules = [{ name: "r", passPercentage: 1, conditions: [] }];
const bypass = { gradualRolloutStrategy: { type: "bypass" } };
const anew = { onImmutableChange: "replace" };

const cases = rowsByKind<[before: JsonObject, now: JsonObject, drift: JsonObject, planned: object]>({
  gate: [
    ["all is as wanted", { tags: ["a"] }, { tags: ["a"] }, {}, nothing],
    ["only the text differs", { tags: ["a"] }, { tags: ["★ a", "a"] }, {}, nothing],
    [
      "the console filled it in",
      {},
      {},
      { description: "By hand", rules: [{ name: "r" }], tags: ["x"] },
      nothing,
    ],
    ["it changes by itself", {}, {}, { version: 9, typeReason: "STALE_NO_RULES", checksPerHour: 5 }, nothing],
    ["it drifted", shop, shop, { description: "By hand" }, update("description")],
    ["it changed", shop, { description: "New" }, {}, update("description")],
    ["it is new and equal: the program owns it from now on", {}, shop, {}, update()],
    ["it was removed, and can be cleared", { tags: ["a"] }, {}, {}, update("tags")],
    ["it was removed, and cannot be cleared", { measureMetricLifts: true }, {}, {}, update()],
    ["it was removed, and is empty already", { team: "growth" }, {}, { team: null }, update()],
    ["a state is no longer said", { isEnabled: false }, {}, {}, nothing],
    ["another key", {}, { key: "other" }, {}, replace("key")],
    ["a key that may be another", {}, { key: UNKNOWN }, {}, replace("key")],
    ["another unit id type of a gate", {}, { idType: "stableID" }, {}, replace("idType")],
    ["it is not known yet", shop, { description: UNKNOWN }, {}, update("description")],
    ["the wish to adopt alone", { adopt: true }, {}, {}, nothing],
    ["what destroy does", {}, { onDelete: "delete" }, {}, update("onDelete")],
    [
      "the reason of an archive",
      { archiveReason: "old" },
      { archiveReason: "new" },
      {},
      update("archiveReason"),
    ],
    ["the other of two views", { team: "growth" }, { teamID: "t1" }, {}, update("teamID")],
    ["internal arguments", {}, { __provider: "text", __adopt: "checkout" }, {}, nothing],
    ["it was archived", {}, {}, archived, revive()],
    ["it was archived, and changes", {}, { tags: ["b"] }, archived, revive("tags")],
    ["it is archived as wanted", archived, archived, archived, nothing],
    [
      "launched, and on",
      { isEnabled: true },
      { isEnabled: true },
      { status: "Launched", isEnabled: false },
      nothing,
    ],
    [
      "launched, and to be off",
      ...([{ isEnabled: false }, { isEnabled: false }, { status: "Launched", isEnabled: false }] as const),
      update("isEnabled"),
    ],
    ["temporary, gone stale", { type: "TEMPORARY" }, { type: "TEMPORARY" }, { type: "STALE" }, nothing],
    ["stale, and to stay", { type: "PERMANENT" }, { type: "PERMANENT" }, { type: "STALE" }, update("type")],
    [
      "the console names another author",
      { creatorEmail: "a@x" },
      { creatorEmail: "a@x" },
      { creatorEmail: "b@x" },
      nothing,
    ],
    [
      "the program names another author",
      { creatorEmail: "a@x" },
      { creatorEmail: "b@x" },
      {},
      update("creatorEmail"),
    ],
    ["the program names no author any more", { creatorEmail: "a@x" }, {}, {}, update("creatorEmail")],
    ["a rollout strategy, which no read shows", bypass, bypass, {}, nothing],
  ],
  segment: [
    ["only creation can set it", {}, { description: "New" }, {}, update("description")],
    [
      "only creation can set it, and the program replaces",
      {},
      { description: "New", ...anew },
      {},
      replace("description"),
    ],
    [
      "it is removed, and the program replaces",
      { tags: ["x"], ...anew },
      anew,
      { tags: ["x"] },
      replace("tags"),
    ],
    ["the wish to replace alone", {}, anew, {}, nothing],
    ["rules that are read as one object", { rules }, { rules }, { rules: rules[0] }, nothing],
  ],
  layer: [["another name", {}, { name: "Find" }, {}, replace("name")]],
});

test.each(cases)("the plan where %s (%s)", (_, name, before, now, drift, planned) => {
  const state = stateOf(kind(name), { ...lives[name], ...drift }, { ...named[name], ...before });
  expect(plan(kind(name), state, { ...named[name], ...now })).toEqual(planned);
});
