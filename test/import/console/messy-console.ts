import { type EmulatorOptions, type RunningEmulator, startEmulator } from "../../../src/emulator";
import { isObject, type JsonObject } from "../../../src/provider/schema/json";
import { testKey } from "../../emulator/desk";
import { addAutotunes, addExperiments, addHoldouts, addLayers, addOverrides } from "./experiments";
import { addConfigs, addGates, addSegments } from "./flags";
import { addForeign, foreignCount } from "./foreign";
import { type HeldKind, History, type Request, type Surroundings } from "./history";
import { addAlerts, addMetrics, addSources, metricsOf, sourceNamesOf } from "./measures";
import { keysOf } from "./names";
import { addFurniture, addPrompts, addSettings, addStores, namesOf } from "./project";

/** Shares of a thousand objects. Every kind has one at least. */
const shares = {
  ...{ gate: 370, dynamicConfig: 130, segment: 80, experiment: 70, layer: 25, holdout: 15, metric: 70 },
  ...{
    metricSource: 12,
    assignmentSource: 8,
    entityProperty: 8,
    qualifyingEvent: 8,
    alert: 15,
    paramStore: 12,
  },
  ...{
    releasePipeline: 8,
    autotune: 8,
    tag: 35,
    targetApp: 8,
    unitIdType: 6,
    team: 8,
    role: 6,
    key: 3,
    prompt: 6,
  },
  ...{ gateOverrides: 12, holdoutOverrides: 3, experimentOverrides: 8, layerOverrides: 3 },
} as const satisfies Partial<Record<HeldKind, number>>;

/** Kinds of which a project has one. */
const settings = 5;

type SharedKind = keyof typeof shares;

/** A messy console before it is there: pure, and the same for the same seed. */
export interface MessyPlan {
  readonly seed: Readonly<Record<string, readonly JsonObject[]>>;
  readonly requests: readonly Request[];
  /** How many objects there are of each kind. */
  readonly counts: Readonly<Partial<Record<HeldKind, number>>>;
}

/** A console as a team of some years has it: `count` objects of all kinds, from 60, most of them awkward in some way. */
export function planMessyConsole({
  seed,
  count,
}: {
  readonly seed: number;
  readonly count: number;
}): MessyPlan {
  const history = new History(seed);
  const numbers = numbersOf(count);
  const around = surroundingsOf(history, numbers);
  addSettings(history, around, numbers.key);
  addFurniture(history, around, numbers.role);
  addPrompts(history, around, numbers.prompt);
  addSources(history, around, numbers);
  addMetrics(history, around);
  addHoldouts(history, around, "early");
  addSegments(history, around);
  addGates(history, around);
  addConfigs(history, around);
  addLayers(history, around);
  addExperiments(history, around);
  addHoldouts(history, around, "late");
  addStores(history, around, numbers.paramStore);
  addAutotunes(history, numbers.autotune);
  addAlerts(history, around, numbers.alert);
  addOverrides(history, around, numbers);
  addForeign(history, count);
  return { seed: history.seed, requests: history.requests, counts: history.counts };
}

/** A console of gates alone. */
export function planManyGates(count: number): MessyPlan {
  const conditions = [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }];
  const gates = Array.from({ length: count }, (_, at) => ({
    ...{ id: `gate_${at}`, name: `gate_${at}`, description: `Gate number ${at}` },
    rules: [{ name: "Staff", passPercentage: at % 100, conditions }],
  }));
  return { seed: { gates }, requests: [], counts: { gate: count } };
}

function numbersOf(count: number): Record<SharedKind, number> {
  const left = count - settings - foreignCount(count);
  const whole = Object.values(shares).reduce((sum, share) => sum + share, 0);
  const kinds = Object.keys(shares) as SharedKind[];
  const numbers = kinds.map(
    (kind) => [kind, Math.max(1, Math.floor((left * shares[kind]) / whole))] as const,
  );
  const said = Object.fromEntries(numbers) as Record<SharedKind, number>;
  const others = numbers.reduce((sum, [kind, number]) => sum + (kind === "gate" ? 0 : number), 0);
  if (left - others < 1) throw new Error(`A messy console has 60 objects or more, not ${count}.`);
  // What rounding left over are gates.
  return { ...said, gate: left - others };
}

function surroundingsOf(history: History, numbers: Readonly<Record<SharedKind, number>>): Surroundings {
  const { dice } = history;
  return {
    keys: {
      gate: keysOf(dice, numbers.gate, { of: "dotted" }),
      dynamicConfig: keysOf(dice, numbers.dynamicConfig, { of: "dotted" }),
      segment: keysOf(dice, numbers.segment, { of: "plain" }),
      experiment: keysOf(dice, numbers.experiment, { of: "plain" }),
    },
    names: {
      layer: keysOf(dice, numbers.layer, { of: "spaced" }),
      holdout: keysOf(dice, numbers.holdout, { of: "spaced" }),
      tag: namesOf(numbers.tag, "tag"),
      targetApp: namesOf(numbers.targetApp, "app"),
      unitIdType: ["stableID", ...namesOf(numbers.unitIdType - 1, "unit")],
      team: namesOf(numbers.team, "team"),
      releasePipeline: namesOf(numbers.releasePipeline, "pipeline"),
    },
    metrics: metricsOf(numbers.metric),
    sources: sourceNamesOf(numbers.metricSource),
    environments: ["production", "staging", "development", 'pre "prod" `x`'],
  };
}

/** A console that holds what a plan says; told apart from others by its address. The caller closes it. */
export async function openMessyConsole(
  plan: MessyPlan,
  options: EmulatorOptions = {},
): Promise<RunningEmulator> {
  const { rateLimit: _, ...free } = options;
  const emulator = await startEmulator({ key: testKey, ...free, seed: plan.seed });
  try {
    await fill(emulator.url, plan.requests, options.key ?? testKey);
  } catch (error) {
    await emulator.close();
    throw error;
  }
  emulator.clearRequests();
  return emulator;
}

/** Makes the requests one after the other. @throws an error that names the first that was refused. */
async function fill(url: string, requests: readonly Request[], key: string): Promise<void> {
  const ids = new Map<string, string>();
  const idFor = (label: string): string => {
    const id = ids.get(label);
    if (id === undefined) throw new Error(`Nothing was made as "${label}" yet.`);
    return id;
  };
  for (const { method, path, body, label } of requests) {
    const target = path.replaceAll(/\{([^}]*)\}/g, (_, named: string) => encodeURIComponent(idFor(named)));
    const answer = await fetch(`${url}/console/v1${target}`, {
      method,
      headers: {
        "SERVICE-API-KEY": key,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(filledIn(body, idFor)) }),
    });
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(
        `${method} ${target}: ${answer.status} ${text}\n${JSON.stringify(body)?.slice(0, 2000)}`,
      );
    if (label === undefined) continue;
    const { data } = JSON.parse(text) as { data?: JsonObject };
    ids.set(label, String(data?.id));
  }
}

/** A body with the ids that it names by labels. */
function filledIn(body: unknown, idFor: (label: string) => string): unknown {
  if (Array.isArray(body)) return body.map((one) => filledIn(one, idFor));
  if (!isObject(body)) return body;
  if (typeof body.$idOf === "string") return idFor(body.$idOf);
  // Not by an entry of `__proto__`, which an assignment would lose.
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, filledIn(value, idFor)]));
}
