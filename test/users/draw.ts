import type { JsonObject } from "../../src/provider/schema/json";
import type { Dice } from "../world/dice";
import {
  configOf,
  editedRules,
  experimentOf,
  fixtures,
  groupsOf,
  type Rule,
  rulesOf,
  shares,
} from "../world/draw";
import { type Declared, declared, nameOf } from "../world/programs";

const kinds = ["gate", "dynamicConfig", "gate", "experiment", "gate", "dynamicConfig"] as const;

/** Three gates for each two configs and one experiment, and two holdouts of some of them. */
export function drawProgram(dice: Dice, count: number): Declared[] {
  const flags: Declared[] = [...fixtures];
  for (let at = 0; at < count; at += 1)
    flags.push(flagOf(dice, kinds[at % kinds.length] ?? "gate", `flag_${at}`, flags));
  const holdout = (name: string) => declared("holdout", name, { isEnabled: true, ...heldBy(dice, flags) });
  return [...flags, holdout("holdout_0"), holdout("holdout_1")];
}

function flagOf(dice: Dice, kind: string, name: string, before: readonly Declared[]): Declared {
  if (kind === "experiment")
    return experimentOf(dice, name, {
      ...{ status: "active", allocation: 100, groups: groupsOf(dice, sizeOf(dice)) },
    });
  if (kind === "dynamicConfig") return configOf(dice, name);
  const gates = before.filter((one) => one.kind === "gate");
  const conditions = [
    { type: dice.one(["passes_gate", "fails_gate"]), targetValue: { $id: nameOf(dice.one(gates)) } },
  ];
  const asking = { name: "Asking", passPercentage: dice.one(shares), conditions };
  return declared("gate", name, { rules: [...(dice.below(3) === 0 ? [asking] : []), ...rulesOf(dice)] });
}

const sizeOf = (dice: Dice): number => 10 + dice.below(81);

function heldBy(dice: Dice, flags: readonly Declared[]): JsonObject {
  const some = (wanted: string): string[] =>
    flags.filter(({ kind }) => kind === wanted && dice.below(8) === 0).map(({ name }) => name);
  const passPercentage = dice.one([0, 2.5, 5, 10]);
  return { passPercentage, gateIDs: some("gate"), experimentIDs: some("experiment") };
}

export function drawChange(dice: Dice, program: readonly Declared[]): Declared[] {
  const able = program.filter((one) => !fixtures.includes(one));
  const changed = Array.from({ length: 1 + dice.below(3) }, () => dice.one(able));
  return program.map((one) =>
    changed.includes(one) ? { ...one, args: { ...one.args, ...changeOf(dice, one, program) } } : one,
  );
}

function changeOf(dice: Dice, { kind, args }: Declared, program: readonly Declared[]): JsonObject {
  if (kind === "experiment")
    return dice.below(4) === 0
      ? { status: "abandoned", decisionReason: "Done" }
      : { groups: groupsOf(dice, sizeOf(dice)) };
  if (kind !== "holdout") return { rules: editedRules(dice, kind, args.rules as Rule[]) };
  const { passPercentage, ...members } = heldBy(dice, program);
  return dice.one<JsonObject>([{ passPercentage }, members, { isEnabled: false }]);
}
