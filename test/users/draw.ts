import type { FlagUser } from "../../src/emulator/evaluation";
import type { JsonObject } from "../../src/provider/schema/json";
import type { Dice } from "../world/dice";

/** Flags as data: class and arguments by name. */
export type Flags = Readonly<Record<string, readonly [kind: string, args: JsonObject]>>;

/** The program that declares them. */
export const programOf = (flags: Flags): string =>
  Object.entries(flags)
    .map(([name, [kind, args]]) => `new fc.${kind}("${name}", ${JSON.stringify(args)});`)
    .join("\n");

export const drawUsers = (count: number): FlagUser[] =>
  Array.from({ length: count }, (_, number) => ({
    userID: `user-${number}`,
    email: `user-${number}@${number % 4 === 0 ? "example.com" : "mail.test"}`,
    country: ["NZ", "AU", "US", "DE"][(number >> 2) % 4] as string,
    custom: { plan: number % 7 < 2 ? "enterprise" : "free" },
  }));

/** Three gates for each two configs and one experiment, and two holdouts of some of them. */
export function drawFlags(dice: Dice, count: number): Flags {
  const names = Array.from({ length: count }, (_, at) => `flag_${at}`);
  const kinds = names.map(
    (_, at) => ["Gate", "DynamicConfig", "Gate", "Experiment", "Gate", "DynamicConfig"][at % 6],
  );
  const flags: Flags = Object.fromEntries(
    names.map((name, at) => {
      const gates = names.slice(0, at).filter((_, place) => kinds[place] === "Gate");
      return [name, flagOf(dice, kinds[at] ?? "Gate", gates)];
    }),
  );
  const holdout = () => ["Holdout", { isEnabled: true, ...holdoutOf(dice, flags) }] as const;
  return { ...flags, holdout_0: holdout(), holdout_1: holdout() };
}

function holdoutOf(dice: Dice, flags: Flags): JsonObject {
  const some = (kind: string): string[] =>
    Object.keys(flags).filter((name) => flags[name]?.[0] === kind && dice.below(8) === 0);
  return {
    passPercentage: dice.one([0, 2.5, 5, 10]),
    gateIDs: some("Gate"),
    experimentIDs: some("Experiment"),
  };
}

function flagOf(dice: Dice, kind: string, gates: readonly string[]): readonly [string, JsonObject] {
  if (kind === "Experiment") return [kind, { status: "active", allocation: 100, groups: groupsOf(dice) }];
  const rules = Array.from({ length: 1 + dice.below(3) }, (_, at) => ruleOf(dice, `Rule ${at}`, kind, gates));
  return [kind, kind === "Gate" ? { rules } : { defaultValue: drawnValue(dice), rules }];
}

function ruleOf(dice: Dice, name: string, kind: string, gates: readonly string[]): JsonObject {
  const conditions = [conditionOf(dice, gates)];
  const share = { name, passPercentage: dice.one([0, 5, 12.5, 50, 80, 100]), conditions };
  return kind === "Gate" ? share : { ...share, returnValue: drawnValue(dice) };
}

function conditionOf(dice: Dice, gates: readonly string[]): JsonObject {
  const about = dice.below(gates.length === 0 ? 4 : 6);
  if (about > 3) return { type: dice.one(["passes_gate", "fails_gate"]), targetValue: dice.one(gates) };
  const conditions: readonly JsonObject[] = [
    { type: "public" },
    { type: "country", operator: "any", targetValue: [dice.one(["NZ", "AU", "US"])] },
    { type: "custom_field", field: "plan", operator: "any", targetValue: ["enterprise"] },
    { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] },
  ];
  return conditions[about] as JsonObject;
}

const drawnValue = (dice: Dice): JsonObject => ({ most: dice.below(100) });

function groupsOf(dice: Dice): JsonObject[] {
  const size = 10 + dice.below(81);
  const group = (name: string, of: number) => ({ name, size: of, parameterValues: drawnValue(dice) });
  return [group("a", size), group("b", 100 - size)];
}

/** A change of one to three flags. */
export function drawChange(dice: Dice, flags: Flags): Flags {
  const names = Object.keys(flags);
  const changed = Array.from({ length: 1 + dice.below(3) }, () => dice.one(names));
  return Object.fromEntries(
    Object.entries(flags).map(([name, [kind, args]]) =>
      changed.includes(name)
        ? [
            name,
            [kind, kind === "Holdout" ? changedHoldout(dice, args, flags) : changedArgs(dice, kind, args)],
          ]
        : [name, [kind, args]],
    ),
  );
}

function changedHoldout(dice: Dice, args: JsonObject, flags: Flags): JsonObject {
  const { passPercentage, ...members } = holdoutOf(dice, flags);
  return { ...args, ...dice.one([{ passPercentage }, members, { isEnabled: false }]) };
}

function changedArgs(dice: Dice, kind: string, args: JsonObject): JsonObject {
  if (kind === "Experiment")
    return dice.below(4) === 0
      ? { ...args, status: "abandoned", decisionReason: "Done" }
      : { ...args, groups: groupsOf(dice) };
  const rules = args.rules as JsonObject[];
  const at = dice.below(rules.length);
  const change = dice.below(6);
  const other = { ...ruleOf(dice, String(rules[at]?.name), kind, []), conditions: rules[at]?.conditions };
  if (change < 2) return { ...args, rules: rules.with(at, other) };
  if (change === 2) return { ...args, rules: rules.toReversed() };
  if (change === 3) return { ...args, rules: rules.toSpliced(at, 1) };
  if (change === 4) return { ...args, rules: [...rules, ruleOf(dice, "New", kind, [])] };
  return { ...args, rules: rules.with(at, { ...rules[at], conditions: [conditionOf(dice, [])] }) };
}
