import type { JsonObject } from "../../../src/provider/schema/json";
import { History, idOf, type Surroundings } from "./history";
import { nameFor } from "./names";
import { textAt } from "./rules";
import { awkwardNames, awkwardTexts, awkwardValues } from "./texts";

const groupNames: readonly (readonly [string, string])[] = [
  ["Control", "Test"],
  ["Größe `A`", `the "B" \${group}`],
  ["control", "Control"],
];

/** Two groups whose ids are known, or three whose ids the console makes. */
function groupsAt(key: string, at: number): JsonObject[] {
  if (at % 4 === 3)
    return [33.33, 33.33, 33.34].map((size, nth) => ({ name: `Arm ${nth}`, size, parameterValues: {} }));
  const [first, second] = groupNames[at % groupNames.length] ?? ["Control", "Test"];
  return [
    {
      id: `${key}_c`,
      name: first,
      size: 50,
      parameterValues: awkwardValues[at % awkwardValues.length],
      description: "",
    },
    {
      ...{ id: `${key}_t`, name: second, size: 50, parameterValues: { nothing: null, list: [] } },
      description: awkwardTexts[at % awkwardTexts.length]?.slice(0, 100),
      ...(at % 5 === 0 ? { highlighted: true, foreignGroupID: "f-1" } : {}),
    },
  ];
}

/** Each state that the API brings an experiment to. */
const ways: readonly (readonly string[])[] = [
  [],
  ["start"],
  ["start", "decide"],
  ["start", "abandon"],
  ["archive"],
  ["start", "disable"],
  ["start", "decide", "archive"],
  ["start", "abandon", "reset"],
  [],
];

/** Experiments in each state. */
export function addExperiments(history: History, around: Surroundings): void {
  const { dice } = history;
  for (const [at, key] of around.keys.experiment.entries()) {
    const groups = groupsAt(key, at);
    const inLayer = at % 6 === 1 && around.names.layer.length > 0;
    history.make(
      "experiment",
      "/experiments",
      History.said({
        ...{ id: key, name: nameFor(dice, key, at, false) ?? key, description: textAt(at), groups },
        hypothesis: at % 4 === 1 ? awkwardTexts[(at * 5) % awkwardTexts.length] : undefined,
        tags: history.chance(40) ? history.some(around.names.tag, 3) : undefined,
        targetApps: at % 7 === 2 ? history.some(around.names.targetApp, 2) : undefined,
        team: at % 5 === 4 ? dice.one(around.names.team) : undefined,
        layerID: inLayer ? idOf(`layer ${dice.one(around.names.layer)}`) : undefined,
        allocation: at % 3 === 2 ? 12.5 : undefined,
        duration: at % 4 === 2 ? 21 : undefined,
        targetingGateID: at % 5 === 3 ? dice.one(around.keys.gate) : undefined,
        primaryMetrics: at % 2 === 1 ? measured(history, around, at) : undefined,
        secondaryMetrics: at % 3 === 1 ? history.some(around.metrics, 3) : undefined,
        links:
          at % 6 === 5
            ? [{ url: "https://example.com/a?b=`c`" }, { url: "https://example.com", title: `\${x}` }]
            : undefined,
        ...(at % 7 === 4 ? analysed : {}),
        controlGroupID: at % 8 === 6 && at % 4 !== 3 ? `${key}_t` : undefined,
        isSidecar: at % 16 === 9 ? true : undefined,
        sidecarURLFilters: at % 16 === 9 ? [{ type: "contains", value: "/shop" }] : undefined,
      }),
    );
    takeWay(history, key, groups, ways[at % ways.length] ?? []);
  }
}

const analysed: JsonObject = {
  ...{
    sequentialTesting: true,
    bonferroniCorrection: true,
    defaultConfidenceInterval: "90",
    analyticsType: "bayesian",
  },
  externalEvents: [{ name: "sale `now`", timestamp: 1_700_000_000_000 }],
  ...{
    userBuckets: [999, 0],
    defaultRollupWindow: -1,
    enabledNonProdEnvironments: ["staging", "development"],
  },
};

const measured = (history: History, around: Surroundings, at: number): JsonObject[] =>
  history.some(around.metrics, 3).map((metric, nth) => ({
    ...metric,
    ...(at % 3 === nth ? { direction: "increase", hypothesizedValue: 2.5 } : {}),
  }));

function takeWay(history: History, key: string, groups: readonly JsonObject[], way: readonly string[]): void {
  const item = `/experiments/${encodeURIComponent(key)}`;
  // Only groups that were made with an id can be named without a read.
  const shipped = groups[1]?.id ?? groups[0]?.id;
  for (const step of way) {
    if (step === "start") history.send("PUT", `${item}/start`, {});
    if (step === "decide" && shipped !== undefined)
      history.send("PUT", `${item}/make_decision`, { id: shipped, decisionReason: "It `sells`\nmore" });
    if (step === "abandon") history.send("PUT", `${item}/abandon`, { decisionReason: "No traffic" });
    if (step === "reset") history.send("PUT", `${item}/reset`);
    if (step === "archive") history.send("PUT", `${item}/archive`, { archiveReason: "old" });
    if (step === "disable")
      history.send("POST", `${item}/disable_groups`, { group_names: [groups[1]?.name ?? groups[0]?.name] });
  }
}

/** Layers with parameters of every type. */
export function addLayers(history: History, around: Surroundings): void {
  for (const [at, name] of around.names.layer.entries()) {
    const body = History.said({
      ...{
        name,
        idType: at % 4 === 3 ? history.dice.one(around.names.unitIdType) : "userID",
        description: textAt(at),
      },
      targetApps: at % 3 === 1 ? history.some(around.names.targetApp, 2) : undefined,
      team: at % 5 === 2 ? history.dice.one(around.names.team) : undefined,
    });
    history.make("layer", "/layers", body, `layer ${name}`);
    if (at % 4 !== 2) history.send("PATCH", `/layers/{layer ${name}}`, { parameters: parametersAt(at) });
  }
}

const parametersAt = (at: number): JsonObject[] => [
  { name: "title", type: "string", defaultValue: awkwardTexts[at % awkwardTexts.length], description: "" },
  { name: `quo"te \`d\` \${x}`, type: "number", defaultValue: 0.1 },
  { name: "default", type: "boolean", defaultValue: false, description: "a reserved word" },
  {
    name: "style",
    type: "object",
    defaultValue: awkwardValues[at % awkwardValues.length],
    schema: '{"type":"object"}',
  },
  { name: "list", type: "array", defaultValue: [1, "two", null, { a: [] }] },
];

/** Holdouts that hold gates, experiments and layers; one is global while gates are still being made. */
export function addHoldouts(history: History, around: Surroundings, part: "early" | "late"): void {
  for (const [at, name] of around.names.holdout.entries()) {
    if ((at === 0) !== (part === "early")) continue;
    history.make(
      "holdout",
      "/holdouts",
      History.said({
        ...{ name, description: textAt(at) },
        idType: at % 5 === 3 ? history.dice.one(around.names.unitIdType) : undefined,
        teamID: at % 6 === 2 ? idOf(`team ${history.dice.one(around.names.team)}`) : undefined,
      }),
      `holdout ${name}`,
    );
    const members = {
      gateIDs: history.some(around.keys.gate, 5),
      experimentIDs: history.some(around.keys.experiment, 3),
      layerIDs: at % 2 === 0 ? history.some(around.names.layer, 2).map((one) => idOf(`layer ${one}`)) : [],
    };
    history.send("PATCH", `/holdouts/{holdout ${name}}`, {
      passPercentage: [1, 0.5, 2.25, 10, 0][at % 5],
      ...(part === "early" ? { isGlobal: true } : members),
      ...(at % 4 === 1 ? { isEnabled: false } : {}),
      ...(at % 4 === 2 ? { targetingGateID: history.dice.one(around.keys.gate) } : {}),
      ...(at % 3 === 1 ? { monitoringMetrics: history.some(around.metrics, 2) } : {}),
    });
  }
}

/** Autotunes, before and after their start, and with a winner. */
export function addAutotunes(history: History, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const name = ["default", "class tune", "Twin tune", "Twin-tune"][at] ?? `tune ${at}`;
    const label = `autotune ${name}`;
    const body = {
      ...{ name, description: textAt(at) ?? "", successEvent: "buy", winnerThreshold: "95%" },
      ...{
        explorationWindow: at % 2 === 0 ? "24" : "168hrs",
        attributionWindow: at % 2 === 0 ? "1" : "24hr",
      },
      variants: [
        { name: "a", json: awkwardValues[at % awkwardValues.length], size: 50 },
        { name: awkwardNames[at % awkwardNames.length], json: { colour: null }, size: 50 },
      ],
      ...(at % 3 === 1
        ? { isContextual: true, featureList: ["plan", "age"], successEventValue: "large" }
        : {}),
    };
    history.make("autotune", "/autotunes", body, label);
    if (at % 3 !== 0) history.send("PUT", `/autotunes/{${label}}/start`);
  }
}

/** Units that always get one thing, on gates, holdouts, experiments and layers. `count`: of each kind, at most. */
export function addOverrides(
  history: History,
  around: Surroundings,
  counts: Readonly<Record<OverrideKind, number>>,
): void {
  const environment = (at: number) => around.environments[at % around.environments.length] ?? null;
  const lists = (at: number): JsonObject =>
    at % 2 === 0
      ? {
          passingUserIDs: ["qa 1", 'qa "2"'],
          failingUserIDs: ["`qa`"],
          passingCustomIDs: at % 4 === 0 ? [] : ["c/1"],
        }
      : {
          environmentOverrides: [
            { environment: environment(at), unitID: "userID", passingIDs: ["a"], failingIDs: [] },
          ],
        };
  const take = (
    kind: OverrideKind,
    ids: readonly string[],
    path: string,
    body: (id: string, at: number) => JsonObject,
  ) => {
    for (const [at, id] of ids.slice(0, counts[kind]).entries())
      history.make(kind, `${path}/${id}/overrides`, body(id, at));
  };
  const encoded = (keys: readonly string[]) => keys.map(encodeURIComponent);
  const open = around.keys.gate.filter((_, at) => ![3, 6, 12].includes(at % 13) && at % 23 !== 7);
  take("gateOverrides", encoded(open), "/gates", (_, at) => lists(at));
  take(
    "holdoutOverrides",
    around.names.holdout.map((name) => `{holdout ${name}}`),
    "/holdouts",
    (_, at) => lists(at),
  );
  const stillOpen = around.keys.experiment.filter((_, at) => at % 4 !== 3 && [0, 1, 5, 8].includes(at % 9));
  take("experimentOverrides", encoded(stillOpen), "/experiments", (id, at) => ({
    overrides: [
      { type: "segment", id: around.keys.segment[at], groupID: `${id}_t`, environment: environment(at) },
    ],
    userIDOverrides: [{ groupID: `${id}_c`, ids: ["qa_1", "qa 2"], environment: null, unitType: null }],
  }));
  take(
    "layerOverrides",
    around.names.layer.map((name) => `{layer ${name}}`),
    "/layers",
    (_, at) => ({
      conditionalOverrides: [],
      idOverrides: [
        {
          groupName: "Test",
          ids: ["qa_1"],
          idType: "userID",
          environment: environment(at),
          experimentName: null,
        },
      ],
    }),
  );
}

/** Kinds that are parts of others. */
export type OverrideKind = "gateOverrides" | "holdoutOverrides" | "experimentOverrides" | "layerOverrides";
