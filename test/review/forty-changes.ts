/** A program, and the same after a busy sprint: forty changes of all sorts (and some objects that stay). */
const team = (name: string) => `team: "${name}"`;

export const before: string = `
const staff = new fc.Segment("staff", { type: "rule_based", rules: [
  { name: "Company mail", passPercentage: 100, conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }] } ] });
const beta = new fc.Segment("beta_testers", { type: "id_list", ids: ["u1", "u2", "u3"] });
const guests = new fc.Segment("guests", { type: "rule_based", rules: [] });
const everyone = (passPercentage, more = {}) => ({ name: "Everyone", passPercentage, conditions: [{ type: "public" }], ...more });
const inCountries = (passPercentage, targetValue, more = {}) =>
  ({ name: "Oceania", passPercentage, conditions: [{ type: "country", operator: "any", targetValue }], ...more });
const staffRule = { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: staff }] };
const checkout = new fc.Gate("checkout_v2", { ${team("growth")}, rules: [staffRule, inCountries(10, ["NZ", "AU"], { environments: ["production"] })] });
new fc.Gate("pay_later", { rules: [{ name: "New checkout", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: checkout }] }] });
const prices = new fc.DynamicConfig("prices", { defaultValue: { currency: "EUR", discount: 0 }, rules: [
  { name: "New checkout", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: checkout }], returnValue: { currency: "EUR", discount: 5 } } ] });
new fc.Gate("big_bang", { rules: [everyone(0)] });
new fc.Gate("search_suggestions", { rules: [everyone(50)] });
new fc.Gate("roll_back", { rules: [staffRule, everyone(80)] });
new fc.Gate("staging_only", { rules: [everyone(100, { environments: ["staging"] })] });
new fc.Gate("reordered", { rules: [staffRule, inCountries(20, ["NZ"]), everyone(5)] });
new fc.Gate("covered", { rules: [staffRule, everyone(5)] });
new fc.Gate("renamed_rule", { rules: [{ ...staffRule, name: "Colleagues" }] });
new fc.Gate("kill_switch", { isEnabled: true, rules: [everyone(100)] });
new fc.Gate("switched_on", { isEnabled: false, rules: [everyone(100)] });
new fc.Gate("to_launch", { status: "In Progress", rules: [everyone(90)] });
new fc.Gate("described", { description: "Old words", tags: ["shop"] });
new fc.Gate("counts_by", { idType: "userID", rules: [everyone(10)] });
new fc.Gate("unused_gate", { rules: [everyone(100)] });
new fc.Gate("used_gate", { rules: [everyone(100)] });
new fc.Gate("retained", { onDelete: "retain" });
new fc.Gate("deleted_gate", { onDelete: "delete" });
new fc.Gate("audience", { rules: [inCountries(100, ["NZ"]), staffRule] });
new fc.Gate("precise", { rules: [{ name: "Pro plan", passPercentage: 25, conditions: [
  { type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] }, { type: "app_version", operator: "version_gte", targetValue: "2.4.0" } ] }] });
new fc.Gate("companies", { idType: "userID", rules: [{ name: "Pilot", passPercentage: 100, conditions: [{ type: "unit_id", customID: "companyID", operator: "any", targetValue: ["c-42"] }] }] });
new fc.DynamicConfig("limits", { defaultValue: { maxItems: 20, colours: ["red", "blue"] } });
new fc.DynamicConfig("banner", { defaultValue: { text: "Hello" }, rules: [{ name: "Halves", conditions: [{ type: "public" }], variants: [
  { name: "Blue", passPercentage: 50, returnValue: { text: "Blue" } }, { name: "Red", passPercentage: 50, returnValue: { text: "Red" } } ] }] });
new fc.DynamicConfig("switched_off", { isEnabled: true, defaultValue: { on: true } });
new fc.Experiment("button_colour", { status: "setup", allocation: 20, hypothesis: "Green sells more",
  groups: [{ name: "control", size: 50, parameterValues: { colour: "blue" } }, { name: "green", size: 50, parameterValues: { colour: "green" } }] });
new fc.Experiment("decided", { status: "active", groups: [{ name: "control", size: 50, parameterValues: {} }, { name: "long form", size: 50, parameterValues: {} }] });
new fc.Experiment("given_up", { status: "active", groups: [{ name: "control", size: 50, parameterValues: {} }, { name: "test", size: 50, parameterValues: {} }] });
new fc.Experiment("resized", { status: "active", groups: [{ name: "control", size: 50, parameterValues: {} }, { name: "test", size: 50, parameterValues: {} }] });
new fc.Holdout("quarter holdout", { description: "Q4", passPercentage: 2, gateIDs: ["checkout_v2"] });
const shop = new fc.Layer("shop layer", { idType: "userID", parameters: [{ name: "title", type: "string", defaultValue: "Shop" }] });
new fc.Tag("old tag", { description: "Nobody uses it" });
new fc.GateOverrides("checkout people", { gate: "checkout_v2", passingUserIDs: ["qa_1"] });
new fc.ParamStore("web", { displayName: "Web", description: "", parameters: [
  { name: "title", refType: "static", paramType: "string", value: "Shop" } ] });
`;

export const after: string = before
  // Reach.
  .replace("inCountries(10, [", "inCountries(50, [")
  .replace(
    'new fc.Gate("big_bang", { rules: [everyone(0)] })',
    'new fc.Gate("big_bang", { rules: [everyone(100)] })',
  )
  .replace("rules: [everyone(50)] });", "rules: [everyone(55)] });")
  .replace("[staffRule, everyone(80)]", "[staffRule, everyone(0)]")
  .replace('everyone(100, { environments: ["staging"] })', "everyone(100)")
  .replace('inCountries(20, ["NZ"]), everyone(5)]', 'everyone(5), inCountries(20, ["NZ"])]')
  .replace(
    'new fc.Gate("covered", { rules: [staffRule, everyone(5)]',
    'new fc.Gate("covered", { rules: [everyone(5), staffRule]',
  )
  .replace('name: "Colleagues"', 'name: "Staff"')
  .replace('[inCountries(100, ["NZ"]), staffRule]', '[inCountries(100, ["NZ", "AU", "FJ"])]')
  .replace('targetValue: ["pro"]', 'targetValue: ["pro", "team"]')
  .replace('targetValue: ["c-42"]', 'targetValue: ["c-42", "c-43"]')
  .replace('"u3"]', '"u3", "u4", "u5"]')
  .replace(
    "rules: [] });",
    'rules: [{ name: "No account", passPercentage: 100, conditions: [{ type: "user_id", operator: "any", targetValue: ["0"] }] }] });',
  )
  .replace('targetValue: ["@example.com"]', 'targetValue: ["@example.com", "@example.org"]')
  // States.
  .replace('"kill_switch", { isEnabled: true', '"kill_switch", { isEnabled: false')
  .replace('"switched_on", { isEnabled: false', '"switched_on", { isEnabled: true')
  .replace('status: "In Progress"', 'status: "Launched"')
  .replace('"switched_off", { isEnabled: true', '"switched_off", { isEnabled: false')
  .replace('status: "setup", allocation: 20', 'status: "active", allocation: 60')
  .replace(
    '"decided", { status: "active"',
    '"decided", { status: "decision_made", launchedGroup: "long form", decisionReason: "More orders"',
  )
  .replace(
    '"given_up", { status: "active"',
    '"given_up", { status: "abandoned", decisionReason: "Too few people"',
  )
  .replace(/("resized".*name: "control", size: )50(.*name: "test", size: )50/, "$120$280")
  // Values.
  .replace('"Old words", tags: ["shop"]', '"New words", tags: ["shop", "beta"]')
  .replace('maxItems: 20, colours: ["red", "blue"]', 'maxItems: 50, colours: ["red", "green"], beta: true')
  .replace('name: "Blue", passPercentage: 50', 'name: "Blue", passPercentage: 80')
  .replace('name: "Red", passPercentage: 50', 'name: "Red", passPercentage: 20')
  .replace('currency: "EUR", discount: 5', 'currency: "EUR", discount: 10')
  .replace("passPercentage: 2, gateIDs", "passPercentage: 5, gateIDs")
  .replace('defaultValue: "Shop"', 'defaultValue: "The shop"')
  .replace('passingUserIDs: ["qa_1"]', 'passingUserIDs: ["qa_1", "qa_2"]')
  .replace(
    'value: "Shop" }',
    'value: "The shop" }, { name: "new_checkout", refType: "gate", paramType: "boolean", gateName: "checkout_v2", passValue: true, failValue: false }',
  )
  .replace('idType: "userID", rules: [everyone(10)]', 'idType: "stableID", rules: [everyone(10)]')
  // Ends.
  .replace(/new fc\.Gate\("(unused_gate|used_gate|retained|deleted_gate)".*\n/g, "")
  .replace(/new fc\.Tag\("old tag".*\n/, "")
  // Beginnings.
  .concat(`
new fc.Gate("brand_new", { ${team("search")}, description: "Fresh", rules: [staffRule, everyone(10, { environments: ["staging"] })] });
new fc.Gate("empty_new", {});
new fc.DynamicConfig("new_limits", { defaultValue: { most: 3 }, rules: [{ name: "Staff", passPercentage: 100, conditions: staffRule.conditions, returnValue: { most: 30 } }] });
new fc.Experiment("new_experiment", { allocation: 10, groups: [{ name: "control", size: 50, parameterValues: {} }, { name: "test", size: 50, parameterValues: {} }] });
new fc.Gate("made_by_hand", { adopt: true, rules: [everyone(30)] });
new fc.Gate("waits_for_hand", { rules: [{ name: "Hand", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: "used_gate" }] }] });
`);
