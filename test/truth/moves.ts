import { isObject, type JsonObject } from "../../src/provider/schema/json";
import type { Dice } from "../world/dice";
import { circle, experimentOf, type Rule, rulesOf, shop } from "../world/draw";
import { type Declared, declared, referencesIn } from "../world/programs";
import type { Case, Deed } from "./draw";

/** Something rare that a case has beside a plain change of its program; the same case where it makes no sense. */
type Move = (drawn: Case, dice: Dice) => Case;

type Named = Pick<Declared, "kind" | "name">;

/** The rare parts of cases, in the words of their texts. */
const moves = {
  "adopts what a person made": (drawn, dice) => {
    const name = "flag_four";
    const option = dice.one([{ adopt: true }, { imports: name }, {}]);
    const { imports, ...args } = option as { adopt?: true; imports?: string };
    const gate = { ...declared("gate", name, { rules: rulesOf(dice), ...args }), imports };
    const how = dice.one(["make archived", "make archived", "make"] as const);
    return {
      ...drawn,
      deeds: [...drawn.deeds, { how, kind: "gate", id: name, share: dice.one([0, 7, 80]) }],
      program: [...drawn.program, gate],
    };
  },
  "leaves percentages to the console": (drawn, dice) => {
    const gate = chosen(drawn, dice, ({ kind, args }) => kind === "gate" && lengthOf(args.rules) > 0);
    if (gate === undefined) return drawn;
    const owns = (args: JsonObject) => ({ ...args, owns: { rollout: "console" } });
    const edits: readonly ((args: JsonObject) => JsonObject)[] = [
      (args) => args,
      ({ status: _, ...args }) => ({ ...args, isEnabled: false }),
      (args) => ({ ...args, rules: [...rulesOf(dice, ["Kiwis"]), ...(args.rules as Rule[])] }),
    ];
    const owned = withArgs(drawn, gate, owns);
    return {
      ...owned,
      deeds: [{ how: "share", kind: "gate", id: gate.name, share: dice.one([0, 80, 100]) }, ...drawn.deeds],
      program: withArgs({ ...owned, history: [] }, gate, dice.one(edits)).program,
      refreshes: dice.roll() < 0.6,
    };
  },
  "sets arguments no more": (drawn, dice) => {
    const one = chosen(drawn, dice, ({ kind }) => kind in removable);
    if (one === undefined) return drawn;
    const more = dice.one(removable[one.kind] ?? []);
    const { history } = withArgs(drawn, one, (args) => ({ ...args, ...more }));
    return { ...drawn, history, program: dice.roll() < 0.5 ? (drawn.history.at(-1) ?? []) : drawn.program };
  },
  "computes percentages": (drawn, dice) => {
    const gate = chosen(drawn, dice, ({ kind, args }) => kind === "gate" && lengthOf(args.rules) > 0);
    const passPercentage = dice.one([29 * 1.1, 0.1 + 0.2, 3 * 1.1, 8.7 * 3]);
    const computed = (args: JsonObject) => ({
      ...args,
      rules: (args.rules as Rule[]).map((rule, at) => (at === 0 ? { ...rule, passPercentage } : rule)),
    });
    if (gate === undefined) return drawn;
    return dice.roll() < 0.5
      ? withArgs(drawn, gate, computed)
      : { ...drawn, program: withArgs({ ...drawn, history: [] }, gate, computed).program };
  },
  "retains a resource": (drawn, dice) => {
    const one = chosen(drawn, dice);
    if (one === undefined) return drawn;
    const retained = inAll(drawn, one, (found) => ({ ...found, retainOnDelete: true }));
    const { program } = retained;
    const goes = dice.roll() < 0.6;
    return {
      ...retained,
      program: goes ? without(program, one) : program,
      replace: goes ? drawn.replace : one.name,
    };
  },
  "ends what is left": (drawn, dice) => {
    const asked = dice.one(["circle", "flag_one"]);
    const asks: Deed = { how: "ask", kind: "gate", id: asked, share: 0 };
    const left = { ...drawn, program: [], deeds: dice.roll() < 0.4 ? [...drawn.deeds, asks] : drawn.deeds };
    const asker = chosen(drawn, dice, ({ args }) => referencesIn(args).includes("gate.circle"));
    if (asker?.kind !== "gate" || dice.roll() < 0.5) return left;
    // What it asks ends for good, and it is gone by hand: nobody is in the way.
    const retained = inAll(left, asker, (found) => ({ ...found, retainOnDelete: true }));
    const deleted: Deed = { how: "delete", kind: "gate", id: asker.name, share: 0 };
    return {
      ...withArgs(retained, circle, (args) => ({ ...args, onDelete: "delete" })),
      deeds: [...left.deeds, deleted],
    };
  },
  "gives a resource another name": (drawn, dice) => {
    const gate = chosen(drawn, dice, ({ kind }) => kind === "gate");
    if (gate === undefined) return drawn;
    const { name } = gate;
    const rename = (one: Declared) =>
      one.name !== name
        ? one
        : { ...one, name: "renamed", args: { ...one.args, ...(dice.roll() < 0.7 ? { key: name } : {}) } };
    return { ...drawn, program: drawn.program.map(rename) };
  },
  "replaces on changes": (drawn, dice) => {
    const one = chosen(drawn, dice);
    if (one === undefined) return drawn;
    return inAll(drawn, one, (found) => ({
      ...found,
      replaceOnChanges: ["rules", "description", "isEnabled"],
    }));
  },
  "makes a layer that two experiments share": (drawn, dice) => {
    if (drawn.history.flat().some(({ kind }) => kind === "layer" || kind === "experiment")) return drawn;
    const more = { layerID: { $id: "layer.shop" }, status: "active" };
    const [one, two] = ["button", "banner"].map((name) =>
      experimentOf(dice, name, { ...more, allocation: dice.one([50, 60]) }),
    );
    return one && two ? { ...drawn, program: [...drawn.program, shop, one, two] } : drawn;
  },
  "has a program that does not run": (drawn) => ({ ...drawn, crashes: true }),
  "runs again after people": (drawn, dice) => {
    const one = chosen(drawn, dice, ({ kind }) => kind === "gate");
    if (one === undefined) return drawn;
    const { history } = inAll({ ...drawn, history: [drawn.history.at(-1) ?? []] }, one, (found) => ({
      ...found,
      args: { ...found.args, description: "Of a pipeline" },
    }));
    return { ...drawn, runsAfter: history[0], asks: true };
  },
} satisfies Record<string, Move>;

const chances = Object.keys(moves) as (keyof typeof moves)[];

/** Arguments that a program may set no more, by kind. */
const removable: Readonly<Record<string, readonly JsonObject[]>> = {
  gate: [
    { type: "PERMANENT" },
    { measureMetricLifts: false },
    { reviewSettings: { requiredReview: true } },
    { isEnabled: false },
    { description: "Set once" },
  ],
  dynamicConfig: [{ defaultValue: { most: 7 } }, { type: "PERMANENT" }, { isEnabled: false }],
  experiment: [{ hypothesis: "Blue sells" }, { description: "Set once" }],
};

/** A case, or in four of ten the same with something rare. */
export function moved(drawn: Case, dice: Dice): Case {
  const asks = dice.roll() < 0.15;
  const found = dice.roll() < 0.4 ? moves[dice.one(chances)](drawn, dice) : drawn;
  const deeds = found.deeds.map((deed) => ({ ...deed, signed: dice.roll() < 0.7 }));
  return { ...found, deeds, asks: found.asks || asks };
}

/** A resource of the last program that the next one has too. */
function chosen(
  { history, program }: Case,
  dice: Dice,
  fits: (one: Declared) => boolean = () => true,
): Named | undefined {
  const isHere = ({ kind, name }: Declared) =>
    program.some((one) => one.kind === kind && one.name === name && fits(one));
  const able = (history.at(-1) ?? []).filter(
    (one) => !["staff", "circle", "shop"].includes(one.name) && fits(one) && isHere(one),
  );
  const one = dice.one(able);
  return one && { kind: one.kind, name: one.name };
}

function inAll(drawn: Case, { kind, name }: Named, edit: (one: Declared) => Declared) {
  const change = (program: readonly Declared[]) =>
    program.map((one) => (one.kind === kind && one.name === name ? edit(one) : one));
  return { ...drawn, history: drawn.history.map(change), program: change(drawn.program) };
}

function withArgs(drawn: Case, one: Named, edit: (args: JsonObject) => JsonObject) {
  return inAll(drawn, one, (found) => ({ ...found, args: edit(found.args) }));
}

function without(program: readonly Declared[], { name }: Pick<Declared, "name">): Declared[] {
  return program.filter((one) => one.name !== name);
}

function lengthOf(rules: unknown): number {
  return Array.isArray(rules) ? rules.filter(isObject).length : 0;
}
