import type { RawClient } from "../support/raw-client";

/** A change that somebody makes in the console, and what it must do to the program. */
export interface ConsoleEdit {
  readonly what: string;
  /** The program before, after its import. */
  readonly program: string;
  readonly kind:
    | "gate"
    | "dynamicConfig"
    | "segment"
    | "layer"
    | "assignmentSource"
    | "tag"
    | "experiment"
    | "holdout"
    | "paramStore";
  readonly id: string;
  /** The change, through the console's own API. */
  readonly edit: (raw: RawClient) => Promise<unknown>;
  /** Where the report must show it. */
  readonly labels: readonly string[];
  /** The literal before and after: nothing else of the program may change. */
  readonly from: string;
  readonly to: string;
}

const gate = (body: object) => (raw: RawClient) => raw.gate.patch({ id: "checkout", body });
const config = (body: object) => (raw: RawClient) => raw.dynamicConfig.patch({ id: "limits", body });

const everyone = { name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] };
const mail = {
  name: "Mail",
  passPercentage: 50,
  conditions: [
    { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] },
    { type: "country", operator: "any", targetValue: ["DE", "FR"] },
  ],
};

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
const staff = {
  name: "Staff",
  passPercentage: 100,
  conditions: [{ type: "passes_segment", targetValue: "staff" }],
};

const gateOf = (args: string) => `new fc.Gate("checkout", { ${args} });\n`;

interface Row {
  readonly what: string;
  readonly program?: string;
  readonly edit: ConsoleEdit["edit"];
  readonly labels: readonly string[];
  readonly from: string;
  readonly to: string;
}

const onGate = (row: Row): ConsoleEdit => ({ program: withRules, kind: "gate", id: "checkout", ...row });

const limits = `new fc.DynamicConfig("limits", {
  defaultValue: {
    most: 20,
    "per user": { low: 1, high: [1, 2, 3] },
    note: null,
  },
  rules: [{ name: "All", passPercentage: 50, conditions: [{ type: "public" }], returnValue: { most: 50 } }],
});
`;
const onConfig = (row: Row): ConsoleEdit => ({
  program: limits,
  kind: "dynamicConfig",
  id: "limits",
  ...row,
});

const gateEdits: ConsoleEdit[] = [
  onGate({
    what: "a text",
    edit: gate({ description: 'It\'s "new" `here` \u0024{now}\nand there' }),
    labels: ["description"],
    from: "'New checkout'",
    to: "'It\\'s \"new\" `here` \u0024{now}\\nand there'",
  }),
  onGate({
    what: "a text that was emptied",
    edit: gate({ description: "" }),
    labels: ["description"],
    from: "'New checkout'",
    to: "''",
  }),
  onGate({
    what: "a switch",
    program: gateOf("isEnabled: true, tags: []"),
    edit: (raw) => raw.gate.disable({ id: "checkout" }),
    labels: ["isEnabled"],
    from: "isEnabled: true",
    to: "isEnabled: false",
  }),
  onGate({
    what: "a choice",
    program: gateOf('type: "TEMPORARY" as const'),
    edit: gate({ type: "PERMANENT" }),
    labels: ["type"],
    from: '"TEMPORARY"',
    to: '"PERMANENT"',
  }),
  onGate({
    what: "a tag more",
    edit: gate({ tags: ["shop", "till"] }),
    labels: ["tags"],
    from: '["shop"]',
    to: '["shop", "till"]',
  }),
  onGate({
    what: "a tag less",
    program: gateOf('tags: ["a", /* why */ "b", "c"]'),
    edit: gate({ tags: ["a", "c"] }),
    labels: ["tags"],
    from: '["a", /* why */ "b", "c"]',
    to: '["a", /* why */ "c"]',
  }),
  onGate({
    what: "the last tag less",
    edit: gate({ tags: [] }),
    labels: ["tags"],
    from: '["shop"]',
    to: "[]",
  }),
  onGate({
    what: "target apps",
    program: gateOf('targetApps: ["web"]'),
    edit: gate({ targetApps: ["web", "ios"] }),
    labels: ["targetApps"],
    from: '["web"]',
    to: '["web", "ios"]',
  }),
  onGate({
    what: "a flag",
    program: gateOf("measureMetricLifts: false"),
    edit: gate({ measureMetricLifts: true }),
    labels: ["measureMetricLifts"],
    from: "false",
    to: "true",
  }),
  onGate({
    what: "an object in a set",
    program: gateOf('monitoringMetrics: [{ name: "revenue", type: "sum" }]'),
    edit: gate({
      monitoringMetrics: [
        { name: "revenue", type: "sum" },
        { name: "visits", type: "event_count" },
      ],
    }),
    labels: ['monitoringMetrics["visits"]'],
    from: '[{ name: "revenue", type: "sum" }]',
    to: '[{ name: "revenue", type: "sum" }, { name: "visits", type: "event_count" }]',
  }),
  onGate({
    what: "a percentage above a set of several references",
    program: `const zoo = new fc.Gate("zoo");
const ant = new fc.Gate("ant");
${gateOf('rules: [{ name: "All", passPercentage: 10, conditions: [{ type: "passes_gate", targetValue: ["mid", zoo.id, ant.id] }] }]')}`,
    edit: gate({
      rules: [
        {
          name: "All",
          passPercentage: 12.5,
          conditions: [{ type: "passes_gate", targetValue: ["ant", "mid", "zoo"] }],
        },
      ],
    }),
    labels: ["rules[0].passPercentage"],
    from: "passPercentage: 10,",
    to: "passPercentage: 12.5,",
  }),
  onGate({
    what: "an object more in a set whose objects have computed members and are in an order of their own",
    program: `const [first, second] = ["visits", "revenue"];
${gateOf('monitoringMetrics: [{ name: first, type: "event_count" }, { name: second, type: "sum" }]')}`,
    edit: gate({
      monitoringMetrics: [
        { name: "revenue", type: "sum" },
        { name: "visits", type: "event_count" },
        { name: "carts", type: "sum" },
      ],
    }),
    labels: ['monitoringMetrics["carts"]'],
    from: '{ name: second, type: "sum" }]',
    to: '{ name: second, type: "sum" }, { name: "carts", type: "sum" }]',
  }),
  onGate({
    what: "a tag more beside a computed one and one that is written with its star",
    program: `const more = "web";\n${gateOf('tags: ["★ shop", more]')}`,
    edit: gate({ tags: ["shop", "web", "till"] }),
    labels: ["tags"],
    from: '["★ shop", more]',
    to: '["★ shop", more, "till"]',
  }),
  onGate({
    what: "a tag more beside a computed one and one that is written twice",
    program: `const more = "web";\n${gateOf('tags: ["shop", "shop", more]')}`,
    edit: gate({ tags: ["shop", "web", "till"] }),
    labels: ["tags"],
    from: '["shop", "shop", more]',
    to: '["shop", "till", more]',
  }),
  onGate({
    what: "a member of an object",
    program: gateOf("reviewSettings: { requiredReview: true }"),
    edit: gate({ reviewSettings: { requiredReview: false } }),
    labels: ["reviewSettings.requiredReview"],
    from: "true",
    to: "false",
  }),
  onGate({
    what: "the percentage of a rule",
    edit: gate({ rules: [staff, mail, { ...everyone, passPercentage: 12.5 }] }),
    labels: ["rules[2].passPercentage"],
    from: "passPercentage: 10,",
    to: "passPercentage: 12.5,",
  }),
  onGate({
    what: "the order of rules",
    edit: gate({ rules: [everyone, staff, mail] }),
    labels: ["rules (order)"],
    from: withRules.slice(withRules.indexOf("    // Ours"), withRules.indexOf("  tags")),
    to: `    { name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] }, // the rest
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
  ],
`,
  }),
  onGate({
    what: "a rule that was inserted",
    edit: gate({
      rules: [
        staff,
        {
          name: "QA",
          passPercentage: 0.01,
          conditions: [{ type: "user_id", operator: "any", targetValue: ["u1"] }],
        },
        mail,
        everyone,
      ],
    }),
    labels: ['rules["QA"]'],
    from: '    {\n      name: "Mail"',
    to: `    {
      name: "QA",
      passPercentage: 0.01,
      conditions: [{ type: "user_id", operator: "any", targetValue: ["u1"] }],
    },
    {
      name: "Mail"`,
  }),
  onGate({
    what: "a rule at the end",
    edit: gate({
      rules: [staff, mail, everyone, { name: "None", passPercentage: 0, conditions: [{ type: "public" }] }],
    }),
    labels: ['rules["None"]'],
    from: "}, // the rest\n",
    to: '}, // the rest\n    { name: "None", passPercentage: 0, conditions: [{ type: "public" }] },\n',
  }),
  onGate({
    what: "a rule that was removed",
    edit: gate({ rules: [staff, everyone] }),
    labels: ['rules["Mail"]'],
    from: withRules.slice(withRules.indexOf("    {\n"), withRules.indexOf('    { name: "Everyone"')),
    to: "",
  }),
  onGate({
    what: "a rule that was renamed",
    edit: gate({ rules: [staff, mail, { ...everyone, name: "All the others" }] }),
    labels: ['rules["Everyone"]', 'rules["All the others"]'],
    from: '"Everyone"',
    to: '"All the others"',
  }),
  onGate({
    what: "a condition that was removed",
    edit: gate({ rules: [staff, { ...mail, conditions: [mail.conditions[1]] }, everyone] }),
    labels: ["rules[1].conditions"],
    from: '        { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] },\n',
    to: "",
  }),
  onGate({
    what: "a condition that was added",
    edit: gate({
      rules: [
        staff,
        mail,
        {
          ...everyone,
          conditions: [{ type: "public" }, { type: "country", operator: "none", targetValue: ["US"] }],
        },
      ],
    }),
    labels: ["rules[2].conditions"],
    from: '[{ type: "public" }]',
    to: '[{ type: "public" }, { type: "country", operator: "none", targetValue: ["US"] }]',
  }),
  onGate({
    what: "the operator of a condition",
    edit: gate({
      rules: [
        staff,
        { ...mail, conditions: [mail.conditions[0], { ...mail.conditions[1], operator: "none" }] },
        everyone,
      ],
    }),
    labels: ["rules[1].conditions[1].operator"],
    from: 'operator: "any"',
    to: 'operator: "none"',
  }),
  onGate({
    what: "a target value more",
    edit: gate({
      rules: [
        staff,
        {
          ...mail,
          conditions: [mail.conditions[0], { ...mail.conditions[1], targetValue: ["DE", "FR", "AT"] }],
        },
        everyone,
      ],
    }),
    labels: ["rules[1].conditions[1].targetValue"],
    from: '["DE", "FR"]',
    to: '["DE", "FR", "AT"]',
  }),
  onGate({
    what: "a target value that is said without brackets",
    program: gateOf(
      'rules: [{ name: "App", passPercentage: 5, conditions: [{ type: "app_version", operator: "version_gt", targetValue: "1.2.0" }] }]',
    ),
    edit: gate({
      rules: [
        {
          name: "App",
          passPercentage: 5,
          conditions: [{ type: "app_version", operator: "version_gt", targetValue: "1.3.0" }],
        },
      ],
    }),
    labels: ["rules[0].conditions[0].targetValue"],
    from: '"1.2.0"',
    to: '"1.3.0"',
  }),
  onGate({
    what: "the environments of a rule",
    program: gateOf(
      'rules: [{ name: "All", passPercentage: 5, conditions: [{ type: "public" }], environments: ["production"] }]',
    ),
    edit: gate({
      rules: [
        {
          name: "All",
          passPercentage: 5,
          conditions: [{ type: "public" }],
          environments: ["production", "staging"],
        },
      ],
    }),
    labels: ["rules[0].environments"],
    from: '["production"]',
    to: '["production", "staging"]',
  }),
  onGate({
    what: "launched, where the program says the state",
    program: gateOf('status: "In Progress"'),
    edit: (raw) => raw.gate.launch({ id: "checkout" }),
    labels: ["status"],
    from: '"In Progress"',
    to: '"Launched"',
  }),
  onGate({
    what: "launched, where the program is silent",
    edit: (raw) => raw.gate.launch({ id: "checkout" }),
    labels: ["status"],
    from: '  tags: ["shop"],\n',
    to: '  tags: ["shop"],\n  status: "Launched",\n',
  }),
  onGate({
    what: "launched, where the program says isEnabled",
    program: gateOf("isEnabled: true"),
    edit: (raw) => raw.gate.launch({ id: "checkout" }),
    labels: ["status"],
    from: "isEnabled: true",
    to: 'status: "Launched"',
  }),
  onGate({
    what: "archived, where the program is silent",
    program: `new fc.Gate("checkout");\n`,
    edit: (raw) => raw.gate.archive({ id: "checkout" }),
    labels: ["status"],
    from: '"checkout")',
    to: '"checkout", { status: "Archived" })',
  }),
  onGate({
    what: "archived, where the program says isEnabled",
    program: gateOf("isEnabled: true, tags: []"),
    edit: (raw) => raw.gate.archive({ id: "checkout" }),
    labels: ["status"],
    from: "isEnabled: true",
    to: 'status: "Archived"',
  }),
];

const otherEdits: ConsoleEdit[] = [
  onConfig({
    what: "a number in a JSON value",
    edit: config({ defaultValue: { most: 25, "per user": { low: 1, high: [1, 2, 3] }, note: null } }),
    labels: ["defaultValue.most"],
    from: "most: 20",
    to: "most: 25",
  }),
  onConfig({
    what: "a list in a JSON value, and a member more and one less",
    edit: config({
      defaultValue: { most: 20, "per user": { high: [1, 3] }, note: null, fresh: [{ a: null }] },
    }),
    labels: ['defaultValue["per user"].low', 'defaultValue["per user"].high', "defaultValue.fresh"],
    from: '"per user": { low: 1, high: [1, 2, 3] },\n    note: null,\n',
    to: '"per user": { high: [1, 3] },\n    note: null,\n    fresh: [{ a: null }],\n',
  }),
  onConfig({
    what: "the value of a rule",
    edit: config({
      rules: [
        { name: "All", passPercentage: 50, conditions: [{ type: "public" }], returnValue: { most: 75 } },
      ],
    }),
    labels: ["rules[0].returnValue.most"],
    from: "most: 50",
    to: "most: 75",
  }),
  onConfig({
    what: "JSON5 with comments",
    program: 'new fc.DynamicConfig("limits", { defaultValueJson5: `{\n  // most\n  most: 1,\n}` });\n',
    edit: config({ defaultValueJson5: "{\n  // the most\n  most: 2, // `two`\n}" }),
    labels: ["defaultValueJson5.most"],
    from: "`{\n  // most\n  most: 1,\n}`",
    to: "`{\n  // the most\n  most: 2, // \\`two\\`\n}`",
  }),
  onConfig({
    what: "a schema",
    program: `new fc.DynamicConfig("limits", { schema: '{"type":"object"}' });\n`,
    edit: config({ schema: '{"type":"object","required":[]}' }),
    labels: ["schema.required"],
    from: `'{"type":"object"}'`,
    to: `'{"type":"object","required":[]}'`,
  }),
  {
    what: "the ids of a list",
    program: 'new fc.Segment("people", { type: "id_list", ids: ["u1", "u2"] });\n',
    kind: "segment",
    id: "people",
    edit: (raw) => raw.segment.addIds({ id: "people", body: { ids: ["u3"] } }),
    labels: ["ids"],
    from: '["u1", "u2"]',
    to: '["u1", "u2", "u3"]',
  },
  {
    what: "a parameter of a layer",
    program: `new fc.Layer("area", {
  idType: "userID",
  parameters: [{ name: "colour", type: "string", defaultValue: "blue" }],
});
`,
    kind: "layer",
    id: "area",
    edit: (raw) =>
      raw.layer.patch({
        id: "area",
        body: { parameters: [{ name: "colour", type: "string", defaultValue: "red" }] },
      }),
    labels: ["parameters.colour.defaultValue"],
    from: '"blue"',
    to: '"red"',
  },
  {
    what: "SQL in many lines",
    program: `new fc.AssignmentSource("exposures", {
  sql: \`select 1
from t\`,
  timestampColumn: "ts",
  experimentIDColumn: "e",
  groupIDColumn: "g",
  idTypeMapping: [{ serviceUnitID: "userID", column: "u" }],
});
`,
    kind: "assignmentSource",
    id: "exposures",
    edit: (raw) =>
      raw.assignmentSource.update({
        name: "exposures",
        body: {
          sql: "select 2\nfrom t\nwhere a = '\\n'",
          ...{ timestampColumn: "ts", experimentIDColumn: "e", groupIDColumn: "g" },
          idTypeMapping: [{ serviceUnitID: "userID", column: "u" }],
        },
      }),
    labels: ["sql"],
    from: "`select 1\nfrom t`",
    to: "`select 2\nfrom t\nwhere a = '\\\\n'`",
  },
  {
    what: "the description of a tag",
    program: 'new fc.Tag("shop", { description: "Shop" });\n',
    kind: "tag",
    id: "shop",
    edit: async (raw) => {
      for await (const tag of raw.tag.list()) {
        if (tag.name === "shop") await raw.tag.patch({ id: tag.id, body: { description: "The shop" } });
      }
    },
    labels: ["description"],
    from: '"Shop"',
    to: '"The shop"',
  },
];

/** One for each sort of field, and for each way in which lists change. */
export const consoleEdits: readonly ConsoleEdit[] = [...gateEdits, ...otherEdits];
