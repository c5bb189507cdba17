import type { JsonObject } from "../../src/core/json";
import type { Declared } from "../model/program";
import { Dice } from "../model/random";

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
    | "ask";
  readonly kind: string;
  readonly id: string;
  readonly share: number;
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
}

type Rule = JsonObject & { name: string; passPercentage: number };

const audiences: Readonly<Record<string, readonly JsonObject[]>> = {
  Everyone: [{ type: "public" }],
  All: [{ type: "public" }],
  Oceania: [{ type: "country", operator: "any", targetValue: ["AU", "NZ"] }],
  Kiwis: [{ type: "country", operator: "any", targetValue: ["NZ"] }],
  Mail: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
  Pros: [{ type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] }],
  Staff: [{ type: "passes_segment", targetValue: { $id: "segment.staff" } }],
};
const audienceNames = Object.keys(audiences);
const shares = [0, 1, 10, 50, 80, 100];

/** Declares a resource with nothing but arguments. */
export function declared(kind: string, name: string, args: JsonObject): Declared {
  return {
    ...{ kind, name, args, aliases: [], imports: undefined },
    ...{ replaceOnChanges: [], deleteBeforeReplace: undefined },
  };
}

const staff = declared("segment", "staff", {
  type: "rule_based",
  rules: [
    {
      ...{ name: "Company", passPercentage: 100 },
      conditions: [{ type: "custom_field", field: "company", operator: "any", targetValue: ["ours"] }],
    },
  ],
});

function ruleOf(dice: Dice, name: string): Rule {
  const environments = dice.weighted<string[] | undefined>([
    [undefined, 7],
    [["production"], 2],
    [["staging"], 1],
  ]);
  return {
    ...{ name, passPercentage: dice.one(shares), conditions: audiences[name] },
    ...(environments === undefined ? {} : { environments }),
  };
}

function rulesOf(dice: Dice): Rule[] {
  const names = audienceNames.filter(() => dice.roll() < 0.35);
  return names.toSorted(() => dice.roll() - 0.5).map((name) => ruleOf(dice, name));
}

function gateOf(dice: Dice, name: string): Declared {
  const isEnabled = dice.weighted<boolean | undefined>([
    [undefined, 5],
    [true, 2],
    [false, 1],
  ]);
  return declared("gate", name, {
    rules: rulesOf(dice),
    ...(isEnabled === undefined ? {} : { isEnabled }),
  });
}

function configOf(dice: Dice): Declared {
  return declared("dynamicConfig", "limits", {
    defaultValue: { most: dice.below(3) },
    rules: rulesOf(dice)
      .slice(0, 2)
      .map((rule) => ({ ...rule, returnValue: { most: 10 + dice.below(3) } })),
  });
}

function experimentOf(dice: Dice): Declared {
  return declared("experiment", "button", {
    hypothesis: "Green sells",
    allocation: dice.one([10, 50, 100]),
    groups: [
      { name: "Control", size: 50, parameterValues: { colour: "blue" } },
      { name: "Test", size: 50, parameterValues: { colour: dice.one(["green", "red"]) } },
    ],
    ...(dice.roll() < 0.6 ? { status: "active" } : {}),
  });
}

const gates = ["flag_one", "flag_two", "flag_three"];

function programOf(dice: Dice): Declared[] {
  const some = gates.filter((_, at) => at === 0 || dice.roll() < 0.5).map((name) => gateOf(dice, name));
  const others = [
    ...(dice.roll() < 0.25 ? [configOf(dice)] : []),
    ...(dice.roll() < 0.25 ? [experimentOf(dice)] : []),
  ];
  return [staff, ...some, ...others];
}

/** A program with one thing changed. */
function edited(dice: Dice, program: readonly Declared[]): Declared[] {
  const at = 1 + dice.below(Math.max(program.length - 1, 1));
  const one = program[at];
  const missing = gates.filter((name) => !program.some((other) => other.name === name));
  const how = dice.weighted([
    ["rules", 8],
    ["state", 2],
    ["describe", 1],
    ["remove", 2],
    ["add", missing.length > 0 ? 2 : 0],
  ] as const);
  if (how === "add") return [...program, gateOf(dice, dice.one(missing))];
  if (one === undefined) return [...program];
  if (how === "remove") return program.filter((other) => other !== one);
  return program.map((other) => (other === one ? { ...one, args: editedArgs(dice, one, how) } : other));
}

function editedArgs(dice: Dice, { kind, args }: Declared, how: "rules" | "state" | "describe"): JsonObject {
  if (how === "describe") return { ...args, description: dice.one(["First words", "Other words"]) };
  if (kind === "experiment")
    return how === "state"
      ? { ...args, status: dice.one(["active", "setup"]) }
      : { ...args, allocation: dice.one([10, 50, 100]) };
  if (how === "state") return { ...args, isEnabled: dice.roll() < 0.5 };
  return { ...args, rules: editedRules(dice, kind, args.rules as Rule[]) };
}

function editedRules(dice: Dice, kind: string, rules: readonly Rule[]): Rule[] {
  const missing = audienceNames.filter((name) => !rules.some((rule) => rule.name === name));
  const at = dice.below(Math.max(rules.length, 1));
  const fresh = (): Rule => {
    const rule = ruleOf(dice, dice.one(missing));
    return kind === "gate" ? rule : { ...rule, returnValue: { most: 20 } };
  };
  const how = dice.weighted([
    ["share", rules.length > 0 ? 6 : 0],
    ["remove", rules.length > 0 ? 1 : 0],
    ["swap", rules.length > 1 ? 2 : 0],
    ["environment", rules.length > 0 ? 1 : 0],
    ["rename", rules.length > 0 ? 1 : 0],
    ["audience", rules.length > 0 ? 1 : 0],
    ["add", missing.length > 0 ? 3 : 0],
  ] as const);
  const changed = (members: JsonObject) =>
    rules.map((rule, index) => (index === at ? ({ ...rule, ...members } as Rule) : rule));
  switch (how) {
    case "share":
      return changed({ passPercentage: dice.one(shares) });
    case "remove":
      return rules.filter((_, index) => index !== at);
    case "swap":
      return rules.toSorted(() => dice.roll() - 0.5);
    case "environment":
      return changed({ environments: [dice.one(["production", "staging"])] });
    case "rename":
      return changed({ name: "Some people" });
    case "audience":
      return changed({ conditions: audiences[dice.one(audienceNames)] });
    case "add":
      return rules.toSpliced(dice.below(rules.length + 1), 0, fresh());
  }
}

function deedOf(dice: Dice, program: readonly Declared[], next: readonly Declared[]): Deed {
  const known = program.filter(({ kind }) => kind === "gate" || kind === "dynamicConfig");
  const fresh = next.filter(({ kind, name }) => kind === "gate" && !program.some((one) => one.name === name));
  const how = dice.weighted<Deed["how"]>([
    ["share", 5],
    ["disable", 3],
    ["enable", 1],
    ["describe", 2],
    ["archive", 2],
    ["delete", 1],
    ["ask", 2],
    ["make", fresh.length > 0 ? 4 : 0],
    ["make archived", fresh.length > 0 ? 3 : 0],
  ]);
  const target = dice.one(how.startsWith("make") ? fresh : known);
  return {
    ...{ how, kind: target?.kind ?? "gate", id: target?.name ?? "flag_one" },
    share: dice.one(shares),
  };
}

/** The case of a seed. */
export function drawCase(seed: number): Case {
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
  const removed = last().find(
    ({ kind, name }) => kind === "gate" && !program.some((one) => one.name === name),
  );
  return {
    ...{ seed, history, deeds, program },
    adoptedElsewhere: dice.roll() < 0.2 ? removed?.name : undefined,
    refreshes: dice.roll() < 0.15,
    freshCheckout: dice.roll() < 0.2,
    oldState: history.length > 1 && dice.roll() < 0.08,
    replace: dice.roll() < 0.06 ? dice.one(last())?.name : undefined,
    offline: dice.roll() < 0.15,
  };
}
