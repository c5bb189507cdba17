import { describe, expect, test } from "@jest/globals";
import { plan } from "../../src/provider/decisions/plan";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { stateOf } from "../../src/provider/values/managed";
import { lives } from "./live";
import { kind } from "./subjects";

/** What is planned for a program that said `before`, says `now`, while the live object differs by `drift`. */
function planned(name: KindName, before: JsonObject, now: JsonObject, drift: JsonObject = {}) {
  return plan(kind(name), stateOf(kind(name), { ...lives[name], ...drift }, before), now);
}

const nothing = { how: "nothing" };
const update = (...names: string[]) => ({ how: "update", names, revive: false });
const replace = (...names: string[]) => ({ how: "replace", names });
const key = { key: "checkout" };
const staff = { key: "staff", name: "Staff", type: "rule_based" };

describe("a plan", () => {
  test.each<[string, KindName, JsonObject, JsonObject, JsonObject, object]>([
    ["nothing when all is as wanted", "gate", { ...key, tags: ["a"] }, { ...key, tags: ["a"] }, {}, nothing],
    [
      "nothing when only the text differs",
      "gate",
      { ...key, tags: ["a"] },
      { ...key, tags: ["★ a", "a"] },
      {},
      nothing,
    ],
    [
      "nothing for what the console filled in",
      "gate",
      key,
      key,
      { description: "By hand", rules: [{ name: "r" }], tags: ["x"] },
      nothing,
    ],
    [
      "nothing for what changes by itself",
      "gate",
      key,
      key,
      { version: 9, typeReason: "STALE_NO_RULES", checksPerHour: 5 },
      nothing,
    ],
    [
      "an update of what drifted",
      "gate",
      { ...key, description: "Shop" },
      { ...key, description: "Shop" },
      { description: "By hand" },
      update("description"),
    ],
    [
      "an update of what changed",
      "gate",
      { ...key, description: "Shop" },
      { ...key, description: "New" },
      {},
      update("description"),
    ],
    [
      "an update of what is new and equal, for ownership",
      "gate",
      key,
      { ...key, description: "Shop" },
      {},
      update(),
    ],
    ["an update that clears what was removed", "gate", { ...key, tags: ["a"] }, key, {}, update("tags")],
    [
      "an update that ends ownership of what cannot be cleared",
      "gate",
      { ...key, measureMetricLifts: true },
      key,
      {},
      update(),
    ],
    ["nothing when a state is no longer said", "gate", { ...key, isEnabled: false }, key, {}, nothing],
    [
      "an update when what was removed is empty already",
      "gate",
      { ...key, team: "growth" },
      key,
      { team: null },
      update(),
    ],
    ["a replacement of another key", "gate", key, { key: "other" }, {}, replace("key")],
    [
      "a replacement of another layer name",
      "layer",
      { name: "Search", idType: "userID" },
      { name: "Find", idType: "userID" },
      {},
      replace("name"),
    ],
    [
      "a replacement of a gate's unit id type",
      "gate",
      key,
      { ...key, idType: "stableID" },
      {},
      replace("idType"),
    ],
    ["a replacement that may be none", "gate", key, { key: UNKNOWN }, {}, replace("key")],
    [
      "an update of what is not known yet",
      "gate",
      { ...key, description: "Shop" },
      { ...key, description: UNKNOWN },
      {},
      update("description"),
    ],
    [
      "an update of what only creation can set",
      "segment",
      staff,
      { ...staff, description: "New" },
      {},
      update("description"),
    ],
    [
      "a replacement of it on request",
      "segment",
      staff,
      { ...staff, description: "New", onImmutableChange: "replace" },
      {},
      replace("description"),
    ],
    [
      "a replacement when it is removed, on request",
      "segment",
      { ...staff, tags: ["x"], onImmutableChange: "replace" },
      { ...staff, onImmutableChange: "replace" },
      { tags: ["x"] },
      replace("tags"),
    ],
    [
      "nothing for the wish to replace alone",
      "segment",
      staff,
      { ...staff, onImmutableChange: "replace" },
      {},
      nothing,
    ],
    ["nothing for the wish to adopt alone", "gate", { ...key, adopt: true }, key, {}, nothing],
    ["an update of what destroy does", "gate", key, { ...key, onDelete: "delete" }, {}, update("onDelete")],
    [
      "an update of the reason",
      "gate",
      { ...key, archiveReason: "old" },
      { ...key, archiveReason: "new" },
      {},
      update("archiveReason"),
    ],
    [
      "an update by the other of two views",
      "gate",
      { ...key, team: "growth" },
      { ...key, teamID: "t1" },
      {},
      update("teamID"),
    ],
    [
      "nothing for internal arguments",
      "gate",
      key,
      { ...key, __provider: "text", __adopt: "checkout" },
      {},
      nothing,
    ],
    [
      "a revival of what was archived",
      "gate",
      key,
      key,
      { status: "Archived" },
      { how: "update", names: [], revive: true },
    ],
    [
      "a revival together with changes",
      "gate",
      key,
      { ...key, tags: ["b"] },
      { status: "Archived" },
      { how: "update", names: ["tags"], revive: true },
    ],
    [
      "nothing for what is archived as wanted",
      "gate",
      { ...key, status: "Archived" },
      { ...key, status: "Archived" },
      { status: "Archived" },
      nothing,
    ],
    [
      "nothing for a launched gate that is on",
      "gate",
      { ...key, isEnabled: true },
      { ...key, isEnabled: true },
      { status: "Launched", isEnabled: false },
      nothing,
    ],
    [
      "an update of a launched gate to off",
      "gate",
      { ...key, isEnabled: false },
      { ...key, isEnabled: false },
      { status: "Launched", isEnabled: false },
      update("isEnabled"),
    ],
    [
      "nothing for a temporary gate gone stale",
      "gate",
      { ...key, type: "TEMPORARY" },
      { ...key, type: "TEMPORARY" },
      { type: "STALE" },
      nothing,
    ],
    [
      "an update of a stale gate that is to stay",
      "gate",
      { ...key, type: "PERMANENT" },
      { ...key, type: "PERMANENT" },
      { type: "STALE" },
      update("type"),
    ],
    [
      "nothing for an author, whom the console may call otherwise",
      "gate",
      { ...key, creatorEmail: "a@x" },
      { ...key, creatorEmail: "a@x" },
      { creatorEmail: "b@x" },
      nothing,
    ],
    [
      "an update of the author that the program names",
      "gate",
      { ...key, creatorEmail: "a@x" },
      { ...key, creatorEmail: "b@x" },
      {},
      update("creatorEmail"),
    ],
    [
      "an update that takes the author back",
      "gate",
      { ...key, creatorEmail: "a@x" },
      key,
      {},
      update("creatorEmail"),
    ],
    [
      "nothing for a rollout strategy, which no read shows",
      "gate",
      { ...key, gradualRolloutStrategy: { type: "bypass" } },
      { ...key, gradualRolloutStrategy: { type: "bypass" } },
      {},
      nothing,
    ],
    [
      "nothing for a segment's rules read as one object",
      "segment",
      { ...staff, rules: [{ name: "r", passPercentage: 1, conditions: [] }] },
      { ...staff, rules: [{ name: "r", passPercentage: 1, conditions: [] }] },
      { rules: { name: "r", passPercentage: 1, conditions: [] } },
      nothing,
    ],
  ])("%s (%s)", (_, name, before, now, drift, expected) => {
    expect(planned(name, before, now, drift)).toEqual(expected);
  });
});
