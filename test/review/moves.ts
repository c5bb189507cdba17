/** A program, and the same after many small moves: each flag is one move, and is called after it. */
const head = `
const everyone = { type: "public" };
const rule = (name, passPercentage, condition, more = {}) => ({ name, passPercentage, conditions: [condition], ...more });
const inCountry = (...targetValue) => ({ type: "country", operator: "any", targetValue });
const all = (share, more) => rule("All", share, everyone, more);
const nz = (share) => rule("NZ", share, inCountry("NZ"));
const staff = rule("Staff", 100, { type: "passes_segment", targetValue: "staff" });
const pro = { type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] };
const time = (operator) => ({ type: "time", operator, targetValue: ${Date.UTC(2020, 0, 1)} });
const asking = rule("A", 100, { type: "passes_segment", targetValue: "asked" });
const blocked = rule("Block NZ", 0, inCountry("NZ"));
const live = rule("Live", 5, everyone, { environments: ["production"] });
const oceania = rule("Oceania", 10, inCountry("AU", "NZ"));
const both = (...conditions) => ({ name: "Both", passPercentage: 50, conditions });
const early = (share) => rule("Early", share, time("before"));
const start = (when) => rule("Start", 100, time(when));
const inTurn = (first, second) => [rule(first, 80, inCountry("NZ")), rule(second, 20, inCountry("AU"))];
const some = [nz(100), rule("B", 50, pro)];
const besideRule = (a) => ({ rules: [{ ...nz(20), returnValue: { a: 9 } }], defaultValue: { a } });
const [one, two] = [{ ...nz(100), returnValue: { most: 1 } }, { ...all(100), returnValue: { most: 2 } }];
const key = (description, rotation) => ({ description, type: "SERVER", rotation });
const groups = [{ name: "control", size: 50, parameterValues: {} }, { name: "test", size: 50, parameterValues: {} }];
const coloured = (...colours) => ({ status: "active", groups: groups.map((one, at) => ({ ...one, parameterValues: { c: colours[at] } })) });
const part = { allocation: 20, groups };
const why = { decisionReason: "Why" };
`;

/** Arguments before and after; a side that is empty has no such flag. */
type Move = readonly [name: string, before: string, after: string];

const gates: readonly Move[] = [
  ["archived", "rules: [all(100)]", ""],
  ["archived_by_its_status", "rules: [all(100)]", 'rules: [all(100)], status: "Archived"'],
  ["deleted", 'rules: [all(100)], onDelete: "delete"', ""],
  ["archived_for_few", "rules: [all(10)]", ""],
  ["archived_in_staging", 'rules: [all(100, { environments: ["staging"] })]', ""],
  ["archived_for_nobody", "rules: [all(0)]", ""],
  ["archived_and_off", "isEnabled: false, rules: [all(100)]", ""],
  ["archived_and_launched", 'status: "Launched"', ""],
  ["archived_with_three_rules", "rules: [staff, nz(20), all(100)]", ""],
  ["archived_with_two_rules", "rules: [staff, nz(20)]", ""],
  ["switched_off", "isEnabled: true, rules: [all(100)]", "isEnabled: false, rules: [all(100)]"],
  ["switched_off_for_nobody", "isEnabled: true, rules: []", "isEnabled: false, rules: []"],
  ["switched_on", "isEnabled: false, rules: [all(5)]", "isEnabled: true, rules: [all(5)]"],
  ["disabled", 'status: "In Progress", rules: [all(100)]', 'status: "Disabled", rules: [all(100)]'],
  ["unlaunched", 'status: "Launched", rules: [all(10)]', 'status: "In Progress", rules: [all(10)]'],
  ["renamed", "rules: [all(100)]", 'key: "renamed_2", rules: [all(100)]'],
  ["new_and_off", "", "isEnabled: false"],
  ["new_and_launched", "", 'status: "Launched"'],
  ["nobody_above_everyone", "rules: [all(100)]", 'rules: [rule("Nobody", 0, everyone), all(100)]'],
  ["one_percent_above_everyone", "rules: [all(100)]", 'rules: [rule("Few", 1, everyone), all(100)]'],
  ["a_block_above_everyone", "rules: [all(100)]", "rules: [blocked, all(100)]"],
  ["a_block_removed", "rules: [blocked, all(100)]", "rules: [all(100)]"],
  ["a_rise_behind_everyone", "rules: [all(10), nz(0)]", "rules: [all(10), nz(90)]"],
  ["a_rise_behind_a_wider_rule", "rules: [oceania, nz(0)]", "rules: [oceania, nz(90)]"],
  ["a_rise_outside_production", "rules: [live, all(10)]", "rules: [live, all(90)]"],
  ["a_time_that_is_over", "rules: [early(10)]", "rules: [early(90)]"],
  ["names_swapped", 'rules: inTurn("A", "B")', 'rules: inTurn("B", "A")'],
  ["the_only_rule_removed", "rules: [all(100)]", "rules: []"],
  ["one_of_two_rules_removed", "rules: [nz(100), staff]", "rules: [staff]"],
  ["staff_becomes_everyone", 'rules: [{ ...staff, name: "Pilot" }]', 'rules: [rule("Pilot", 100, everyone)]'],
  ["one_percent_moves_up", "rules: [...some, all(1)]", "rules: [all(1), ...some]"],
  ["a_time_turned_round", 'rules: [start("before")]', 'rules: [start("after")]'],
  ["no_country_left", "rules: [nz(100)]", 'rules: [rule("NZ", 100, inCountry())]'],
  ["another_case", "rules: [nz(50)]", 'rules: [rule("NZ", 50, inCountry("nz"))]'],
  ["conditions_turned", 'rules: [both(inCountry("NZ"), pro)]', 'rules: [both(pro, inCountry("NZ"))]'],
  ["a_rise_while_off", 'status: "Disabled", rules: [all(0)]', 'status: "Disabled", rules: [all(100)]'],
  ["a_rise_while_launched", 'status: "Launched", rules: [all(0)]', 'status: "Launched", rules: [all(100)]'],
  ["asks_a_segment_that_goes", "rules: [asking]", "rules: [asking]"],
];

const others: readonly (readonly [kind: string, ...Move])[] = [
  ["DynamicConfig", "archived_config", "defaultValue: { a: 1 }", ""],
  ["DynamicConfig", "another_value", "defaultValue: { a: 1 }", "defaultValue: { a: 2 }"],
  ["DynamicConfig", "another_value_beside_a_rule", "...besideRule(1)", "...besideRule(2)"],
  ["DynamicConfig", "number_becomes_text", "defaultValue: { big: 1 }", 'defaultValue: { big: "1" }'],
  ["DynamicConfig", "values_in_another_order", "rules: [one, two]", "rules: [two, one]"],
  ["Experiment", "started", '...part, status: "setup"', '...part, status: "active"'],
  ["Experiment", "running", 'status: "active", groups', ""],
  ["Experiment", "idle", 'status: "setup", groups', ""],
  ["Experiment", "given_up", 'status: "active", groups', '...why, status: "abandoned", groups'],
  ["Experiment", "values_swapped", '...coloured("red", "blue")', '...coloured("blue", "red")'],
  ["Holdout", "held back", "passPercentage: 2", ""],
  ["Holdout", "held off", "passPercentage: 2", "passPercentage: 2, isEnabled: false"],
  ["Holdout", "held more", "passPercentage: 1", "passPercentage: 2"],
  ["Segment", "listed", 'type: "id_list", ids: ["a", "b", "c"]', ""],
  ["Segment", "ruled", 'type: "rule_based", rules: [nz(20)]', ""],
  ["Segment", "asked", 'type: "id_list", ids: ["a"]', ""],
  ["GateOverrides", "people", 'gate: "switched_on", passingUserIDs: ["qa_1", "qa_2"]', ""],
  ["Key", "ci", '...key("CI", "1")', '...key("CI", "2")'],
  ["Key", "kept", '...key("Kept", "1")', '...key("Kept", "2"), onRotation: "keep"'],
];

const moves = [...gates.map((move) => ["Gate", ...move] as const), ...others];
const program = (side: 2 | 3) =>
  head +
  moves
    .filter((move) => move[side] !== "")
    .map((move) => `new fc.${move[0]}("${move[1]}", { ${move[side]} });\n`)
    .join("");

export const before: string = program(2);
export const after: string = program(3);
