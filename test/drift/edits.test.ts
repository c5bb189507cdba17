import { afterEach, expect, test } from "@jest/globals";
import { changeText } from "../../src/provider/schema/audit";
import type { RawClient } from "../support/raw-client";
import { Desk, rule } from "./desk";

/** A change that somebody makes in the console, and what it must do to the program. */
interface ConsoleEdit {
  readonly what: string;
  /** The program before, after its import. */
  readonly program: string;
  readonly kind: "gate" | "dynamicConfig" | "segment" | "layer" | "assignmentSource" | "tag";
  readonly id: string;
  /** The change, through the console's own API. */
  readonly edit: (raw: RawClient) => Promise<unknown>;
  /** Where the report must show it. */
  readonly labels: readonly string[];
  /** The text before and after: nothing else of the program may change. */
  readonly from: string;
  readonly to: string;
}

/** What the console stores of a gate or config from now on, its rules alone, or the operation that somebody does. */
type Change = object | readonly object[] | ConsoleEdit["edit"];

const edited =
  (kind: "gate" | "dynamicConfig", id: string, change: Change): ConsoleEdit["edit"] =>
  async (raw) => {
    if (typeof change === "function") return (change as ConsoleEdit["edit"])(raw);
    await raw[kind].patch({ id, body: (Array.isArray(change) ? { rules: change } : change) as never });
  };

const checkout = { id: "checkout" };
const launch: Change = (raw: RawClient) => raw.gate.launch(checkout);
const disable: Change = (raw: RawClient) => raw.gate.disable(checkout);

const everyoneCondition = { type: "public" };
const everyone = rule("Everyone", 10);
const staff = rule("Staff", 100, { type: "passes_segment", targetValue: "staff" });
const atExample = { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] };
const country = { type: "country", operator: "any", targetValue: ["DE", "FR"] };
const mail = rule("Mail", 50, atExample, country);
const inMail = (...conditions: object[]) => [staff, rule("Mail", 50, ...conditions), everyone];
const mid = { type: "passes_gate", targetValue: ["ant", "mid", "zoo"] };
const metrics = (...names: string[]) => ({ monitoringMetrics: names.map((name) => ({ name, type: "sum" })) });

const inGates = (share: number) =>
  `rules: [{ name: "All", passPercentage: ${share}, conditions: [{ type: "passes_gate", targetValue: ["mid", zoo.id, ant.id] }] }]`;
const review = (isRequired: boolean) => `reviewSettings: { requiredReview: ${isRequired} }`;
const unreviewed = { requiredReview: false };

/** Arguments of a gate in a program that declares some things before, what changes, and the arguments afterwards. */
const oneGate: [args: string, change: Change, changed: string, ...labels: string[]][] = [
  ["isEnabled: true, tags: []", disable, "isEnabled: false, tags: []", "isEnabled"],
  ['type: "TEMPORARY" as const', { type: "PERMANENT" }, 'type: "PERMANENT" as const', "type"],
  ['tags: ["a", /* why */ "b", "c"]', { tags: ["a", "c"] }, 'tags: ["a", /* why */ "c"]', "tags"],
  ['tags: ["★ shop", more]', { tags: ["shop", "web", "till"] }, 'tags: ["★ shop", more, "till"]', "tags"],
  ['tags: ["a", "a", more]', { tags: ["a", "web", "till"] }, 'tags: ["a", "till", more]', "tags"],
  [
    'monitoringMetrics: [{ name: second, type: "sum" }, { name: first, type: "sum" }]',
    metrics("one", "two", "carts"),
    'monitoringMetrics: [{ name: second, type: "sum" }, { name: first, type: "sum" }, { name: "carts", type: "sum" }]',
    'monitoringMetrics["carts"]',
  ],
  [inGates(10), { rules: [rule("All", 12.5, mid)] }, inGates(12.5), "rules[0].passPercentage"],
  [review(true), { reviewSettings: unreviewed }, review(false), "reviewSettings.requiredReview"],
  ['status: "In Progress"', launch, 'status: "Launched"', "status"],
  ["isEnabled: true, tags: []", launch, 'status: "Launched", tags: []', "status"],
];
const declared = `const [more, first, second] = ["web", "one", "two"];
const [zoo, ant] = [new fc.Gate("zoo"), new fc.Gate("ant")];
`;

const withRules = `const staff = new fc.Segment("staff", { type: "rule_based" });
// The checkout.
new fc.Gate("checkout", {
  description: 'New checkout', // shown to everyone
  rules: [
    // Ours first.
    { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: staff }] },
    {
      name: "Mail", // from the office
      passPercentage: 50,
      conditions: [
        { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] },
        { type: "country", operator: "any", targetValue: ["DE", "FR"] }, // where we sell
      ],
    },
    { name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] }, // the rest
  ],
  tags: ["shop"],
});
`;
const textOf = (from: string, to: string) => withRules.slice(withRules.indexOf(from), withRules.indexOf(to));
const allRules = textOf("    // Ours", "  ],\n  tags");
const mailRule = textOf("    {\n", '    { name: "Everyone"');
const lastRule = textOf('    { name: "Everyone"', "  ],\n  tags");
const lastFirst = lastRule + allRules.replace(lastRule, "");
const mailCondition =
  '        { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] },\n';
const qa = `    {
      name: "QA",
      passPercentage: 0.01,
      conditions: [{ type: "user_id", operator: "any", targetValue: ["u1"] }],
    },
`;
const qaRule = rule("QA", 0.01, { type: "user_id", operator: "any", targetValue: ["u1"] });
const none = '    { name: "None", passPercentage: 0, conditions: [{ type: "public" }] },\n';
const both = '[{ type: "public" }, { type: "country", operator: "none", targetValue: ["US"] }]';
const oneCondition = '[{ type: "public" }]';
const notInUs = { type: "country", operator: "none", targetValue: ["US"] };
const outsideUs = rule("Everyone", 10, everyoneCondition, notInUs);
const theRest = rule("The rest", 10);
const renamed = ['rules["Everyone"]', 'rules["The rest"]'];
const [notThere, three] = [
  { ...country, operator: "none" },
  { ...country, targetValue: ["DE", "FR", "AT"] },
];
const odd = { from: "'New checkout'", to: "'It\\'s \"new\" `here` \u0024{now}\\nand there'" };
const tags = '  tags: ["shop"],\n';

type Row = [what: string, change: Change, from: string, to: string, ...labels: string[]];

const severalRules: Row[] = [
  ["a text", { description: 'It\'s "new" `here` \u0024{now}\nand there' }, odd.from, odd.to, "description"],
  ["a text that was emptied", { description: "" }, "'New checkout'", "''", "description"],
  ["a tag more", { tags: ["shop", "till"] }, '["shop"]', '["shop", "till"]', "tags"],
  ["the last tag less", { tags: [] }, '["shop"]', "[]", "tags"],
  ["a share", [staff, mail, rule("Everyone", 12.5)], "e: 10,", "e: 12.5,", "rules[2].passPercentage"],
  ["the order of rules", [everyone, staff, mail], allRules, lastFirst, "rules (order)"],
  ["a rule that was inserted", [staff, qaRule, mail, everyone], mailRule, qa + mailRule, 'rules["QA"]'],
  ["a rule at the end", [staff, mail, everyone, rule("None", 0)], lastRule, lastRule + none, 'rules["None"]'],
  ["a rule that was removed", [staff, everyone], mailRule, "", 'rules["Mail"]'],
  ["a rule that was renamed", [staff, mail, theRest], '"Everyone"', '"The rest"', ...renamed],
  ["a condition that was removed", inMail(country), mailCondition, "", "rules[1].conditions"],
  ["a condition that was added", [staff, mail, outsideUs], oneCondition, both, "rules[2].conditions"],
  ["an operator", inMail(atExample, notThere), '"any"', '"none"', "rules[1].conditions[1].operator"],
  ["a value", inMail(atExample, three), '"FR"]', '"FR", "AT"]', "rules[1].conditions[1].targetValue"],
  ["launched, where the program is silent", launch, tags, `${tags}  status: "Launched",\n`, "status"],
];

const limits = `new fc.DynamicConfig("limits", {
  defaultValue: {
    most: 20,
    "per user": { low: 1, high: [1, 2, 3] },
    note: null,
  },
  rules: [{ name: "All", passPercentage: 50, conditions: [{ type: "public" }], returnValue: { most: 50 } }],
});
`;
const json5 = 'new fc.DynamicConfig("limits", { defaultValueJson5: `{\n  // most\n  most: 1,\n}` });\n';
const schema = `new fc.DynamicConfig("limits", { schema: '{"type":"object"}' });\n`;
const more = { most: 25, "per user": { low: 1, high: [1, 2, 3] }, note: null };
const fresh = { most: 20, "per user": { high: [1, 3] }, note: null, fresh: [{ a: null }] };
const returning = { ...rule("All", 50), returnValue: { most: 75 } };
const required = '{"type":"object","required":[]}';

const configs: [program: string, ...Row][] = [
  [limits, "a number in a JSON value", { defaultValue: more }, "most: 20", "most: 25", "defaultValue.most"],
  [
    limits,
    "a list in a JSON value, and a member more and one less",
    { defaultValue: fresh },
    '"per user": { low: 1, high: [1, 2, 3] },\n    note: null,\n',
    '"per user": { high: [1, 3] },\n    note: null,\n    fresh: [{ a: null }],\n',
    ...['defaultValue["per user"].low', 'defaultValue["per user"].high', "defaultValue.fresh"],
  ],
  [limits, "the value of a rule", [returning], "most: 50", "most: 75", "rules[0].returnValue.most"],
  [
    json5,
    "JSON5",
    { defaultValueJson5: "{\n  // the most\n  most: 2, // `two`\n}" },
    "`{\n  // most\n  most: 1,\n}`",
    "`{\n  // the most\n  most: 2, // \\`two\\`\n}`",
    "defaultValueJson5.most",
  ],
  [schema, "a schema", { schema: required }, `'{"type":"object"}'`, `'${required}'`, "schema.required"],
];

const source = { timestampColumn: "ts", experimentIDColumn: "e", groupIDColumn: "g" };
const mapping = { idTypeMapping: [{ serviceUnitID: "userID", column: "u" }] };
const colour = (defaultValue: string) => [{ name: "colour", type: "string", defaultValue }];

const others: ConsoleEdit[] = [
  {
    ...{ what: "archived, where the program is silent", kind: "gate", id: "checkout" },
    program: 'new fc.Gate("checkout");\n',
    edit: (raw) => raw.gate.archive(checkout),
    ...{ labels: ["status"], from: '"checkout")', to: '"checkout", { status: "Archived" })' },
  },
  {
    ...{ what: "the ids of a list", kind: "segment", id: "people" },
    program: 'new fc.Segment("people", { type: "id_list", ids: ["u1", "u2"] });\n',
    edit: (raw) => raw.segment.addIds({ id: "people", body: { ids: ["u3"] } }),
    ...{ labels: ["ids"], from: '["u1", "u2"]', to: '["u1", "u2", "u3"]' },
  },
  {
    ...{ what: "a parameter of a layer", kind: "layer", id: "area" },
    program: `new fc.Layer("area", { idType: "userID", parameters: ${JSON.stringify(colour("blue"))} });\n`,
    edit: (raw) => raw.layer.patch({ id: "area", body: { parameters: colour("red") } }),
    ...{ labels: ["parameters.colour.defaultValue"], from: '"blue"', to: '"red"' },
  },
  {
    ...{ what: "SQL in many lines", kind: "assignmentSource", id: "exposures" },
    program: `new fc.AssignmentSource("exposures", {
  ...${JSON.stringify({ ...source, ...mapping })},
  sql: \`select 1\nfrom t\`,
});
`,
    edit: (raw) => {
      const body = { ...source, ...mapping, sql: "select 2\nfrom t\nwhere a = '\\n'" };
      return raw.assignmentSource.update({ name: "exposures", body });
    },
    ...{ labels: ["sql"], from: "`select 1\nfrom t`", to: "`select 2\nfrom t\nwhere a = '\\\\n'`" },
  },
  {
    ...{ what: "the description of a tag", kind: "tag", id: "shop" },
    program: 'new fc.Tag("shop", { description: "Shop" });\n',
    edit: async (raw) => {
      for await (const { id, name } of raw.tag.list())
        if (name === "shop") await raw.tag.patch({ id, body: { description: "The shop" } });
    },
    ...{ labels: ["description"], from: '"Shop"', to: '"The shop"' },
  },
];

const onGate = (program: string, [what, change, from, to, ...labels]: Row): ConsoleEdit => ({
  ...{ what, program, kind: "gate", ...checkout, labels, from, to },
  edit: edited("gate", "checkout", change),
});

/** One for each sort of field, and for each way in which lists change. */
const consoleEdits: ConsoleEdit[] = [
  ...oneGate.map(([from, change, to, ...labels]) =>
    onGate(`${declared}new fc.Gate("checkout", { ${from} });\n`, [from, change, from, to, ...labels]),
  ),
  ...severalRules.map((row) => onGate(withRules, row)),
  ...configs.map(
    ([program, what, change, from, to, ...labels]): ConsoleEdit => ({
      ...{ what, program, kind: "dynamicConfig", id: "limits", labels, from, to },
      edit: edited("dynamicConfig", "limits", change),
    }),
  ),
  ...others,
];

let api: Desk;
afterEach(() => api?.close());

test.each(consoleEdits.map((edit) => [edit.what, edit] as const))(
  "%s: drift names path, person and time, and what is accepted leaves nothing to do",
  async (_, { program, kind, id, edit, labels, from, to }) => {
    api = new Desk();
    await api.apply(program);
    expect(await api.changes()).toEqual({});
    expect((await api.compare()).comparisons.map(({ what }) => what)).not.toContain("differs");
    api.later();
    await edit(api.raw);
    api.sign(kind, id, "ana@example.com");
    api.emulator.clearRequests();

    const findings = await api.compare();
    const found = findings.comparisons.flatMap(({ differences }) => differences);
    expect(found.map(({ label }) => label).sort()).toEqual([...labels].sort());
    expect(found.map(({ standing }) => standing)).toEqual(labels.map(() => "changed"));
    const changes = found.map(({ author }) => author ?? { by: null, at: 0 });
    const isSigned = !["tag", "layer", "assignmentSource"].includes(kind);
    const signed = isSigned ? "ana@example.com, 2026-11-22 10:04 UTC" : expect.any(String);
    expect(changes.map(changeText)).toEqual(labels.map(() => signed));
    expect(await api.told(findings)).toContain("1 changed in the console");

    const before = api.program;
    expect(before.split(from).length).toBe(2);
    const { outcomes } = await api.accept(findings);
    expect(outcomes.filter(({ how }) => how === "refused")).toEqual([]);
    expect(api.program).toBe(before.replace(from, () => to));
    expect(await api.changes()).toEqual({});
    expect(api.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect((await api.compare()).comparisons.map(({ what }) => what)).not.toContain("differs");
  },
);
