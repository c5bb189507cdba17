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
  { name: "Pros", passPercentage: 50, conditions: [{ type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] }], returnValue: { maxItems: 90 } } ] });
const groups = (red, size = 50) => [{ name: "a", size, parameterValues: { c: red } }, { name: "b", size: 100 - size, parameterValues: { c: "blue" } }];
const colour = new fc.Experiment("colour", { status: "active", allocation: 80, groups: groups("red") });
new fc.ExperimentOverrides("chosen", { experiment: colour,
  overrides: [{ type: "segment", id: staff.id, groupID: colour.groupID(0) }],
  userIDOverrides: [{ groupID: colour.groupID(1), ids: ["user-5", "user-6"] }] });
new fc.Experiment("later", { groups: groups("red") });
new fc.Layer("page", { idType: "userID", parameters: [{ name: "title", type: "string", defaultValue: "Hello" }, { name: "size", type: "number", defaultValue: 1 }] });
const titles = new fc.Experiment("titles", { layerID: "page", status: "active", allocation: 60, groups: [
  { name: "plain", size: 50, parameterValues: { title: "Plain" } }, { name: "loud", size: 50, parameterValues: { title: "Loud" } }] });
new fc.ExperimentOverrides("readers", { experiment: titles, userIDOverrides: [{ groupID: titles.groupID(0), ids: ["user-7"] }] });
new fc.LayerOverrides("page", { layer: "page", conditionalOverrides: [],
  idOverrides: [{ groupName: "loud", experimentName: "titles", idType: "userID", ids: ["user-8", "user-9"] }] });
new fc.DynamicConfig("banner", { defaultValue: { text: "Hello" }, rules: [{ name: "Halves", conditions: [{ type: "public" }], variants: [
  { name: "Blue", passPercentage: 50, returnValue: { text: "Blue" } }, { name: "Red", passPercentage: 50, returnValue: { text: "Red" } } ] }] });
`;

/** A change of the program, with the flags whose users feel it. */
export interface Change {
  readonly what: string;
  readonly change: (program: string) => string;
  readonly ids: readonly string[];
}

const swapped = (program: string, from: string, to: string): string => {
  if (!program.includes(from)) throw new Error(`the program does not hold ${from}`);
  return program.replace(from, to);
};

const swap = (ids: readonly string[], what: string, from: string, to: string): Change => ({
  ...{ what, ids, change: (program) => swapped(program, from, to) },
});

const checkout = ["checkout_v2", "pay_later", "without"];
const search = ["search"];
const page = ["page"];
const colour = ["colour"];
const share = "inCountries(50)";
const rules = "[staffRule, everyone(20)]";
const gate = '"search", {';
const groups = (of: string) => `allocation: 80, groups: groups(${of})`;
const held = 'gateIDs: ["search"]';

/** Changes of it, of each kind. */
export const changes: readonly Change[] = [
  swap(checkout, "a percentage rises", share, "inCountries(70)"),
  swap(checkout, "a percentage falls", share, "inCountries(10)"),
  swap(checkout, "a rule is for others", share, 'inCountries(50, ["NZ", "DE"])'),
  swap(search, "a segment that a gate asks grows", '["@example.com"]', '["@example.com", "@mail.test"]'),
  swap(search, "rules change places", rules, "[everyone(20), staffRule]"),
  swap(search, "a rule leaves", rules, "[everyone(20)]"),
  swap(checkout, "a rule for all comes before a share", share, `{ ...staffRule, name: "First" }, ${share}`),
  swap(search, "a gate goes off", gate, `${gate} isEnabled: false,`),
  swap(search, "a gate is launched", gate, `${gate} status: "Launched",`),
  swap(["shop_limits"], "a default value", "maxItems: 20", "maxItems: 30"),
  swap(page, "a default value of a layer", '"Hello" }, { name: "size"', '"Good day" }, { name: "size"'),
  swap(page, "the value of a group of an experiment in a layer", 'title: "Loud"', 'title: "Louder"'),
  swap(["shop_limits"], "the value of a rule", "maxItems: 90", "maxItems: 95"),
  {
    what: "the shares of variants",
    change: (program) =>
      swapped(
        swapped(program, '"Blue", passPercentage: 50', '"Blue", passPercentage: 80'),
        ...(['"Red", passPercentage: 50', '"Red", passPercentage: 20'] as const),
      ),
    ids: ["banner"],
  },
  swap(colour, "the value of a group", groups('"red"'), groups('"green"')),
  swap(colour, "the size of a group", groups('"red"'), groups('"red", 30')),
  swap(
    colour,
    "a group is decided",
    'status: "active", allocation: 80',
    'status: "decision_made", launchedGroup: "a", decisionReason: "Won", allocation: 80',
  ),
  swap(
    page,
    "a group of a layer's experiment is decided",
    'status: "active", allocation: 60',
    'status: "decision_made", launchedGroup: "loud", decisionReason: "Won", allocation: 60',
  ),
  swap(["colour"], "overrides of an experiment", '["user-5", "user-6"]', '["user-6", "user-10", "user-11"]'),
  swap(page, "overrides of a layer", '["user-8", "user-9"]', '["user-9", "user-12", "user-13", "user-14"]'),
  swap(
    page,
    "the sizes of the groups of a layer's experiment",
    ...([
      'name: "plain", size: 50, parameterValues: { title: "Plain" } }, { name: "loud", size: 50',
      'name: "plain", size: 30, parameterValues: { title: "Plain" } }, { name: "loud", size: 70',
    ] as const),
  ),
  swap(
    colour,
    "an experiment ends",
    'status: "active", allocation: 80',
    'status: "abandoned", decisionReason: "Done", allocation: 80',
  ),
  {
    what: "a new gate for all",
    change: (program) => `${program}new fc.Gate("fresh", { rules: [everyone(100)] });`,
    ids: ["fresh"],
  },
  swap(search, "a holdout takes fewer users", "passPercentage: 10, gateIDs", "passPercentage: 4, gateIDs"),
  swap(
    ["checkout_v2", "colour", "pay_later", "search", "without"],
    "a holdout gets a gate and an experiment more, and loses one",
    ...([held, 'gateIDs: ["checkout_v2"], experimentIDs: ["colour"]'] as const),
  ),
  swap(page, "a holdout holds a layer", held, `${held}, layerIDs: ["page"]`),
  swap(search, "a holdout goes off", "isEnabled: true, pass", "isEnabled: false, pass"),
  swap([], "a description", gate, `${gate} description: "Words",`),
];
