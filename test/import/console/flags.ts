import type { JsonObject } from "../../../src/provider/schema/json";
import { History, idOf, type Surroundings } from "./history";
import { nameFor } from "./names";
import { rulesOf, textAt } from "./rules";
import { awkwardTexts, awkwardValues, commentedValues } from "./texts";

/** What a request says; by the number of the object where it must be unique. */
type Body = JsonObject | ((at: number) => JsonObject);

/** What happened to an object after it was made, one after the other. */
type Afterwards = readonly (readonly [method: "POST" | "PATCH" | "PUT", path: string, body?: Body])[];

const put = (verb: string, body: Body = {}): Afterwards => [["PUT", verb, body]];

/** What teams do with gates; the first come first. */
const gateHistories: readonly Afterwards[] = [
  [],
  put("/launch"),
  put("/disable"),
  put("/archive", { archiveReason: "All of it `is` done" }),
  [],
  [["PATCH", "", (at: number) => ({ name: `Renamed since ${at}`, description: "Once more\nchanged" })]],
  [...put("/launch"), ...put("/archive")],
  [...put("/disable"), ...put("/enable")],
  [],
  [...put("/archive"), ...put("/unarchive")],
  [["PATCH", "", { isEnabled: false }]],
  [],
  [...put("/disable"), ...put("/archive")],
];

/** Members by which objects of the usual kinds differ; the first come first. */
function belongings(history: History, around: Surroundings, at: number): JsonObject {
  const { tag, targetApp, team, unitIdType } = around.names;
  const ofTeam = at % 6;
  return History.said({
    tags: history.chance(50) ? history.some(tag, 4) : undefined,
    targetApps: at % 9 === 4 ? targetApp[0] : history.chance(20) ? history.some(targetApp, 2) : undefined,
    idType: at % 8 === 3 ? history.dice.one(unitIdType) : undefined,
    team: ofTeam === 1 ? history.dice.one(team) : undefined,
    teamID: ofTeam === 2 ? idOf(`team ${history.dice.one(team)}`) : undefined,
    creatorEmail: at % 10 === 5 ? `person${at}@example.com` : undefined,
    creatorID: at % 20 === 6 ? `user-${at}` : undefined,
  });
}

/** Gates: some launched, disabled, archived, templates, with overrides, in cycles. */
export function addGates(history: History, around: Surroundings): void {
  const keys = around.keys.gate;
  for (const [at, key] of keys.entries()) {
    const isTemplate = at % 23 === 7;
    const named = { gates: keys.slice(0, at), segments: around.keys.segment };
    history.make(
      "gate",
      "/gates",
      History.said({
        ...{ id: key, name: nameFor(history.dice, key, at, true), description: textAt(at) },
        ...belongings(history, around, at),
        rules: at % 7 === 6 ? undefined : rulesOf(history, around, named, at, "gate"),
        type: at % 5 === 2 ? "PERMANENT" : undefined,
        isEnabled: at % 14 === 13 ? false : undefined,
        measureMetricLifts: at % 15 === 8 ? false : undefined,
        monitoringMetrics: at % 6 === 4 ? history.some(around.metrics, 3) : undefined,
        reviewSettings: at % 12 === 9 ? { requiredReview: true } : undefined,
        releasePipelineID: at % 13 === 10 ? pipelineOf(history, around) : undefined,
        isTemplate: isTemplate ? true : undefined,
      }),
    );
    if (!isTemplate)
      follow(
        history,
        `/gates/${encodeURIComponent(key)}`,
        at,
        gateHistories[at % gateHistories.length] ?? [],
      );
  }
  addCycles(history, keys);
}

const pipelineOf = (history: History, { names }: Surroundings): JsonObject =>
  idOf(`releasePipeline ${history.dice.one(names.releasePipeline)}`);

function follow(history: History, item: string, at: number, steps: Afterwards): void {
  for (const [method, path, body] of steps)
    history.send(method, `${item}${path}`, typeof body === "function" ? body(at) : body);
}

/** Two gates that ask each other, three in a ring, and one that asks itself. */
function addCycles(history: History, keys: readonly string[]): void {
  const usable = keys.filter(
    (_, at) => gateHistories[at % gateHistories.length]?.length === 0 && at % 23 !== 7,
  );
  const asks = (from: string | undefined, to: string | undefined): void => {
    if (from === undefined || to === undefined) return;
    const conditions = [{ type: "passes_gate", targetValue: to }];
    history.send("PATCH", `/gates/${encodeURIComponent(from)}`, {
      rules: [{ name: `Asks ${to}`.slice(0, 100), passPercentage: 12.5, conditions }],
    });
  };
  const [a, b, c, d, e, f] = usable.slice(-6);
  asks(a, b);
  asks(b, a);
  asks(c, d);
  asks(d, e);
  asks(e, c);
  asks(f, f);
}

/** Dynamic configs: values of every shape, texts with comments, schemas, variants. */
export function addConfigs(history: History, around: Surroundings): void {
  for (const [at, key] of around.keys.dynamicConfig.entries()) {
    const isTemplate = at % 19 === 8;
    const named = { gates: around.keys.gate, segments: around.keys.segment };
    const schema = at % 6 === 5;
    history.make(
      "dynamicConfig",
      "/dynamic_configs",
      History.said({
        ...{ id: key, name: nameFor(history.dice, key, at, true) ?? key, description: textAt(at) },
        ...belongings(history, around, at),
        ...(at % 3 === 1 ? { defaultValueJson5: commentedValues[at % commentedValues.length]?.[0] } : {}),
        ...(at % 3 === 1 || at % 9 === 8 ? {} : { defaultValue: awkwardValues[at % awkwardValues.length] }),
        ...(schema ? schemaAt(at) : {}),
        rules: rulesOf(history, around, named, at, "config"),
        isEnabled: at % 11 === 10 ? false : undefined,
        releasePipelineID: at % 16 === 7 ? pipelineOf(history, around) : undefined,
        isTemplate: isTemplate ? true : undefined,
      }),
    );
    const item = `/dynamic_configs/${encodeURIComponent(key)}`;
    if (isTemplate) continue;
    if (at % 8 === 2) history.send("PUT", `${item}/disable`, {});
    if (at % 8 === 5) history.send("PUT", `${item}/archive`, { archiveReason: "unused" });
    if (at % 8 === 6)
      history.send("PATCH", item, { type: "PERMANENT", description: awkwardTexts[at % awkwardTexts.length] });
  }
}

/** A schema that every value keeps to, as text with and without comments. */
const schemaAt = (at: number): JsonObject =>
  at % 12 === 5
    ? { schema: `{"type":"object","additionalProperties":true,"description":"it's \`any\` \${value}"}` }
    : { schemaJson5: "{\n  // anything\n  type: 'object',\n}" };

/** Segments by rules and by ids. */
export function addSegments(history: History, around: Surroundings): void {
  const keys = around.keys.segment;
  const sizes = [0, 1, 100, 101, 50_000, undefined];
  for (const [at, key] of keys.entries()) {
    const isList = at % 3 === 1;
    const size = isList ? sizes[Math.floor(at / 3) % sizes.length] : undefined;
    // One list of 50,000 is enough.
    const ids = size !== undefined && at >= 18 && size > 1000 ? 1000 : size;
    const rare = at % 17 === 12 ? "analysis_list" : at % 17 === 14 ? "user_store_id_list" : "rule_based";
    const type = isList ? "id_list" : rare;
    const { targetApps: _, ...rest } = belongings(history, around, at);
    const named = { gates: [], segments: keys.slice(0, at) };
    history.make(
      "segment",
      "/segments",
      History.said({
        ...{
          id: key,
          name: nameFor(history.dice, key, at, false) ?? key,
          description: textAt(at),
          type,
          ...rest,
        },
        rules:
          type === "rule_based" && at % 6 !== 5 ? rulesOf(history, around, named, at, "segment") : undefined,
      }),
    );
    const item = `/segments/${encodeURIComponent(key)}`;
    if (ids !== undefined) history.send("POST", `${item}/id_list/reset`, { ids: idsFor(at, ids) });
    if (type === "user_store_id_list") history.send("PATCH", `${item}/add_ids`, { ids: idsFor(at, 20) });
    if (at % 31 === 29) history.send("PUT", `${item}/archive`);
  }
  askEachOther(
    history,
    keys.filter((_, at) => at % 3 === 0 && at % 17 !== 12 && at % 17 !== 14 && at % 31 !== 29),
  );
}

/** Two segments that ask each other. */
function askEachOther(history: History, keys: readonly string[]): void {
  const [a, b] = keys.slice(-2);
  if (a === undefined || b === undefined) return;
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const)
    history.send("POST", `/segments/${encodeURIComponent(from)}/conditional`, [
      { name: "Each other", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: to }] },
    ]);
}

/** Ids of people, numbers, addresses; one list has one that no line of a file can hold. */
function idsFor(at: number, count: number): string[] {
  const padded = count === 101 ? [" padded "] : [];
  const texts = [
    "007",
    "a b",
    'quo"te',
    "back\\slash",
    "`$" + "{x}`",
    "# no comment",
    "Größe",
    "a,b",
    "true",
  ];
  const odd = count > 20 ? [...texts, ...padded] : [];
  return Array.from({ length: count }, (_, nth) => odd[nth] ?? `unit-${at}-${nth}`);
}
