import type { JsonObject } from "../../src/provider/schema/json";
import { Dice } from "../world/dice";
import { type Declared, declared } from "../world/programs";

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
  Friends: [{ type: "passes_gate", targetValue: { $id: "gate.circle" } }],
  Abroad: [{ type: "country", operator: "none", targetValue: ["NZ"] }],
  ProKiwis: [
    { type: "country", operator: "any", targetValue: ["NZ"] },
    { type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] },
  ],
  Begun: [{ type: "time", operator: "after", targetValue: Date.UTC(2020, 0, 1) }],
  Over: [{ type: "time", operator: "before", targetValue: Date.UTC(2020, 0, 1) }],
};
const audienceNames = Object.keys(audiences);
const shares = [0, 1, 10, 50, 80, 100];

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
  const names = audienceNames.filter(() => dice.roll() < 0.22);
  return names.toSorted(() => dice.roll() - 0.5).map((name) => ruleOf(dice, name));
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

const staff = declared("segment", "staff", {
  type: "rule_based",
  rules: [
    {
      ...{ name: "Company", passPercentage: 100 },
      conditions: [{ type: "custom_field", field: "company", operator: "any", targetValue: ["ours"] }],
    },
  ],
});

const circle = declared("gate", "circle", {
  rules: [
    {
      ...{ name: "Neighbours", passPercentage: 100 },
      conditions: [{ type: "country", operator: "any", targetValue: ["US"] }],
    },
  ],
});

/** What others ask: it stays as it is, and who is in it the judge knows by heart. */
export const fixtures: readonly Declared[] = [staff, circle];

const stateOf = (dice: Dice) =>
  dice.weighted<JsonObject>([
    [{}, 10],
    [{ isEnabled: true }, 4],
    [{ isEnabled: false }, 3],
    [{ status: "Launched" }, 1],
  ]);

const endOf = (dice: Dice) =>
  dice.weighted<JsonObject>([
    [{}, 8],
    [{ onDelete: "retain" }, 1],
    [{ onDelete: "delete" }, 1],
  ]);

function gateOf(dice: Dice, name: string): Declared {
  return declared("gate", name, { rules: rulesOf(dice), ...stateOf(dice), ...endOf(dice) });
}

function configOf(dice: Dice): Declared {
  return declared("dynamicConfig", "limits", {
    defaultValue: { most: dice.below(3) },
    rules: rulesOf(dice)
      .slice(0, 2)
      .map((rule) => ({ ...rule, returnValue: { most: 10 + dice.below(3) } })),
  });
}

const shop = declared("layer", "shop", {
  idType: "userID",
  parameters: [{ name: "colour", type: "string", defaultValue: "grey" }],
});

function experimentOf(dice: Dice, name: string, more: JsonObject = {}): Declared {
  return declared("experiment", name, {
    hypothesis: "Green sells",
    allocation: dice.one(takePart),
    groups: [
      { name: "Control", size: 50, parameterValues: { colour: "blue" } },
      { name: "Test", size: 50, parameterValues: { colour: dice.one(["green", "red"]) } },
    ],
    ...(dice.roll() < 0.6 ? { status: "active" } : {}),
    ...more,
  });
}

const takePart = [10, 50, 80, 100];

/** Experiments by themselves, or two that share a layer. */
function experimentsOf(dice: Dice): Declared[] {
  if (dice.roll() < 0.6) return [experimentOf(dice, "button")];
  const layer = { layerID: { $id: "layer.shop" } };
  return [shop, experimentOf(dice, "button", layer), experimentOf(dice, "banner", layer)];
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

/** A program with one thing changed. */
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

function editedArgs(
  dice: Dice,
  { kind, args }: Declared,
  how: "rules" | "state" | "describe" | "end",
): JsonObject {
  if (how === "describe") return { ...args, description: dice.one(["First words", "Other words"]) };
  if (kind === "experiment")
    return how === "state"
      ? { ...args, status: dice.one(["active", "setup"]) }
      : { ...args, allocation: dice.one(takePart) };
  if (how === "end") {
    const { onDelete: _, ...others } = args;
    return { ...others, ...endOf(dice) };
  }
  if (how === "state") {
    const { isEnabled: _, status: _s, ...others } = args;
    return { ...others, ...(kind === "gate" ? stateOf(dice) : { isEnabled: dice.roll() < 0.5 }) };
  }
  return { ...args, rules: editedRules(dice, kind, args.rules as Rule[]) };
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
  // What goes may be gone or archived already.
  if (removed !== undefined && dice.roll() < 0.2)
    deeds.push({ how: dice.one(["delete", "archive"]), kind: "gate", id: removed.name, share: 0 });
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
