import { isObject, type JsonObject } from "../../../src/provider/schema/json";
import { conditions, type RuledKind, unusualConditions } from "../../acceptance/conditions";
import type { History } from "./history";
import { awkwardNames, awkwardTexts, awkwardValues, commentedValues, queries } from "./texts";

/** Objects of a console that others name: those of {@link furniture}, and more as they are made. */
export const known = () => ({
  gate: ["beta"],
  segment: ["staff"],
  tag: ["checkout"],
  targetApp: ["web"],
  team: ["Shop"],
  metricSource: ["purchases"],
  metric: [{ name: "buys", type: "sum" }],
});
export type Known = Readonly<ReturnType<typeof known>>;

/** The furniture that cases name, and of which kind it is: in its place stands any other object of that kind. */
const standIns = new Map<string, Exclude<keyof Known, "metric">>([
  ["beta", "gate"],
  ["staff", "segment"],
  ["checkout", "tag"],
  ["web", "targetApp"],
  ["Shop", "team"],
  ["purchases", "metricSource"],
  ["visits", "metricSource"],
]);

const opaque = new Set(["defaultValue", "returnValue", "parameterValues", "json"]);
const plainTexts = new Set([
  ...["description", "message", "hypothesis", "triggerNotice", "decisionReason", "title"],
  ...["renotificationMessage", "goalRichText", "pass_value", "fail_value"],
]);
/** Lists whose elements have names of free text. */
const namedLists = new Set(["groups", "variants", "phases", "rules", "parameters"]);

/** The body of a case with awkward texts, values and names, and other objects of this console in the place of the furniture. */
export function awkward(history: History, known: Known, body: JsonObject, at: number): JsonObject {
  const { dice } = history;
  const inside = (value: unknown, member: string, depth: number): unknown => {
    if (typeof value === "string") return textFor(value, member, depth);
    if (Array.isArray(value))
      return value.map((one, nth) => renamed(inside(one, member, depth + 1), member, nth));
    if (!isObject(value)) return value;
    if (opaque.has(member)) return history.inTurn(awkwardValues, member);
    if (value.name === "buys" && value.type === "sum") return { ...value, ...dice.one(known.metric) };
    const members = Object.entries(value).map(([name, one]) => [name, inside(one, name, depth + 1)]);
    return Object.fromEntries(members);
  };
  const textFor = (value: string, member: string, depth: number): string => {
    if (value === "") return value;
    if (plainTexts.has(member)) return history.inTurn(awkwardTexts).slice(0, depth > 1 ? 100 : undefined);
    if (member === "sql") return history.inTurn(queries);
    if (member.endsWith("ValueJson5")) return history.inTurn(commentedValues)[0];
    const kind = standIns.get(value);
    // Apps are named by ids too, which the console makes of their names.
    return kind === undefined || /ppIDs?$/.test(member) ? value : dice.one(known[kind]);
  };
  const renamed = (value: unknown, list: string, nth: number): unknown =>
    namedLists.has(list) && isObject(value) && (at + nth) % 3 === 0
      ? { ...value, name: `${awkwardNames[(at + nth) % awkwardNames.length]} ${nth}`.slice(0, 100) }
      : value;
  return inside(body, "", 0) as JsonObject;
}

/** Rules of a gate, a config or a segment: conditions in each form, shares, environments. */
export function rulesFor(history: History, kind: RuledKind, at: number): JsonObject[] {
  const { dice } = history;
  const unusual = unusualConditions.flatMap(([holder, , one]) => (holder === kind ? [one] : []));
  const usable = [...Object.values(conditions), ...unusual].filter(
    ({ type }) => kind !== "segment" || !onlyInGates.has(type),
  );
  const count = at % 97 === 40 ? 40 : dice.one([0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3, 6]);
  return Array.from({ length: count }, (_, place) => {
    const turn = at * 3 + place;
    const length = dice.one([0, 1, 1, 1, 1, 1, 2, 2, 4]);
    const asked = Array.from({ length }, (_, nth) => usable[(turn + nth * 7) % usable.length]);
    const environments = dice.one([undefined, undefined, undefined, null, [], ["production", "staging"]]);
    return {
      ...{ name: `Rule ${place + 1}`, passPercentage: shares[turn % shares.length], conditions: asked },
      ...(environments === undefined ? {} : { environments }),
      ...(kind === "dynamicConfig" ? { returnValue: { of: turn } } : {}),
    };
  });
}

const shares = [12.5, 0.01, 100, 0, 33.33, 99.99, 50, 0.1, 66.7, 1];

const onlyInGates = new Set<unknown>([
  ...["public", "device_model", "locale", "url", "user_agent", "time", "javascript", "experiment_group"],
  ...["target_app", "passes_gate", "fails_gate"],
]);
