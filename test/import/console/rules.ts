import type { JsonObject } from "../../../src/provider/schema/json";
import type { History, Surroundings } from "./history";
import { awkwardNames, awkwardTexts, awkwardValues, commentedValues } from "./texts";

const shares = [12.5, 0.01, 100, 0, 33.33, 99.99, 50, 0.1, 66.7, 1];

/** Conditions that name no other object: every type, in usual and in unusual forms. */
const plainConditions: readonly JsonObject[] = [
  { type: "public" },
  { type: "user_id", operator: "any", targetValue: ["1", "two", "00042"] },
  { type: "user_id", operator: "none", targetValue: [5, 6] },
  { type: "user_id", operator: "any", targetValue: "one" },
  { type: "email", operator: "str_contains_any", targetValue: ["@example.com", "@example.org"] },
  { type: "email", operator: "str_matches", targetValue: ["^qa\\+\\d+@", "`$"] },
  { type: "email", operator: "none", targetValue: [""] },
  { type: "email", operator: "any", targetValue: [] },
  { type: "custom_field", field: "plan", operator: "any_case_sensitive", targetValue: ["Pro", "pro"] },
  { type: "custom_field", field: "age", operator: "gte", targetValue: 18 },
  { type: "custom_field", field: "ratio", operator: "lt", targetValue: 0.5 },
  { type: "custom_field", field: "age", operator: "gt", targetValue: "31" },
  { type: "custom_field", field: "born", operator: "before", targetValue: 1_700_000_000_000 },
  { type: "custom_field", field: 'odd "field"', operator: "is_null" },
  { type: "custom_field", field: "roles", operator: "array_contains_all", targetValue: ["a", "b"] },
  { type: "custom_field", field: "sdk", operator: "version_eq", targetValue: "1.2.0-rc.1" },
  { type: "custom_field", field: "levels", operator: "any", targetValue: [1, 2, 3] },
  { type: "app_version", operator: "version_gte", targetValue: ["2.0"] },
  { type: "app_version", operator: "any", targetValue: ["2.0", "2.1"] },
  { type: "app_version", operator: "gt", targetValue: 2 },
  { type: "browser_name", operator: "any", targetValue: ["Chrome", "Mobile Safari"] },
  { type: "browser_version", operator: "version_lt", targetValue: "99" },
  { type: "os_name", operator: "none", targetValue: ["iOS"] },
  { type: "os_version", operator: "version_gt", targetValue: ["11.0.0"] },
  { type: "country", operator: "any", targetValue: ["NL", "CH", "NZ"] },
  { type: "country", operator: "any", targetValue: "BE" },
  { type: "ip_address", operator: "any", targetValue: ["192.0.2.1", "2001:db8::1"] },
  { type: "environment_tier", operator: "any", targetValue: ["production"] },
  { type: "environment_tier", targetValue: ["staging"] },
  { type: "device_model", operator: "is_null" },
  { type: "locale", operator: "any", targetValue: ["de-CH"] },
  { type: "url", operator: "str_contains_any", targetValue: [`/shop?a=\${b}`] },
  { type: "user_agent", operator: "str_contains_none", targetValue: ["bot"] },
  { type: "time", operator: "after", targetValue: 1_700_000_000_000 },
  { type: "time", operator: "before", targetValue: "1800000000000" },
  { type: "javascript", targetValue: `return user.age > 3 && \`\${user.id}\` !== ''` },
  { type: "experiment_group", operator: "any", targetValue: ["button:Test"] },
];
const onlyInGates = new Set([
  "public",
  "device_model",
  "locale",
  "url",
  "user_agent",
  "time",
  "javascript",
  "experiment_group",
]);
const segmentConditions = plainConditions.filter(({ type }) => !onlyInGates.has(String(type)));

/** Which objects the conditions of an object may name. */
export interface Nameable {
  readonly gates: readonly string[];
  readonly segments: readonly string[];
}

/** A condition. `at` goes through the forms one by one. */
function conditionOf(
  history: History,
  around: Surroundings,
  named: Nameable,
  at: number,
  inSegment: boolean,
): JsonObject {
  const { dice } = history;
  const kind = dice.roll();
  if (kind < 0.2 && named.segments.length > 0) {
    const type = dice.one(["passes_segment", "passes_segment", "fails_segment"]);
    const several = history.some(named.segments, 3);
    return { type, targetValue: several.length > 1 ? several : dice.one(named.segments) };
  }
  if (kind < 0.3 && named.gates.length > 0 && !inSegment)
    return { type: dice.one(["passes_gate", "fails_gate"]), targetValue: dice.one(named.gates) };
  if (kind < 0.34) {
    const customID = dice.one(around.names.unitIdType);
    return history.chance(50)
      ? { type: "unit_id", customID, operator: "any", targetValue: ["u-1", "u-2"] }
      : { type: "unit_id", customID, operator: "is_null" };
  }
  if (kind < 0.38 && !inSegment && around.names.targetApp.length > 0)
    return { type: "target_app", operator: "any", targetValue: history.some(around.names.targetApp, 2) };
  const forms = inSegment ? segmentConditions : plainConditions;
  return forms[at % forms.length] as JsonObject;
}

function environmentsOf(history: History, around: Surroundings): readonly string[] | null | undefined {
  const manner = history.dice.roll();
  if (manner < 0.6) return undefined;
  if (manner < 0.7) return null;
  if (manner < 0.78) return [];
  return history.some(around.environments, 3);
}

/** Rules of a gate, a config or a segment. */
export function rulesOf(
  history: History,
  around: Surroundings,
  named: Nameable,
  at: number,
  form: "gate" | "config" | "segment",
): JsonObject[] {
  const { dice } = history;
  const count =
    at % 97 === 40
      ? 40
      : dice.weighted([
          [0, 2],
          [1, 5],
          [2, 3],
          [3, 2],
          [6, 1],
        ] as const);
  return Array.from({ length: count }, (_, place) => {
    const turn = at * 3 + place;
    const length = dice.weighted([
      [0, 1],
      [1, 6],
      [2, 2],
      [4, 1],
    ] as const);
    const conditions = Array.from({ length }, (_, nth) =>
      conditionOf(history, around, named, turn + nth * 7, form === "segment"),
    );
    const name =
      turn % 11 === 0 ? `${awkwardNames[turn % awkwardNames.length]} ${place}` : `Rule ${place + 1}`;
    const environments = environmentsOf(history, around);
    return {
      ...{ name, passPercentage: shares[turn % shares.length], conditions },
      ...(environments === undefined ? {} : { environments }),
      ...(form === "config" ? returned(history, turn) : {}),
    };
  });
}

/** What a rule of a config returns: a value, a text with comments, or variants. */
function returned(history: History, turn: number): JsonObject {
  const manner = turn % 5;
  if (manner === 3) return { returnValueJson5: commentedValues[turn % commentedValues.length]?.[0] };
  if (manner !== 4) return { returnValue: awkwardValues[turn % awkwardValues.length] };
  return {
    passPercentage: 100,
    variants: [
      { name: awkwardNames[turn % awkwardNames.length], passPercentage: 33.33, returnValue: { a: turn } },
      {
        name: "rest",
        passPercentage: 66.67,
        returnValueJson5: `{ a: ${turn}, // ${history.dice.below(100)}\n}`,
      },
    ],
  };
}

/** One of the awkward texts, each in its turn; every third time nothing, said or not. */
export function textAt(at: number): string | undefined {
  if (at % 3 === 2) return at % 2 === 0 ? "" : undefined;
  return awkwardTexts[(Math.floor(at / 3) * 2 + (at % 3)) % awkwardTexts.length];
}
