import type { Seed } from "../../../src/emulator";
import type { JsonObject } from "../../../src/provider/schema/json";
import { adopted } from "../../acceptance/unusual-adopted";
import type { HeldKind, History } from "./history";

/** What a type of tomorrow may ask. */
const unknownCondition = { type: "weather", operator: "sunny", targetValue: ["yes"] };
const ruleOf = (condition: JsonObject): JsonObject => ({
  rules: [{ name: "one", passPercentage: 12.5, conditions: [condition] }],
});

type Foreign = readonly [kind: HeldKind, list: keyof Seed & string, item: JsonObject];

/** Those that every messy console has, however small. */
const always: readonly Foreign[] = [
  ["gate", "gates", { id: "asks_the_weather", name: "asks_the_weather", ...ruleOf(unknownCondition) }],
  [
    "metric",
    "metrics",
    { id: "of tomorrow::median", name: "of tomorrow", type: "median", directionality: "neutral" },
  ],
  ["gate", "gates", { id: "gone_stale", name: "gone_stale", type: "STALE", typeReason: "STALE_NO_RULES" }],
  ["experiment", "experiments", { id: "stopped", name: "stopped", status: "experiment_stopped" }],
  ["experiment", "experiments", { id: "unassigned", name: "unassigned", status: "assignment_stopped" }],
];

/** A gate and a segment that ask each other: only the console lets a segment ask a gate. */
const askEachOther: readonly Foreign[] = [
  [
    "gate",
    "gates",
    {
      id: "asks_a_segment",
      name: "asks_a_segment",
      ...ruleOf({ type: "passes_segment", targetValue: "asks_a_gate" }),
    },
  ],
  [
    ...(["segment", "segments"] as const),
    {
      id: "asks_a_gate",
      name: "asks_a_gate",
      type: "rule_based",
      ...ruleOf({ type: "passes_gate", targetValue: "asks_a_segment" }),
    },
  ],
];

/** What tests of adoption know that people make in the console, each under an id of its own. */
const others: readonly Foreign[] = adopted.flatMap(({ kind, there, what }, at): Foreign[] => {
  if (there === undefined) return [];
  // Their tags would be objects more.
  const [list, { tags: _, ...item }] = there;
  const said = (name: string): boolean => item[name] !== undefined && !String(item[name]).includes("there");
  const slug = `foreign_${at}_${what.replaceAll(/\W+/g, "_")}`.slice(0, 90);
  if (kind === "metric")
    return [
      [
        kind,
        list,
        {
          ...item,
          name: `${String(item.name)} ${at}`,
          id: `${String(item.name)} ${at}::${String(item.type)}`,
        },
      ],
    ];
  const id = item.id === undefined ? {} : { id: said("id") ? item.id : slug };
  return [[kind, list, { ...item, ...id, name: said("name") ? item.name : slug }]];
});

/** How many objects of a console are such as only the console itself, or its next version, could have made. */
export const foreignCount = (count: number): number =>
  Math.min(
    always.length + askEachOther.length + others.length,
    Math.max(always.length, Math.round(count / 10)),
  );

/** Plants them. */
export function addForeign(history: History, count: number): void {
  for (const [kind, list, item] of [...always, ...askEachOther, ...others].slice(0, foreignCount(count)))
    history.plant(kind, list, item);
}
