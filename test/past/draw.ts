import type { JsonObject } from "../../src/provider/schema/json";
import type { RawClient } from "../support/raw-client";
import type { Dice } from "../world/dice";
import { groupsOf, plainAudiences, rulesOf } from "../world/draw";

/** The kinds of which the console keeps versions. */
export const historyKinds = ["gate", "dynamicConfig", "experiment"] as const;

type HistoryKind = (typeof historyKinds)[number];

const texts = ["", "Old", "New", "Theirs"];
const lists = [[], ["shop"], ["shop", "beta"], ["beta"]];

/** Some members, each about as often as not. */
function some(dice: Dice, members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(() => dice.below(5) > 1));
}

/** What a program or a person may set of an object, but for its state. */
function drawnFields(kind: HistoryKind, dice: Dice): JsonObject {
  const shared = { description: dice.one(texts), tags: dice.one(lists), targetApps: [] };
  const own: Readonly<Record<HistoryKind, () => JsonObject>> = {
    gate: () => ({
      rules: rulesOf(dice, plainAudiences),
      type: dice.one(["PERMANENT", "TEMPORARY"]),
      measureMetricLifts: dice.below(2) === 0,
    }),
    dynamicConfig: () => ({
      rules: rulesOf(dice, plainAudiences).map((rule) => ({ ...rule, returnValue: { most: dice.below(3) } })),
      defaultValue: { most: dice.below(4) },
    }),
    experiment: () => ({
      groups: groupsOf(dice, dice.one([10, 50, 80])),
      hypothesis: dice.one(texts),
      allocation: dice.one([20, 60, 100]),
      links: dice.one([[], [{ url: "https://example.com/plan", title: "Plan" }]]),
    }),
  };
  return some(dice, { ...shared, ...own[kind]() });
}

/** The states that a program sets. */
const states: Readonly<Record<HistoryKind, readonly JsonObject[]>> = {
  gate: [{}, {}, { isEnabled: false }, ...["Launched", "Disabled", "Archived"].map((status) => ({ status }))],
  dynamicConfig: [{}, {}, { isEnabled: false }, { status: "Disabled" }, { status: "Archived" }],
  experiment: [
    ...[{}, { status: "setup" }, { status: "active" }, { status: "abandoned", decisionReason: "Enough" }],
    { status: "setup", allowReset: true },
  ],
};

/** The arguments of a program. */
export function drawnArguments(kind: HistoryKind, dice: Dice): JsonObject {
  const fields = drawnFields(kind, dice);
  // Groups without their own arguments stay as they are: the first program sets them.
  return {
    ...(kind === "experiment" ? { groups: groupsOf(dice) } : {}),
    ...fields,
    ...dice.one(states[kind]),
  };
}

/** What a person does in the console: a change of fields, or of the state. What the console refuses changes nothing. */
export function handEdits(kind: HistoryKind, dice: Dice): (raw: RawClient) => Promise<void> {
  const moves: Readonly<Record<HistoryKind, readonly string[]>> = {
    gate: ["enable", "disable", "launch", "archive", "unarchive"],
    dynamicConfig: ["enable", "disable", "archive", "unarchive"],
    experiment: ["start", "abandon", "reset", "archive", "unarchive"],
  };
  const isMove = dice.below(4) === 0;
  const move = dice.one(moves[kind]);
  const body = isMove ? { decisionReason: "Enough" } : drawnFields(kind, dice);
  return async (raw) => {
    const route = isMove ? move : "patch";
    const routes = raw[kind] as unknown as Record<string, (input: object) => Promise<unknown>>;
    const input = { id: "flag", ...(isMove && route !== "abandon" ? {} : { body }) };
    await routes[route]?.(input).catch(() => undefined);
  };
}
