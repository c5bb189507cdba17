import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { catalog, type KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { adapters, type Subject, startSubject } from "../laws/subject";
import { problemsOf, rowsByKind, valid, withRule } from "./subjects";

const rule = (members: JsonObject) => withRule([], members);
const email = { type: "email", operator: "any", targetValue: ["a@example.com"] };
const on = (condition: JsonObject) => withRule([{ ...email, ...condition }]);
const at = "rules[0].conditions[0]";
const parameter = (members: JsonObject) => ({ name: "a", type: "string", defaultValue: "", ...members });
const parameters = (...list: JsonObject[]) => ({ parameters: list });
const json = (text: string) => JSON.parse(text) as JsonObject;
const two = [1, 2].map((passPercentage) => ({ passPercentage, conditions: [] }));

/** Beside right arguments of the kind: what the console could not take, and what the user reads, whole or as a pattern. */
const wrongArguments = rowsByKind<[args: JsonObject, ...problems: (string | RegExp)[]]>({
  gate: [
    [{ isEnabled: "yes" }, 'isEnabled: found "yes"; true or false is needed'],
    [{ isEnabled: null }, "isEnabled: found null; true or false is needed"],
    [{ description: 5 }, "description: found 5; text is needed"],
    [{ rules: {} }, "rules: found {}; an array is needed"],
    [{ rules: ["Staff"] }, 'rules[0]: found "Staff"; an object is needed'],
    [{ tags: ["shop", 7] }, "tags[1]: found 7; text is needed"],
    [{ targetApps: 1 }, "targetApps: found 1; an array or text is needed"],
    [{ targetApps: [1] }, "targetApps[0]: found 1; text is needed"],
    [{ type: "STALE" }, 'type: found "STALE"; one of "PERMANENT", "TEMPORARY" is needed'],
    [{ status: "Enabled" }, /^status: found "Enabled"; one of "In Progress", "Launched"/],
    [{ onDelete: "keep" }, /^onDelete: found "keep"; one of "archive", "delete", "retain"/],
    [{ key: "ab" }, 'key: found "ab"; at least 3 characters are needed'],
    [{ status: "Launchd" }, 'status: found "Launchd"; did you mean "Launched"?'],
    [{ key: "k".repeat(101) }, /^key: found "k{76}\.{3}; at most 100 characters are/],
    [{ key: "a b c" }, 'key: found "a b c"; text that matches /^[a-zA-Z0-9_\\-.]*$/ is needed'],
    [{ key: "../gates" }, /^key: found "..\/gates"; text that matches/],
    [{ name: "Prüfung" }, /^name: found "Prüfung"; text that matches/],
    [{ description: "d".repeat(1001) }, /^description: found "d{76}\.{3}; at most 1,000 char/],
    [{ isEnabled: true, status: "Launched" }, 'status: given beside "isEnabled"; set one of the two'],
    [{ id: "checkout" }, 'id: unknown argument; did you mean "key"?'],
    [{ is_enabled: true }, 'is_enabled: unknown argument; did you mean "isEnabled"?'],
    [{ gradual_rollout_strategy: {} }, /; did you mean "gradualRolloutStrategy"\?$/],
    [{ descripton: "x" }, 'descripton: unknown argument; did you mean "description"?'],
    [{ colour: "red" }, "colour: unknown argument"],
    [{ constructor: 1 }, "constructor: unknown argument"],
    [json('{"__proto__": {"isEnabled": true}}'), "__proto__: unknown argument"],
    [{ createdTime: 1 }, "createdTime: set by the console; leave it out"],
    [
      { reviewSettings: { requiredReview: true, allowedReviewers: [] } },
      "reviewSettings.allowedReviewers: set by the console; leave it out",
    ],
    [rule({ passPercentage: "5" }), 'rules[0].passPercentage: found "5"; a number is needed'],
    [rule({ passPercentage: undefined }), "rules[0].passPercentage: missing; a number is needed"],
    [rule({ passPercentage: 100.01 }), "rules[0].passPercentage: found 100.01; at most 100 is allowed"],
    [rule({ passPercentage: 12.345 }), /: found 12\.345; a number in steps of 0\.01 is needed$/],
    [rule({ environments: "qa" }), 'rules[0].environments: found "qa"; an array is needed'],
    [rule({ environment: ["x"] }), /^rules\[0\]\.environment: unk.*did you mean "environments"\?$/],
    [rule({ passPercent: 1 }), /^rules\[0\]\.passPercent: .*; did you mean "passPercentage"\?$/],
    [rule({ id: "4DonExIc" }), "rules[0].id: set by the console; leave it out"],
    [rule(json('{"__proto__": {}}')), "rules[0].__proto__: unknown argument"],
    [rule({ valueOf: 2 }), "rules[0].valueOf: unknown argument"],
    [
      { rules: [...two, ...two.slice(1)].map((one) => ({ ...one, name: "A" })) },
      'rules[1].name: "A" is the name of rules[0] too; rule names are unique',
      'rules[2].name: "A" is the name of rules[0] too; rule names are unique',
    ],
    [{ rules: two }, "rules[0].name: missing; text is needed", "rules[1].name: missing; text is needed"],
    [on({ type: "emial" }), 'rules[0].conditions[0].type: found "emial"; did you mean "email"?'],
    [on({ operator: "in" }), /\.operator: found "in"; one of "any", "none", .* is needed$/],
    [on({ targetValues: [] }), `${at}.targetValues: unknown argument; did you mean "targetValue"?`],
    [on({ targetValue: ["a", 1] }), `${at}.targetValue[1]: found 1; text is needed`],
    [on({ targetValue: true }), /: found true; an array or text or a number is needed$/],
    [on({ type: "custom_field" }), `${at}.field: missing; "custom_field" needs it`],
    [on({ type: "custom_field", field: "" }), `${at}.field: missing; "custom_field" needs it`],
    [on({ type: "unit_id" }), `${at}.customID: missing; "unit_id" needs it`],
    [on({ type: "unit_id", customID: "" }), `${at}.customID: missing; "unit_id" needs it`],
  ],
  dynamicConfig: [
    [{ defaultValue: "{}" }, 'defaultValue: found "{}"; an object is needed'],
    [{ defaultValue: [1] }, "defaultValue: found [1]; an object is needed"],
    [rule({ returnValue: [] }), "rules[0].returnValue: found []; an object is needed"],
    [{ status: "Launched" }, /^status: found "Launched"; one of "Enabled", "Disabled", "Archived" is/],
    [{ measureMetricLifts: true }, "measureMetricLifts: unknown argument"],
    [rule({ baseID: "4DonExIc" }), "rules[0].baseID: set by the console; leave it out"],
    [{ defaultValue: {}, defaultValueJson5: "{}" }, /^defaultValueJson5: given beside "defaultValue"; set/],
    [{ schema: "{}", schemaJson5: "{}" }, 'schemaJson5: given beside "schema"; set one of the two'],
    [
      rule({ variants: [{ passPercentage: 101, id: "x" }] }),
      "rules[0].variants[0].id: set by the console; leave it out",
      "rules[0].variants[0].name: missing; text is needed",
      "rules[0].variants[0].passPercentage: found 101; at most 100 is allowed",
    ],
  ],
  segment: [
    [
      { type: undefined },
      /^type: missing; one of "id_list", "rule_based", .*"user_store_id_list" is needed$/,
    ],
    [{ key: "my.staff" }, 'key: found "my.staff"; text that matches /^[a-zA-Z0-9_-]*$/ is needed'],
    [rule({ conditions: undefined }), "rules[0].conditions: missing; an array is needed"],
    [rule({ passPercentage: -1 }), "rules[0].passPercentage: found -1; at least 0 is needed"],
    [{ team: "a", teamID: "b" }, 'teamID: given beside "team"; set one of the two'],
    [{ type: "id_list", ids: ["u1", ""] }, /^ids\[1\]: found ""; at least 1 character/],
    [{ ids: ["a"] }, /^ids: a segment of type "rule_based" has none; they belong to id_list and/],
    [{ type: "id_list", rules: [] }, /^rules: a segment of type "id_list" has none; they .* rule_based$/],
    [on({ type: "public" }), /\.type: found "public"; one of .*"user_id" is needed$/],
  ],
  layer: [
    [{ idType: undefined }, "idType: missing; text is needed"],
    [{ key: "area" }, /^key: unknown argument/],
    [{ tags: 1 }, "tags: set by the console; leave it out"],
    [{ toString: "x" }, "toString: unknown argument"],
    [{ archiveReason: "x" }, "archiveReason: unknown argument"],
    [{ onDelete: "archive" }, 'onDelete: found "archive"; one of "delete", "retain" is needed'],
    [{ name: "a/b/c" }, 'name: found "a/b/c"; text that matches /^[a-zA-Z0-9_\\- ]*$/ is needed'],
    [
      parameters(parameter({}), parameter({})),
      /^parameters\[1\]\.name: "a" is the name of parameters\[0\] too; parameter names/,
    ],
    [parameters(parameter({ type: "number" })), /\.defaultValue: found string, but type is number$/],
    [parameters(parameter({ type: "object", defaultValue: null })), /: found null, but type is object$/],
    [parameters({ name: "a", defaultValue: 1 }), /\.type: missing; one of "string", "number", .* is needed$/],
    [parameters(parameter({ type: "date" })), /^parameters\[0\]\.type: found "date"; one of/],
  ],
  assignmentSource: [
    [{ sql: undefined }, "sql: missing; text is needed"],
    [{ scheduledReloadHour: 3.5 }, "scheduledReloadHour: found 3.5; a whole number is needed"],
    [{ scheduledReloadHour: 24 }, "scheduledReloadHour: found 24; at most 23 is allowed"],
    [
      { idTypeMapping: [{ statsigUnitID: "userID", serviceUnitID: "userID" }] },
      "idTypeMapping[0].statsigUnitID: unknown argument",
      "idTypeMapping[0].column: missing; text is needed",
    ],
  ],
});

test.each(wrongArguments)("[O4] %s %j is reported once, with its place: %s", (kind, args, ...problems) => {
  const told = problems.map((one) => (typeof one === "string" ? one : expect.stringMatching(one)));
  expect(problemsOf(kind, args)).toEqual(told);
});

test("all problems of a resource are reported together", () => {
  const args = {
    ...{ id: "x", createdTime: 1, isEnabled: 1, status: "Launched" },
    ...withRule([{ type: "email", operator: "bigger" }], { id: "y", passPercentage: 101 }),
  };
  const places = problemsOf("gate", args).map((line) => line.split(":")[0]);
  expect(places.sort()).toEqual([
    ...["createdTime", "id", "isEnabled"],
    ...["rules[0].conditions[0].operator", "rules[0].id", "rules[0].passPercentage", "status"],
  ]);
});

describe.each(adapters)("the provider refuses them before it asks the console (%s)", (adapter) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await startSubject(catalog.gate, { adapter });
  });
  afterAll(() => {
    expect(subject.emulator.requests).toEqual([]);
    return subject.close();
  });

  // Pulumi prints the value of the argument that a failure names: of a place inside one, a long one and a missing one it is left out.
  test.each<[KindName, JsonObject, string, RegExp]>([
    ["gate", { isEnabled: "yes" }, "isEnabled", /^found "yes"; true or false/],
    ["gate", { descripton: "x" }, "descripton", /^unknown argument; did you mean "description"\?/],
    ["gate", { key: "k".repeat(101) }, "", /^key: found "k+\.\.\.; at most 100/],
    ["layer", { parameters: [{ name: "a", defaultValue: 1 }] }, "", /^parameters\[0\]\.type: /],
    ["segment", { type: undefined }, "", /^type: missing/],
  ])("%s %j", async (kind, args, property, reason) => {
    const problems = await subject.of(catalog[kind]).problems({ ...valid[kind], ...args });
    expect(problems).toEqual([{ property, reason: expect.stringMatching(reason) }]);
  });
});
