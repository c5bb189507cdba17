/** Flags that ask each other, as a stack has them before a change. */
export const standing = `
const everyone = (passPercentage, more = {}) => ({ name: "Everyone", passPercentage, conditions: [{ type: "public" }], ...more });
const inCountries = (passPercentage, targetValue = ["NZ", "AU"]) =>
  ({ name: "Oceania", passPercentage, conditions: [{ type: "country", operator: "any", targetValue }] });
const staff = new fc.Segment("staff", { type: "rule_based", rules: [
  { name: "Mail", passPercentage: 100, conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }] } ] });
const staffRule = { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: staff }] };
const checkout = new fc.Gate("checkout_v2", { rules: [inCountries(50)] });
new fc.Gate("pay_later", { rules: [{ name: "New checkout", passPercentage: 60, conditions: [{ type: "passes_gate", targetValue: checkout }] }] });
new fc.Gate("without", { rules: [{ name: "Others", passPercentage: 100, conditions: [{ type: "fails_gate", targetValue: checkout }] }] });
new fc.Gate("search", { rules: [staffRule, everyone(20)] });
new fc.Holdout("quarter", { description: "Q4", isEnabled: true, passPercentage: 10, gateIDs: ["search"] });
new fc.GateOverrides("people", { gate: "search", passingUserIDs: ["user-1", "user-2"], failingUserIDs: ["user-4"] });
new fc.DynamicConfig("shop_limits", { defaultValue: { maxItems: 20 }, rules: [
  { name: "Enterprise", passPercentage: 50, conditions: [{ type: "custom_field", field: "plan", operator: "any", targetValue: ["enterprise"] }], returnValue: { maxItems: 90 } } ] });
const groups = (red, size = 50) => [{ name: "a", size, parameterValues: { c: red } }, { name: "b", size: 100 - size, parameterValues: { c: "blue" } }];
new fc.Experiment("colour", { status: "active", allocation: 80, groups: groups("red") });
new fc.Experiment("later", { groups: groups("red") });
new fc.Layer("page", { idType: "userID", parameters: [{ name: "title", type: "string", defaultValue: "Hello" }, { name: "size", type: "number", defaultValue: 1 }] });
new fc.Experiment("titles", { layerID: "page", status: "active", allocation: 60, groups: [
  { name: "plain", size: 50, parameterValues: { title: "Plain" } }, { name: "loud", size: 50, parameterValues: { title: "Loud" } }] });
new fc.DynamicConfig("banner", { defaultValue: { text: "Hello" }, rules: [{ name: "Halves", conditions: [{ type: "public" }], variants: [
  { name: "Blue", passPercentage: 50, returnValue: { text: "Blue" } }, { name: "Red", passPercentage: 50, returnValue: { text: "Red" } } ] }] });
`;

const swap = (from: string, to: string) => (program: string) => {
  if (!program.includes(from)) throw new Error(`the program does not hold ${from}`);
  return program.replace(from, to);
};

/** A change of the program, with the flags whose users feel it. */
export interface Change {
  readonly what: string;
  readonly change: (program: string) => string;
  readonly ids: readonly string[];
}

/** Changes of it, of each kind. */
export const changes: readonly Change[] = [
  {
    what: "a percentage rises",
    change: swap("inCountries(50)", "inCountries(70)"),
    ids: ["checkout_v2", "pay_later", "without"],
  },
  {
    what: "a percentage falls",
    change: swap("inCountries(50)", "inCountries(10)"),
    ids: ["checkout_v2", "pay_later", "without"],
  },
  {
    what: "a rule is for others",
    change: swap("inCountries(50)", 'inCountries(50, ["NZ", "DE"])'),
    ids: ["checkout_v2", "pay_later", "without"],
  },
  {
    what: "a segment that a gate asks grows",
    change: swap('["@example.com"]', '["@example.com", "@mail.test"]'),
    ids: ["search"],
  },
  {
    what: "rules change places",
    change: swap("[staffRule, everyone(20)]", "[everyone(20), staffRule]"),
    ids: ["search"],
  },
  { what: "a rule leaves", change: swap("[staffRule, everyone(20)]", "[everyone(20)]"), ids: ["search"] },
  {
    what: "a rule for all comes before a share",
    change: swap("inCountries(50)", '{ ...staffRule, name: "First" }, inCountries(50)'),
    ids: ["checkout_v2", "pay_later", "without"],
  },
  { what: "a gate goes off", change: swap('"search", {', '"search", { isEnabled: false,'), ids: ["search"] },
  {
    what: "a gate is launched",
    change: swap('"search", {', '"search", { status: "Launched",'),
    ids: ["search"],
  },
  { what: "a default value", change: swap("maxItems: 20", "maxItems: 30"), ids: ["shop_limits"] },
  {
    what: "the default value of a layer's parameter",
    change: swap('defaultValue: "Hello" }', 'defaultValue: "Good day" }'),
    ids: ["page", "titles"],
  },
  {
    what: "the value of a group of an experiment in a layer",
    change: swap('title: "Loud"', 'title: "Louder"'),
    ids: ["page", "titles"],
  },
  { what: "the value of a rule", change: swap("maxItems: 90", "maxItems: 95"), ids: ["shop_limits"] },
  {
    what: "the shares of variants",
    change: (program) =>
      swap(
        '"Red", passPercentage: 50',
        '"Red", passPercentage: 20',
      )(swap('"Blue", passPercentage: 50', '"Blue", passPercentage: 80')(program)),
    ids: ["banner"],
  },
  {
    what: "the value of a group",
    change: swap(
      'groups: groups("red") });\nnew fc.Experiment("later"',
      'groups: groups("green") });\nnew fc.Experiment("later"',
    ),
    ids: ["colour"],
  },
  {
    what: "the size of a group",
    change: swap(
      'groups: groups("red") });\nnew fc.Experiment("later"',
      'groups: groups("red", 30) });\nnew fc.Experiment("later"',
    ),
    ids: ["colour"],
  },
  {
    what: "an experiment ends",
    change: swap('"colour", { status: "active"', '"colour", { status: "abandoned", decisionReason: "Done"'),
    ids: ["colour"],
  },
  {
    what: "a new gate for all",
    change: (program) => `${program}new fc.Gate("fresh", { rules: [everyone(100)] });`,
    ids: ["fresh"],
  },
  {
    what: "a holdout takes fewer users",
    change: swap("passPercentage: 10, gateIDs", "passPercentage: 4, gateIDs"),
    ids: ["search"],
  },
  {
    what: "a holdout gets a gate and an experiment more, and loses one",
    change: swap('gateIDs: ["search"]', 'gateIDs: ["checkout_v2"], experimentIDs: ["colour"]'),
    ids: ["checkout_v2", "colour", "pay_later", "search", "without"],
  },
  {
    what: "a holdout holds a layer",
    change: swap('gateIDs: ["search"]', 'gateIDs: ["search"], layerIDs: ["page"]'),
    ids: ["page", "titles"],
  },
  {
    what: "a holdout goes off",
    change: swap("isEnabled: true, passPercentage: 10", "isEnabled: false, passPercentage: 10"),
    ids: ["search"],
  },
  { what: "a description", change: swap('"search", {', '"search", { description: "Words",'), ids: [] },
];
