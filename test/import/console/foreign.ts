import type { JsonObject } from "../../../src/provider/schema/json";
import { adopted } from "../../acceptance/unusual-adopted";
import type { HeldKind, History } from "./history";

type Foreign = readonly [kind: HeldKind, list: string, item: JsonObject];

const asking = (type: string, targetValue: unknown, rest: JsonObject = {}): JsonObject => ({
  rules: [{ name: "one", passPercentage: 12.5, conditions: [{ type, targetValue, ...rest }] }],
});
const made = (kind: HeldKind, id: string, rest: JsonObject): Foreign => [
  kind,
  `${kind}s`,
  { id, name: id, ...rest },
];

/** Those that every messy console has, however small. */
const always: readonly Foreign[] = [
  made("gate", "asks_the_weather", asking("weather", ["yes"], { operator: "sunny" })),
  made("metric", "of tomorrow::median", { name: "of tomorrow", type: "median", directionality: "neutral" }),
  made("gate", "gone_stale", { type: "STALE", typeReason: "STALE_NO_RULES" }),
  made("experiment", "stopped", { status: "experiment_stopped" }),
  made("experiment", "unassigned", { status: "assignment_stopped" }),
];

/** A gate and a segment that ask each other: only the console lets a segment ask a gate. */
const askEachOther: readonly Foreign[] = [
  made("gate", "asks_a_segment", asking("passes_segment", "asks_a_gate")),
  made("segment", "asks_a_gate", { type: "rule_based", ...asking("passes_gate", "asks_a_segment") }),
];

/** What tests of adoption know that people make in the console, each under an id of its own. */
const others: readonly Foreign[] = adopted.flatMap(({ kind, there, what }, at): Foreign[] => {
  if (there === undefined) return [];
  // Their tags would be objects more.
  const [list, { tags: _, ...item }] = there;
  const slug = `foreign_${at}_${what.replaceAll(/\W+/g, "_")}`.slice(0, 90);
  const own = (member: string) => (String(item[member]).includes("there") ? slug : item[member]);
  const name = kind === "metric" ? `${String(item.name)} ${at}` : own("name");
  const id = kind === "metric" ? `${String(name)}::${String(item.type)}` : own("id");
  return [[kind, list, { ...item, name, ...(item.id === undefined ? {} : { id }) }]];
});

const foreign = [...always, ...askEachOther, ...others];

/** How many objects of a console are such as only the console itself, or its next version, could have made. */
export const foreignCount = (count: number): number =>
  Math.min(foreign.length, Math.max(always.length, Math.round(count / 10)));

/** Plants them. */
export function addForeign(history: History, count: number): void {
  for (const [kind, list, item] of foreign.slice(0, foreignCount(count))) history.plant(kind, list, item);
}
