import { setTimeout as sleep } from "node:timers/promises";
import { StatsigServer } from "statsig-node";
import { startEmulator } from "../../../src/emulator";
import type { SpecDocument } from "../../../src/emulator/evaluation";
import type { JsonObject } from "../../../src/provider/schema/json";
import { write } from "./measure";
import { serverKey } from "./server-sdks";

/** What clients saw while somebody wrote. */
export interface Looks {
  readonly documents: number;
  /** Different states of the console. */
  readonly states: number;
  /** What no client may see, a line for each kind of it. */
  readonly wrong: readonly string[];
}

/** Rules that all have one percentage, which tells the write that they come from. */
function rulesOfWrite(number: number): JsonObject[] {
  return Array.from({ length: 20 }, (_, index) => ({
    name: `r${index}`,
    passPercentage: number / 100,
    conditions: [{ type: "public" }],
  }));
}

/** The writes that the gates of a document come from, by the names of the gates; more than one of a gate is half of a write. */
function writesIn(document: SpecDocument): Map<string, number[]> {
  const own = document.feature_gates.map(({ name, rules }): [string, number[]] => [
    name,
    [...new Set(rules.map(({ passPercentage }) => Math.round(passPercentage * 100)))],
  ]);
  return new Map(own.sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true })));
}

interface Look {
  readonly time: number;
  readonly writes: ReadonlyMap<string, readonly number[]>;
}

/** Whether a state is one that existed, by the writes of the gates in the order of their names; undefined: it is. */
export type Judge = (writes: readonly number[]) => string | undefined;

function wrongIn(look: Look, before: Look | undefined, judge: Judge): string[] {
  const wrong: string[] = [];
  for (const [name, writes] of look.writes)
    if (writes.length !== 1) wrong.push(`${name} holds parts of the writes ${writes.join(", ")}`);
  const state = judge([...look.writes.values()].flat());
  if (state !== undefined) wrong.push(state);
  if (before === undefined) return wrong;
  if (look.time < before.time) wrong.push(`the time went back from ${before.time} to ${look.time}`);
  for (const [name, [write = 0]] of look.writes)
    if (write < (before.writes.get(name)?.[0] ?? 0)) wrong.push(`${name} went back to write ${write}`);
  return wrong;
}

/** Has clients of the SDK poll, each as soon as it has an answer and a moment later, until some work is done. */
export async function lookWhile(
  url: string,
  clients: number,
  judge: Judge,
  work: () => Promise<void>,
): Promise<Looks> {
  const wrong = new Set<string>();
  const states = new Set<string>();
  let documents = 0;
  let isWorking = true;
  const client = async (): Promise<void> => {
    let before: Look | undefined;
    const sdk = new StatsigServer(serverKey, {
      ...{ api: `${url}/v1`, disableRulesetsSync: true, disableIdListsSync: true, disableDiagnostics: true },
      ...{ disableAllLogging: true, initStrategyForIDLists: "none" },
      logger: { logLevel: "none", warn() {}, error() {} },
      rulesUpdatedCallback(text) {
        const document = JSON.parse(text) as SpecDocument & { has_updates: boolean; time: number };
        if (!document.has_updates) return;
        const look = { time: document.time, writes: writesIn(document) };
        for (const one of wrongIn(look, before, judge)) wrong.add(one);
        states.add(JSON.stringify([...look.writes]));
        documents += 1;
        before = look;
      },
    });
    await sdk.initializeAsync();
    while (isWorking) {
      await sdk.syncStoreSpecs();
      await sleep(20);
    }
    await sdk.shutdownAsync();
  };
  const running = Array.from({ length: clients }, client);
  try {
    await work();
  } finally {
    isWorking = false;
    await Promise.all(running);
  }
  return { documents, states: states.size, wrong: [...wrong] };
}

/** What is measured while one writes gate after gate, round after round. */
export interface WritingTrial {
  readonly clients: number;
  readonly gates: number;
  readonly writes: number;
  /** The file of the console; left out: in memory. */
  readonly data?: string;
}

/** Looks while gates are written one by one: each document has to be the state after one of the writes. */
export async function lookAtWrites({ clients, gates, writes, data }: WritingTrial): Promise<Looks> {
  const emulator = await startEmulator(data === undefined ? {} : { data });
  const nameOf = (index: number): string => `gate_${index}`;
  try {
    for (let index = 0; index < gates; index += 1)
      await write(emulator, "POST", "/gates", {
        ...{ id: nameOf(index), name: nameOf(index), isEnabled: true, rules: rulesOfWrite(0) },
      });
    const judge: Judge = (seen) => (isAfterOneWrite(seen, gates) ? undefined : `no state: ${seen.join(" ")}`);
    return await lookWhile(emulator.url, clients, judge, async () => {
      for (let number = 0; number < writes; number += 1) {
        const rules = rulesOfWrite(Math.floor(number / gates) + 1);
        await write(emulator, "PATCH", `/gates/${nameOf(number % gates)}`, { rules });
        await sleep(5);
      }
    });
  } finally {
    await emulator.close();
  }
}

/** Each round goes from the first gate to the last: those before the one that was written last are one round ahead. */
function isAfterOneWrite(rounds: readonly number[], gates: number): boolean {
  const last = rounds.at(-1) ?? 0;
  const ahead = rounds.filter((round) => round === last + 1).length;
  return (
    rounds.length === gates && rounds.every((round, index) => round === (index < ahead ? last + 1 : last))
  );
}
