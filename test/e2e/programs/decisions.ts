import * as fc from "../../../src";

// Whatever decides, where the examples have none of it: countries, versions, environments, other ids, long lists, overrides,
// variants, and experiments in each of their states.

const company = new fc.UnitIdType("companyID", { description: "One company" });
const many = new fc.Segment("many", {
  type: "id_list",
  ids: Array.from({ length: 1200 }, (_, number) => `many-${number}`),
});
const all: fc.ConditionArgs[] = [{ type: "public" }];

const regions = new fc.Gate("regions", {
  rules: [
    {
      name: "New Zealand",
      passPercentage: 10,
      conditions: [{ type: "country", operator: "any", targetValue: ["NZ"] }],
    },
    {
      name: "New app",
      passPercentage: 100,
      conditions: [{ type: "app_version", operator: "version_gte", targetValue: "2.4" }],
    },
    {
      name: "Old app",
      passPercentage: 0,
      conditions: [{ type: "app_version", operator: "version_lt", targetValue: "2" }],
    },
    { name: "Staging", passPercentage: 100, environments: ["staging"], conditions: all },
    {
      name: "Teams",
      passPercentage: 100,
      conditions: [{ type: "custom_field", field: "plan", operator: "any", targetValue: ["team"] }],
    },
    {
      name: "Many",
      passPercentage: 100,
      conditions: [{ type: "passes_segment", targetValue: many }],
    },
    {
      name: "Phones",
      passPercentage: 100,
      conditions: [{ type: "os_name", operator: "any", targetValue: ["iOS"] }],
    },
    { name: "Everyone else", passPercentage: 33.33, conditions: all },
  ],
});
new fc.GateOverrides("regions", {
  gate: regions,
  passingUserIDs: ["always"],
  failingUserIDs: ["never"],
  environmentOverrides: [
    { environment: "staging", unitID: "userID", passingIDs: [], failingIDs: ["always"] },
  ],
});
const companies = new fc.Gate("companies", {
  idType: company,
  rules: [
    {
      name: "Listed",
      passPercentage: 100,
      conditions: [{ type: "unit_id", customID: "companyID", operator: "any", targetValue: ["acme"] }],
    },
    { name: "A quarter", passPercentage: 25, conditions: all },
  ],
});
new fc.Gate("both", {
  rules: [
    {
      name: "Both",
      passPercentage: 100,
      conditions: [
        { type: "passes_gate", targetValue: regions },
        { type: "passes_gate", targetValue: companies },
      ],
    },
    { name: "Neither", passPercentage: 50, conditions: [{ type: "fails_gate", targetValue: companies }] },
  ],
});
new fc.Gate("closed", { isEnabled: false, rules: [{ name: "All", passPercentage: 100, conditions: all }] });

const prices = new fc.DynamicConfig("prices", {
  defaultValue: { price: 9 },
  rules: [
    {
      name: "Acme",
      passPercentage: 100,
      conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
      returnValue: { price: 0 },
    },
    {
      name: "Tried",
      passPercentage: 60,
      conditions: all,
      variants: [
        { name: "Low", passPercentage: 30, returnValue: { price: 7 } },
        { name: "High", passPercentage: 70, returnValue: { price: 11 } },
      ],
    },
  ],
});

const page = new fc.Layer("page", {
  idType: "userID",
  parameters: [
    { name: "title", type: "string", defaultValue: "Hello" },
    { name: "columns", type: "number", defaultValue: 2 },
  ],
});
const halves = (parameter: string, one: string | number, other: string | number) => [
  { name: "One", size: 50, parameterValues: { [parameter]: one } },
  { name: "Other", size: 50, parameterValues: { [parameter]: other } },
];
const title = new fc.Experiment("title", {
  hypothesis: "A short title sells more",
  layerID: page,
  allocation: 40,
  groups: halves("title", "Hi", "Good day"),
  status: "active",
});
new fc.Experiment("columns", {
  hypothesis: "Three columns sell more",
  layerID: page,
  allocation: 60,
  groups: halves("columns", 3, 4),
  status: "active",
});
new fc.Experiment("alone", {
  hypothesis: "A red button sells more",
  idType: company,
  groups: halves("colour", "red", "green"),
  targetingGateID: companies,
  status: "active",
});
new fc.Holdout(
  "few",
  { passPercentage: 10, gateIDs: ["companies"], layerIDs: [page] },
  { dependsOn: companies },
);

new fc.ParamStore("reads", {
  displayName: "Reads",
  description: "From everywhere",
  parameters: [
    { name: "fixed", refType: "static", paramType: "string", value: "always" },
    {
      name: "region",
      refType: "gate",
      paramType: "string",
      gateName: regions,
      passValue: "in",
      failValue: "out",
    },
    { name: "price", refType: "dynamic_config", paramType: "number", configName: prices, paramName: "price" },
    { name: "words", refType: "layer", paramType: "string", layerName: page, paramName: "title" },
    { name: "tried", refType: "experiment", paramType: "string", experimentName: title, paramName: "title" },
  ],
});
