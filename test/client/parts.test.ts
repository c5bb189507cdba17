import { describe, expect, test } from "@jest/globals";
import { profiles } from "../../src/provider/client/profile";
import { redact } from "../../src/provider/client/redact";
import { fillPath, pathParameters } from "../../src/provider/client/route-path";
import { renameUnitIds } from "../../src/provider/client/unit-ids";
import { bug, isConsoleError } from "../../src/provider/schema/errors";

describe("a path", () => {
  test.each([
    ["checkout", "/gates/checkout"],
    ["views::sum", "/gates/views%3A%3Asum"],
    ["a/b", "/gates/a%2Fb"],
    ["a b", "/gates/a%20b"],
    ["a?b#c", "/gates/a%3Fb%23c"],
    ["50%", "/gates/50%25"],
    ["../projects", "/gates/..%2Fprojects"],
    ["...", "/gates/..."],
    ["$& é", "/gates/%24%26%20%C3%A9"],
  ])("takes the id %j as %s", (id, path) => {
    expect(fillPath("/gates/{id}", { id })).toBe(path);
  });

  test.each<[unknown, string]>([
    ["", '""'],
    [".", '"."'],
    ["..", '".."'],
    [undefined, "nothing"],
    [null, "null"],
    [5, "5"],
  ])("refuses the id %j", (id, found) => {
    const fill = () => fillPath("/gates/{id}/rules/{ruleID}", { id: id as string, ruleID: "r" });
    expect(fill).toThrow(`The path /gates/{id}/rules/{ruleID} needs a usable "id", but found ${found}.`);
    expect(fill).toThrow(expect.objectContaining({ category: "invalid-argument" }));
  });

  test("names its parameters in order", () => {
    expect(pathParameters("/gates/{id}/rules/{ruleID}")).toEqual(["id", "ruleID"]);
    expect(pathParameters("/gates")).toEqual([]);
  });
});

describe("a text of the console", () => {
  test.each<[string, string, string, string]>([
    ["the key", "bad my.key+1 given", "my.key+1", "bad [hidden] given"],
    ["the key each time", "k1 and k1", "k1", "[hidden] and [hidden]"],
    ["what follows Key:", "Invalid. Key: whatever-it-is", "", "Invalid. Key: [hidden]"],
    ["other console keys", "use console-abcDEF here", "k1", "use [hidden] here"],
    ["server and client keys", "secret-1 client-2", "", "[hidden] [hidden]"],
    ["a key that is part of a path", "GET /keys/secret-abc failed", "k1", "GET /keys/[hidden] failed"],
    ["nothing else", "Gate not found.", "", "Gate not found."],
  ])("hides %s", (_, text, key, shown) => {
    expect(redact(text, key)).toBe(shown);
    expect(redact(shown, key)).toBe(shown);
  });
});

describe("the unit-id member", () => {
  const mapping = (member: string) => ({
    idTypeMapping: [{ [member]: "userID", column: "u" }, { nested: { [member]: "x" } }],
  });
  const [neutral, statsig] = [mapping("serviceUnitID"), mapping("statsigUnitID")];

  test("has the console's name on the wire and the neutral one here, at any depth", () => {
    expect(renameUnitIds(neutral, profiles.statsig, "send")).toEqual(statsig);
    expect(renameUnitIds(statsig, profiles.statsig, "read")).toEqual(neutral);
  });

  test("is left alone outside of a mapping", () => {
    const outside = {
      serviceUnitID: "a",
      statsigUnitID: "b",
      other: [{ serviceUnitID: "c", statsigUnitID: "d" }],
      defaultValue: { idTypeMapping: [{ serviceUnitID: "a user's own" }] },
    };
    expect(renameUnitIds(outside, profiles.statsig, "send")).toEqual(outside);
    expect(renameUnitIds(outside, profiles.statsig, "read")).toEqual(outside);
  });

  test.each(["custom", "embedded"] as const)("keeps its name for the profile %s", (name) => {
    expect(renameUnitIds(neutral, profiles[name], "send")).toBe(neutral);
  });

  test("passes what is no mapping", () => {
    for (const value of [null, "text", 5, [], { idTypeMapping: null }, { idTypeMapping: "x" }])
      expect(renameUnitIds(value, profiles.statsig, "read")).toEqual(value);
  });
});

describe("an error of this package", () => {
  test("is known by its mark, also when it comes from another copy", () => {
    const foreign = Object.defineProperty(new Error("x"), Symbol.for("pulumi-feature-console.ConsoleError"), {
      value: true,
    });
    expect([bug("x"), foreign].map((error) => isConsoleError(error))).toEqual([true, true]);
    expect([new Error("x"), null, undefined, "x", {}].filter((error) => isConsoleError(error))).toEqual([]);
    expect([isConsoleError(bug("x"), "bug"), isConsoleError(bug("x"), "settings")]).toEqual([true, false]);
  });

  test("is printed once: its stack is its message", () => {
    expect(bug("No way.").stack).toBe("No way. This is a bug in pulumi-feature-console: please report it.");
  });
});
