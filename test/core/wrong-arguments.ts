import type { JsonObject } from "../../src/provider/schema/json";
import { rowsByKind, withRule } from "./subjects";

/** What the user is told, path first: the whole text, or its pattern. */
type Problem = string | RegExp;

const rule = (members: JsonObject) => withRule([], members);
const email = { type: "email", operator: "any", targetValue: ["a@example.com"] };
const on = (condition: JsonObject) => withRule([{ ...email, ...condition }]);
const at = "rules[0].conditions[0]";
const parameters = (...list: JsonObject[]) => ({ parameters: list });
const colour = { name: "a", type: "string", defaultValue: "" };
const json = (text: string) => JSON.parse(text) as JsonObject;

/** Arguments that the console could not take: what is wrong, beside right arguments of the kind, and what the user is told. */
export const wrongArguments = rowsByKind<[args: JsonObject, ...problems: Problem[]]>({
  gate: [
    ["text for a switch", { isEnabled: "yes" }, 'isEnabled: found "yes"; true or false is needed'],
    ["null for a switch", { isEnabled: null }, "isEnabled: found null; true or false is needed"],
    ["text for an option", { adopt: "yes" }, 'adopt: found "yes"; true or false is needed'],
    ["a number for text", { description: 5 }, "description: found 5; text is needed"],
    ["an object for rules", { rules: {} }, "rules: found {}; an array is needed"],
    ["text for a rule", { rules: ["Staff"] }, 'rules[0]: found "Staff"; an object is needed'],
    ["text for tags", { tags: "shop" }, 'tags: found "shop"; an array is needed'],
    ["a number among tags", { tags: ["shop", 7] }, "tags[1]: found 7; text is needed"],
    ["a number for apps", { targetApps: 1 }, "targetApps: found 1; an array or text is needed"],
    ["a number among apps", { targetApps: [1] }, "targetApps[0]: found 1; text is needed"],
    ["an unknown type", { type: "STALE" }, 'type: found "STALE"; one of "PERMANENT", "TEMPORARY" is needed'],
    [
      "a status of configs",
      { status: "Enabled" },
      /^status: found "Enabled"; one of "In Progress", "Launched"/,
    ],
    ["an unknown end", { onDelete: "keep" }, /^onDelete: found "keep"; one of "archive", "delete", "retain"/],
    ["a key of 2 characters", { key: "ab" }, 'key: found "ab"; at least 3 characters are needed'],
    [
      "a key of 101 characters",
      { key: "k".repeat(101) },
      /^key: found "k{76}\.{3}; at most 100 characters are/,
    ],
    [
      "a key with a space",
      { key: "a b c" },
      'key: found "a b c"; text that matches /^[a-zA-Z0-9_\\-.]*$/ is needed',
    ],
    ["a key with a slash", { key: "../gates" }, /^key: found "..\/gates"; text that matches/],
    ["a name with an umlaut", { name: "Prüfung" }, /^name: found "Prüfung"; text that matches/],
    [
      "1,001 characters",
      { description: "d".repeat(1001) },
      /^description: found "d{76}\.{3}; at most 1,000 char/,
    ],
    [
      "both of two views",
      { isEnabled: true, status: "Launched" },
      'status: given beside "isEnabled"; set one of the two',
    ],
    ["the API's id", { id: "checkout" }, 'id: unknown argument; did you mean "key"?'],
    ["snake_case", { is_enabled: true }, 'is_enabled: unknown argument; did you mean "isEnabled"?'],
    ["the API's snake_case", { gradual_rollout_strategy: {} }, /; did you mean "gradualRolloutStrategy"\?$/],
    ["a slip", { descripton: "x" }, 'descripton: unknown argument; did you mean "description"?'],
    ["something else altogether", { colour: "red" }, "colour: unknown argument"],
    ["a member of every object", { constructor: 1 }, "constructor: unknown argument"],
    ["a prototype", json('{"__proto__": {"isEnabled": true}}'), "__proto__: unknown argument"],
    ["an output", { createdTime: 1 }, "createdTime: set by the console; leave it out"],
    [
      "the console's reviewers",
      { reviewSettings: { requiredReview: true, allowedReviewers: [] } },
      "reviewSettings.allowedReviewers: set by the console; leave it out",
    ],
    [
      "a share as text",
      rule({ passPercentage: "5" }),
      'rules[0].passPercentage: found "5"; a number is needed',
    ],
    ["no share", rule({ passPercentage: undefined }), "rules[0].passPercentage: missing; a number is needed"],
    [
      "over 100 %",
      rule({ passPercentage: 100.01 }),
      "rules[0].passPercentage: found 100.01; at most 100 is allowed",
    ],
    [
      "three decimals",
      rule({ passPercentage: 12.345 }),
      /: found 12\.345; a number in steps of 0\.01 is needed$/,
    ],
    [
      "environments as text",
      rule({ environments: "qa" }),
      'rules[0].environments: found "qa"; an array is needed',
    ],
    [
      "a former name",
      rule({ environment: ["x"] }),
      /^rules\[0\]\.environment: unk.*did you mean "environments"\?$/,
    ],
    [
      "a slip in a rule",
      rule({ passPercent: 1 }),
      /^rules\[0\]\.passPercent: .*; did you mean "passPercentage"\?$/,
    ],
    ["an id of a rule", rule({ id: "4DonExIc" }), "rules[0].id: set by the console; leave it out"],
    ["a prototype in a rule", rule(json('{"__proto__": {}}')), "rules[0].__proto__: unknown argument"],
    [
      "members of every object in a rule",
      rule({ constructor: 1, valueOf: 2 }),
      ...["rules[0].constructor: unknown argument", "rules[0].valueOf: unknown argument"],
    ],
    [
      "two rules of one name",
      { rules: [...(rule({}).rules as []), ...(rule({}).rules as [])] },
      'rules[1].name: "Staff" is the name of rules[0] too; rule names are unique',
    ],
    [
      "two rules without names",
      { rules: [1, 2].map((passPercentage) => ({ passPercentage, conditions: [] })) },
      ...["rules[0].name: missing; text is needed", "rules[1].name: missing; text is needed"],
    ],
    [
      "an unknown type of condition",
      on({ type: "emial" }),
      /^rules\[0\]\.conditions\[0\]\.type: found "emial"; one of/,
    ],
    [
      "an unknown operator",
      on({ operator: "in" }),
      /\.operator: found "in"; one of "any", "none", .* is needed$/,
    ],
    [
      "a slip in a condition",
      on({ targetValues: [] }),
      `${at}.targetValues: unknown argument; did you mean "targetValue"?`,
    ],
    [
      "text and numbers mixed",
      on({ targetValue: ["a", 1] }),
      `${at}.targetValue[1]: found 1; text is needed`,
    ],
    [
      "a switch as a value",
      on({ targetValue: true }),
      /: found true; an array or text or a number is needed$/,
    ],
    ["no field", on({ type: "custom_field" }), `${at}.field: missing; "custom_field" needs it`],
    [
      "an empty field",
      on({ type: "custom_field", field: "" }),
      `${at}.field: missing; "custom_field" needs it`,
    ],
    ["no unit", on({ type: "unit_id" }), `${at}.customID: missing; "unit_id" needs it`],
    ["an empty unit", on({ type: "unit_id", customID: "" }), `${at}.customID: missing; "unit_id" needs it`],
  ],
  dynamicConfig: [
    ["a value as text", { defaultValue: "{}" }, 'defaultValue: found "{}"; an object is needed'],
    ["a value as an array", { defaultValue: [1] }, "defaultValue: found [1]; an object is needed"],
    [
      "a rule's value as an array",
      rule({ returnValue: [] }),
      "rules[0].returnValue: found []; an object is needed",
    ],
    [
      "a state of gates",
      { status: "Launched" },
      /^status: found "Launched"; one of "Enabled", "Disabled", "Archived" is/,
    ],
    ["an argument of gates", { measureMetricLifts: true }, "measureMetricLifts: unknown argument"],
    [
      "a base id of a rule",
      rule({ baseID: "4DonExIc" }),
      "rules[0].baseID: set by the console; leave it out",
    ],
    [
      "a value beside its JSON5",
      { defaultValue: {}, defaultValueJson5: "{}" },
      'defaultValueJson5: given beside "defaultValue"; set one of the two',
    ],
    [
      "a schema beside its JSON5",
      { schema: "{}", schemaJson5: "{}" },
      'schemaJson5: given beside "schema"; set one of the two',
    ],
    [
      "a variant without a name, over 100 %, with an id",
      rule({ variants: [{ passPercentage: 101, id: "x" }] }),
      ...["id: set by the console; leave it out", "name: missing; text is needed"].map(
        (one) => `rules[0].variants[0].${one}`,
      ),
      "rules[0].variants[0].passPercentage: found 101; at most 100 is allowed",
    ],
  ],
  segment: [
    [
      "no type",
      { type: undefined },
      /^type: missing; one of "id_list", "rule_based", .*"user_store_id_list" is needed$/,
    ],
    [
      "a key with a dot",
      { key: "my.staff" },
      'key: found "my.staff"; text that matches /^[a-zA-Z0-9_-]*$/ is needed',
    ],
    [
      "conditions left out",
      rule({ conditions: undefined }),
      "rules[0].conditions: missing; an array is needed",
    ],
    [
      "less than 0 %",
      rule({ passPercentage: -1 }),
      "rules[0].passPercentage: found -1; at least 0 is needed",
    ],
    ["a team beside its id", { team: "a", teamID: "b" }, 'teamID: given beside "team"; set one of the two'],
    ["an empty id", { type: "id_list", ids: ["u1", ""] }, /^ids\[1\]: found ""; at least 1 character/],
    [
      "ids beside rules",
      { ids: ["a"] },
      /^ids: a segment of type "rule_based" has none; they belong to id_list and/,
    ],
    [
      "rules beside ids",
      { type: "id_list", rules: [] },
      /^rules: a segment of type "id_list" has none; they .* rule_based$/,
    ],
    ["a condition of gates", on({ type: "public" }), /\.type: found "public"; one of .*"user_id" is needed$/],
  ],
  layer: [
    ["no unit id type", { idType: undefined }, "idType: missing; text is needed"],
    ["a key", { key: "area" }, /^key: unknown argument/],
    ["an output with a wrong value", { tags: 1 }, "tags: set by the console; leave it out"],
    ["another member of every object", { toString: "x" }, "toString: unknown argument"],
    ["an option of other kinds", { archiveReason: "x" }, "archiveReason: unknown argument"],
    [
      "an end of other kinds",
      { onDelete: "archive" },
      'onDelete: found "archive"; one of "delete", "retain" is needed',
    ],
    [
      "a name with a slash",
      { name: "a/b/c" },
      'name: found "a/b/c"; text that matches /^[a-zA-Z0-9_\\- ]*$/ is needed',
    ],
    [
      "a parameter twice",
      parameters(colour, colour),
      'parameters[1].name: "a" is used twice; parameter names are unique',
    ],
    [
      "a value of another type",
      parameters({ ...colour, type: "number" }),
      "parameters[0].defaultValue: found string, but type is number",
    ],
    [
      "null for an object",
      parameters({ name: "a", type: "object", defaultValue: null }),
      "parameters[0].defaultValue: found null, but type is object",
    ],
    [
      "a parameter without a type",
      parameters({ name: "a", defaultValue: 1 }),
      'parameters[0].type: missing; one of "string", "number", "boolean", "object", "array" is needed',
    ],
    [
      "a type that JSON lacks",
      parameters({ ...colour, type: "date" }),
      /^parameters\[0\]\.type: found "date"; one of/,
    ],
  ],
  assignmentSource: [
    ["no query", { sql: undefined }, "sql: missing; text is needed"],
    [
      "half an hour",
      { scheduledReloadHour: 3.5 },
      "scheduledReloadHour: found 3.5; a whole number is needed",
    ],
    ["hour 24", { scheduledReloadHour: 24 }, "scheduledReloadHour: found 24; at most 23 is allowed"],
    [
      "a mapping without a column, by another console's name",
      { idTypeMapping: [{ statsigUnitID: "userID", serviceUnitID: "userID" }] },
      ...[
        "idTypeMapping[0].statsigUnitID: unknown argument",
        "idTypeMapping[0].column: missing; text is needed",
      ],
    ],
  ],
});
