import { describe, expect, test } from "@jest/globals";
import { changesOf, differences, fixedChanges, isArchived } from "../../src/provider/decisions/plan";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { liveGate } from "./live";
import { kind } from "./subjects";

describe("what is sent", () => {
  test.each<[string, JsonObject, string[], JsonObject]>([
    ["only what differs", { description: "New", tags: ["a"] }, ["tags"], { description: "New" }],
    ["an empty text for a description that was removed", {}, ["description"], { description: "" }],
    ["an empty array for tags that were removed", {}, ["tags"], { tags: [] }],
    ["null for a team that was removed", {}, ["team"], { team: null }],
    ["nothing for what has no empty form", {}, ["isEnabled", "measureMetricLifts", "type"], {}],
    ["nothing for what was never the program's", {}, [], {}],
    ["nothing for what is empty already", {}, ["targetApps", "monitoringMetrics"], {}],
    ["null when the program says so", { team: null }, ["team"], { team: null }],
  ])("is %s", (_, wants, before, expected) => {
    expect(changesOf(kind("gate"), liveGate, wants, before)).toEqual(expected);
  });

  test("is what no read shows, unless the state says that it was said", () => {
    const wants = { gradualRolloutStrategy: { type: "gradual" } };
    expect(changesOf(kind("gate"), liveGate, wants, [])).toEqual(wants);
    expect(changesOf(kind("gate"), liveGate, wants, [], wants)).toEqual({});
  });
});

describe("a live object", () => {
  test("differs from a program at paths, authorship aside", () => {
    const wants = {
      key: "checkout",
      tags: ["b"],
      description: "Shop",
      creatorEmail: "me@x",
      rules: [{ name: "r", passPercentage: 1, conditions: [] }],
    };
    const live = { ...liveGate, rules: [{ name: "r", passPercentage: 2, conditions: [] }] };
    expect(differences(kind("gate"), live, wants)).toEqual(["rules[0].passPercentage", "tags[0]"]);
  });

  test.each<[KindName, JsonObject, boolean]>([
    ["gate", { status: "Archived" }, true],
    ["gate", { status: "Disabled" }, false],
    ["gate", {}, false],
    ["segment", { status: "Archived" }, false],
  ])("of kind %s with %j is archived: %s", (name, live, expected) => {
    expect(isArchived(kind(name), live)).toBe(expected);
  });
});

describe("a fixed change", () => {
  test.each<[string, JsonObject, JsonObject, string[]]>([
    ["is none when equal", { description: "a" }, { description: "a" }, []],
    ["is none when both are silent", {}, {}, []],
    ["is none when the default is said for the first time", {}, { idType: "userID" }, []],
    ["is none while it is not known", { description: "a" }, { description: UNKNOWN }, []],
    ["counts another value", { description: "a" }, { description: "b" }, ["description"]],
    ["counts a removal", { team: "a" }, {}, ["team"]],
  ])("%s", (_, olds, news, names) => {
    expect(fixedChanges(kind("segment"), olds, news).map(({ name }) => name)).toEqual(names);
  });
});
