import type { FlagUser } from "../../src/emulator/evaluation/types";
import type { JsonObject } from "../../src/provider/schema/json";
import type { Dice } from "./dice";
import { type Declared, declared } from "./programs";

const countries = ["NZ", "AU", "US", "DE", undefined];

/** People of several countries, of this company and others, on two plans. */
export const crowd = (count: number): readonly FlagUser[] =>
  Array.from({ length: count }, (_, number) => {
    const country = countries[number % countries.length];
    return {
      userID: `user-${number}`,
      email: number % 3 === 0 ? `user-${number}@example.com` : `user-${number}@mail.test`,
      ...(country === undefined ? {} : { country }),
      custom: { plan: number % 7 < 2 ? "pro" : "free", company: number % 4 === 0 ? "ours" : "another" },
    };
  });

export type Rule = JsonObject & { name: string; passPercentage: number };

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
/** Audiences that name no other object. */
export const plainAudiences: readonly string[] = audienceNames.filter(
  (name) => !JSON.stringify(audiences[name]).includes("$id"),
);
export const shares: readonly number[] = [0, 1, 10, 50, 80, 100];

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

/** Rules for some audiences, in any order. */
export function rulesOf(dice: Dice, audiences: readonly string[] = audienceNames): Rule[] {
  const names = audiences.filter(() => dice.roll() < 0.22);
  return names.toSorted(() => dice.roll() - 0.5).map((name) => ruleOf(dice, name));
}

export function editedRules(dice: Dice, kind: string, rules: readonly Rule[]): Rule[] {
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

export const circle = declared("gate", "circle", {
  rules: [
    {
      ...{ name: "Neighbours", passPercentage: 100 },
      conditions: [{ type: "country", operator: "any", targetValue: ["US"] }],
    },
  ],
});

/** What others ask: it stays as it is, and who is in it the judges know by heart. */
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

export function gateOf(dice: Dice, name: string): Declared {
  return declared("gate", name, { rules: rulesOf(dice), ...stateOf(dice), ...endOf(dice) });
}

export function configOf(dice: Dice, name = "limits"): Declared {
  return declared("dynamicConfig", name, {
    defaultValue: { most: dice.below(3) },
    rules: rulesOf(dice)
      .slice(0, 2)
      .map((rule) => ({ ...rule, returnValue: { most: 10 + dice.below(3) } })),
  });
}

export const shop = declared("layer", "shop", {
  idType: "userID",
  parameters: [{ name: "colour", type: "string", defaultValue: "grey" }],
});

/** Two groups of an experiment; `size`: that of the first, in percent. */
export function groupsOf(dice: Dice, size = 50): JsonObject[] {
  return [
    { name: "Control", size, parameterValues: { colour: "blue" } },
    { name: "Test", size: 100 - size, parameterValues: { colour: dice.one(["green", "red"]) } },
  ];
}

export function experimentOf(dice: Dice, name: string, more: JsonObject = {}): Declared {
  return declared("experiment", name, {
    hypothesis: "Green sells",
    allocation: dice.one(takePart),
    groups: groupsOf(dice),
    ...(dice.roll() < 0.6 ? { status: "active" } : {}),
    ...more,
  });
}

const takePart = [10, 50, 80, 100];

/** Experiments by themselves, or two that share a layer. */
export function experimentsOf(dice: Dice): Declared[] {
  if (dice.roll() < 0.6) return [experimentOf(dice, "button")];
  const layer = { layerID: { $id: "layer.shop" } };
  return [shop, experimentOf(dice, "button", layer), experimentOf(dice, "banner", layer)];
}

export function editedArgs(
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
