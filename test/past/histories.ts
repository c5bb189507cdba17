import { stringify } from "yaml";
import { managed } from "../../src/provider/definitions";
import { inputNames, type ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { fromWire } from "../../src/provider/schema/wire-names";
import { differingNames } from "../../src/tools/past/changes";
import type { Rollback } from "../../src/tools/past/rollback";
import type { PlannedRollback } from "../../src/tools/past/rollback-in-stack";
import { writeProgram } from "../../src/tools/rewrite/into-program";
import { Desk, settingsFile } from "../drift/desk";
import type { RawClient } from "../support/raw-client";
import { Dice } from "../world/dice";
import { groupsOf, plainAudiences, rulesOf } from "../world/draw";
import { programText } from "../world/programs";
import { planned, writtenBack } from "./rollback-desk";

/** How a version of a random history came back. */
interface Back {
  /** Arguments that the plan named as not coming back. */
  readonly named: readonly string[];
  /** True where the rollback changed settings that the program reads. */
  readonly wroteSettings: boolean;
  /** True where it ended after one of its two files, and was carried on. */
  readonly isInterrupted: boolean;
  readonly faults: readonly string[];
}

/** What a rollback of a random history came to. */
export type PlayedHistory = Awaited<ReturnType<typeof playHistory>>;

/** Plays a random life of one object by its program and by people, brings a random version back, and compares by the raw API. */
export async function playHistory(seed: number) {
  const dice = new Dice(seed);
  const kind = dice.one(historyKinds);
  const definition = managed[kind] as ResourceDefinition;
  const api = new Desk();
  const live = async () => (await api.raw[kind].get({ id: "flag" })) as JsonObject & { version: number };
  const forms = new Map<number, JsonObject>();
  const note = async () => {
    const form = await live();
    forms.set(form.version, form);
  };
  try {
    const drawn = () => sourceOf(kind, drawnArguments(kind, dice), dice);
    writeSource(api, drawn());
    await api.up();
    await note();
    for (let left = 2 + dice.below(6); left > 0; left -= 1) {
      api.later();
      await (dice.below(2) === 0 ? byProgram(api, drawn()) : handEdits(kind, dice)(api.raw));
      await note();
    }
    const hasNoPreview = (await api.changes().catch(() => undefined)) === undefined;
    const nothing = { named: [], wroteSettings: false, isInterrupted: false, faults: [] };
    // A rollback stops before it plans anything.
    if (hasNoPreview) return { seed, hasNoPreview, ...nothing };
    const [version, then] = dice.one([...forms]);
    const { faults, named, ...rest } = await backTo(api, version, dice);
    const left = differingNames(definition, fromWire(definition, then), fromWire(definition, await live()));
    const unnamed = left.filter((name) => !named.includes(name));
    const silent = unnamed.map((name) => `${name} is not as in version ${version}, and nobody said so`);
    return { seed, ...rest, hasNoPreview, named, faults: [...faults, ...silent] };
  } finally {
    await api.close();
  }
}

/** Brings a version back by a command that ends after some of its files, and by the same command again. */
async function backTo(api: Desk, version: number, dice: Dice): Promise<Back> {
  const { acceptance } = await planned(api, "flag", String(version));
  const files = [...acceptance.changes].filter(() => dice.below(2) === 0);
  writeProgram(api.folder, api.programPorts, { ...acceptance, changes: new Map(files) });
  const isInterrupted = files.length > 0 && files.length < acceptance.changes.size;
  const wroteSettings = acceptance.changes.has(settingsFile);
  const plan = await writtenBack(api, "flag", String(version));
  const stays = plan.rollbacks.flatMap((one) => one.stays);
  const refused = plan.acceptance.outcomes.filter(({ how }) => how === "refused");
  const places = refused.map(({ label }) => label.split(/[.[ ]/)[0] ?? "");
  const named = [...stays.map(({ name }) => name), ...places];
  const written = { named, wroteSettings, isInterrupted };
  const isNamed = stays.some(({ refusesUpdates }) => refusesUpdates === true);
  try {
    await api.upWithRefresh();
    return { ...written, faults: isNamed ? ["the update was to fail, and did not"] : [] };
  } catch (error) {
    return isNamed
      ? { ...written, named: inputNames(definitionOf(plan)), faults: [] }
      : { ...written, faults: [String(error)] };
  }
}

const definitionOf = ({ rollbacks }: PlannedRollback) => (rollbacks[0] as Rollback).resource.definition;

/** Another program, applied; one that the console or the check refuses is taken back. */
async function byProgram(api: Desk, source: Source): Promise<void> {
  const former = { program: api.program.split("\n").slice(1).join("\n"), settings: api.settings };
  writeSource(api, source);
  await api.upWithRefresh().catch(() => writeSource(api, former));
}

/** A program, and the settings that it reads. */
interface Source {
  readonly program: string;
  readonly settings: string;
}

function writeSource(api: Desk, { program, settings }: Source): void {
  api.write(program);
  api.writeSettings(settings);
}

/** A program that sets these arguments: by literals alone, or some of them by settings, of which equal ones may share one. */
function sourceOf(kind: string, args: JsonObject, dice: Dice): Source {
  const settings = new Map<string, unknown>();
  const readsSettings = dice.below(2) === 0;
  const read = (name: string, value: unknown): unknown => {
    // A replacer sees what it returned.
    if (name === "$code") return value;
    const isSingle = typeof value === "string" || typeof value === "number";
    if (!readsSettings || !isSingle || dice.below(4) > 0) return value;
    const shared = dice.below(2) === 0 && [...settings].find(([, known]) => known === value);
    const [key] = shared || [`desk:s${settings.size}`];
    settings.set(key, value);
    return { $code: `config[${JSON.stringify(key)}]` };
  };
  const said = JSON.parse(JSON.stringify(args, read)) as JsonObject;
  const config = { "feature-console:profile": "embedded", ...Object.fromEntries(settings) };
  return { program: programText([{ kind, name: "flag", args: said }]), settings: stringify({ config }) };
}

/** The kinds of which the console keeps versions. */
const historyKinds = ["gate", "dynamicConfig", "experiment"] as const;

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

const states: Readonly<Record<HistoryKind, readonly JsonObject[]>> = {
  gate: [{}, {}, { isEnabled: false }, ...["Launched", "Disabled", "Archived"].map((status) => ({ status }))],
  dynamicConfig: [{}, {}, { isEnabled: false }, { status: "Disabled" }, { status: "Archived" }],
  experiment: [
    ...[{}, { status: "setup" }, { status: "active" }, { status: "abandoned", decisionReason: "Enough" }],
    { status: "setup", allowReset: true },
  ],
};

function drawnArguments(kind: HistoryKind, dice: Dice): JsonObject {
  const fields = drawnFields(kind, dice);
  // Groups without their own arguments stay as they are: the first program sets them.
  const groups = kind === "experiment" ? { groups: groupsOf(dice) } : {};
  return { ...groups, ...fields, ...dice.one(states[kind]) };
}

/** What a person does in the console: a change of fields, or of the state. What the console refuses changes nothing. */
function handEdits(kind: HistoryKind, dice: Dice): (raw: RawClient) => Promise<void> {
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
