import { Dice } from "../world/dice";
import { configOf, editedArgs, experimentsOf, fixtures, gateOf, shares, shop } from "../world/draw";
import type { Declared } from "../world/programs";
import { moved } from "./moves";

/** What a person does in the console, by the object's kind and id. */
export interface Deed {
  readonly how:
    | "share"
    | "disable"
    | "enable"
    | "describe"
    | "archive"
    | "delete"
    | "make"
    | "make archived"
    | "ask"
    | "launch"
    | "unarchive"
    | "rename rule"
    | "add rule"
    | "remove rule";
  readonly kind: string;
  readonly id: string;
  readonly share: number;
  /** With the person's own key, not with a machine's. */
  readonly signed?: boolean;
}

/** One case: what is there, what people did to it, and the change that is reported. */
export interface Case {
  readonly seed: number;
  /** Programs that were applied, oldest first. */
  readonly history: readonly (readonly Declared[])[];
  readonly deeds: readonly Deed[];
  /** Another stack has adopted this gate before the update. */
  readonly adoptedElsewhere: string | undefined;
  readonly refreshes: boolean;
  readonly freshCheckout: boolean;
  /** State is that of one program before the last. */
  readonly oldState: boolean;
  readonly program: readonly Declared[];
  /** Name of a resource that is replaced whatever its diff says. */
  readonly replace: string | undefined;
  readonly offline: boolean;
  /** The program has no entry point: Pulumi previews and updates nothing. */
  readonly crashes: boolean;
  /** A program that a pipeline applies after the deeds of people. */
  readonly runsAfter: readonly Declared[] | undefined;
  /** `drift` and `explain` are asked of every place. */
  readonly asks: boolean;
}

const gates = ["flag_one", "flag_two", "flag_three"];

function programOf(dice: Dice): Declared[] {
  const some = gates.filter((_, at) => at === 0 || dice.roll() < 0.5).map((name) => gateOf(dice, name));
  const others = [
    ...(dice.roll() < 0.25 ? [configOf(dice)] : []),
    ...(dice.roll() < 0.3 ? experimentsOf(dice) : []),
  ];
  return [...fixtures, ...some, ...others];
}

function edited(dice: Dice, program: readonly Declared[]): Declared[] {
  const able = program.filter((one) => !fixtures.includes(one) && one !== shop);
  const one = dice.one(able);
  const missing = gates.filter((name) => !program.some((other) => other.name === name));
  const how = dice.weighted([
    ["rules", 8],
    ["state", 2],
    ["describe", 1],
    ["end", 1],
    ["remove", 2],
    ["add", missing.length > 0 ? 2 : 0],
  ] as const);
  if (how === "add") return [...program, gateOf(dice, dice.one(missing))];
  if (one === undefined) return [...program];
  if (how === "remove") return program.filter((other) => other !== one);
  return program.map((other) => (other === one ? { ...one, args: editedArgs(dice, one, how) } : other));
}

function deedOf(dice: Dice, program: readonly Declared[], next: readonly Declared[]): Deed {
  const known = program.filter(
    (one) => (one.kind === "gate" || one.kind === "dynamicConfig") && !fixtures.includes(one),
  );
  const fresh = next.filter(({ kind, name }) => kind === "gate" && !program.some((one) => one.name === name));
  const how = dice.weighted<Deed["how"]>([
    ["share", 5],
    ["disable", 3],
    ["enable", 1],
    ["describe", 2],
    ["archive", 2],
    ["delete", 2],
    ["ask", 2],
    ["launch", 1],
    ["unarchive", 1],
    ["rename rule", 1],
    ["add rule", 1],
    ["remove rule", 1],
    ["make", fresh.length > 0 ? 4 : 0],
    ["make archived", fresh.length > 0 ? 3 : 0],
  ]);
  // What changes or goes in the update is met more often than chance would.
  const moving = known.filter((one) => !next.includes(one));
  const met = moving.length > 0 && dice.roll() < 0.5 ? moving : known;
  const target = dice.one(how.startsWith("make") ? fresh : met);
  return {
    ...{ how, kind: target?.kind ?? "gate", id: target?.name ?? "flag_one", share: dice.one(shares) },
  };
}

export function drawCase(seed: number): Case {
  // Other dice: what is rare changes nothing of the rest.
  return moved(plainCase(seed), new Dice(seed + 0x5eed));
}

function plainCase(seed: number): Case {
  const dice = new Dice(seed);
  const history: Declared[][] = [programOf(dice)];
  const last = () => history.at(-1) ?? [];
  for (let more = dice.below(3); more > 0; more -= 1) history.push(edited(dice, last()));
  let program: Declared[] = history.length > 1 && dice.roll() < 0.25 ? (history.at(-2) ?? []) : [...last()];
  for (
    let more = dice.weighted([
      [0, 1],
      [1, 6],
      [2, 3],
      [3, 1],
    ] as const);
    more > 0;
    more -= 1
  )
    program = edited(dice, program);
  const deeds = Array.from(
    {
      length: dice.weighted([
        [0, 5],
        [1, 4],
        [2, 1],
      ] as const),
    },
    () => deedOf(dice, last(), program),
  );
  const gone = last().find(({ kind, name }) => kind === "gate" && !program.some((one) => one.name === name));
  // What goes may be gone or archived already.
  if (gone !== undefined && dice.roll() < 0.2)
    deeds.push({ how: dice.one(["delete", "archive"]), kind: "gate", id: gone.name, share: 0 });
  return {
    ...{ seed, history, deeds, program },
    adoptedElsewhere: dice.roll() < 0.2 ? gone?.name : undefined,
    refreshes: dice.roll() < 0.15,
    freshCheckout: dice.roll() < 0.2,
    oldState: history.length > 1 && dice.roll() < 0.08,
    replace: dice.roll() < 0.06 ? dice.one(last())?.name : undefined,
    offline: dice.roll() < 0.15,
    ...{ crashes: false, runsAfter: undefined, asks: false },
  };
}
