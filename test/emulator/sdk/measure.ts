import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type EmulatorOptions, type RunningEmulator, startEmulator } from "../../../src/emulator";
import type { JsonObject } from "../../../src/provider/schema/json";
import { type ServerSdk, serverKey, startBoth } from "./server-sdks";

/** The percentages of twenty rules: the ends, decimals, and what lies between. */
const shares = [
  ...[0, 0.01, 0.5, 1, 2.5, 5, 10, 12.5, 20, 25, 33.33, 50, 66.67, 75, 80, 90, 95, 99, 99.99, 100],
];

const everyone = [{ type: "public" }];

/** A gate for each, named by its place; who is in a share is drawn by the ids of rules, which are given so that it is the same each time. */
const shareGates = shares.map((passPercentage, index) => ({
  ...{ id: `share_${index}`, name: `share_${index}`, isEnabled: true },
  rules: [{ id: `rule ${index}`, baseID: `rule ${index}`, name: "r", passPercentage, conditions: everyone }],
}));

const ruled = (id: string, percents: readonly number[]): JsonObject => ({
  id,
  rules: percents.map((passPercentage, at) => ({ name: `r${at}`, passPercentage, conditions: everyone })),
});

const api = { url: "http://console.invalid/console/v1", headers: { "SERVICE-API-KEY": "k" } };

/** Writes as an owner of a key does, in this process. @throws Error where the console refuses. */
export async function write(
  emulator: RunningEmulator,
  method: "POST" | "PATCH",
  route: string,
  body: unknown,
): Promise<void> {
  const { status, text } = await emulator.transport.send({
    ...{ method, url: `${api.url}${route}`, headers: api.headers, body: JSON.stringify(body) },
  });
  if (status >= 300) throw new Error(`${method} ${route}: ${status} ${text}`);
}

/** What one rule gave in one SDK. */
export interface ShareFound {
  readonly share: number;
  readonly family: string;
  readonly passed: number;
  /** How far from the share, in standard errors. */
  readonly errors: number;
  /** Ids on which the two SDKs differ. */
  readonly differing: number;
}

/** What became of who passed. */
export interface Steadiness {
  readonly ids: number;
  /** Answers that a restart of console and SDKs changed. */
  readonly changedByRestart: number;
  /** Who passed, and does no longer since each share is larger. */
  readonly lostByRise: number;
  readonly wonByRise: number;
}

/** Measures the share of each rule in both SDKs; then, with a tenth of the ids, what a restart and higher shares change. */
export async function measureShares(
  ids: number,
): Promise<{ readonly found: ShareFound[]; readonly steadiness: Steadiness }> {
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-shares-"));
  const data = path.join(folder, "console.db");
  const some = Math.ceil(ids / 10);
  try {
    const first = await withBoth({ data, seed: { gates: shareGates } }, (sdks) => ({
      found: shares.flatMap((share, index) => sharesOf(sdks, index, share, ids)),
      passing: passingOf(sdks, some),
    }));
    const again = await withBoth({ data }, (sdks) => passingOf(sdks, some));
    const risen = await withConsole({ data }, async (emulator) => {
      const risen = (rule: { passPercentage: number }) => Math.min(100, rule.passPercentage + 10);
      for (const { id, rules } of shareGates) {
        const higher = rules.map((rule) => ({ ...rule, passPercentage: risen(rule) }));
        await write(emulator, "PATCH", `/gates/${id}`, { rules: higher });
      }
      return withSdks(emulator, (sdks) => passingOf(sdks, some));
    });
    const count = (one: Uint8Array, isMeant: (bit: number, other: number) => boolean, other: Uint8Array) =>
      one.reduce((sum, bit, at) => sum + Number(isMeant(bit, other[at] ?? 0)), 0);
    const steadiness = {
      ids: some,
      changedByRestart: count(first.passing, (bit, other) => bit !== other, again),
      lostByRise: count(first.passing, (bit, other) => bit > other, risen),
      wonByRise: count(first.passing, (bit, other) => bit < other, risen),
    };
    return { found: first.found, steadiness };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function withBoth<T>(options: EmulatorOptions, work: (sdks: readonly ServerSdk[]) => T): Promise<T> {
  return withConsole(options, (emulator) => withSdks(emulator, work));
}

async function withConsole<T>(
  options: EmulatorOptions,
  work: (emulator: RunningEmulator) => Promise<T>,
): Promise<T> {
  const emulator = await startEmulator(options);
  try {
    return await work(emulator);
  } finally {
    await emulator.close();
  }
}

async function withSdks<T>(emulator: RunningEmulator, work: (sdks: readonly ServerSdk[]) => T): Promise<T> {
  const sdks = await startBoth(emulator.url);
  try {
    return work(sdks);
  } finally {
    await Promise.all(sdks.map((sdk) => sdk.stop()));
  }
}

/** One bit for each SDK, rule and id. */
function passingOf(sdks: readonly ServerSdk[], ids: number): Uint8Array {
  const bits = sdks.flatMap((sdk) =>
    shareGates.flatMap(({ id }) =>
      Array.from({ length: ids }, (_, number) => Number(sdk.quietGate(id, { userID: `person ${number}` }))),
    ),
  );
  return Uint8Array.from(bits);
}

/** Asks both SDKs about one of the gates. */
function sharesOf(sdks: readonly ServerSdk[], index: number, share: number, ids: number): ShareFound[] {
  const answers = sdks.map((sdk) =>
    Uint8Array.from({ length: ids }, (_, id) =>
      Number(sdk.quietGate(`share_${index}`, { userID: `person ${id}` })),
    ),
  );
  const [first = new Uint8Array(), second = new Uint8Array()] = answers;
  const differing = first.reduce((count, one, id) => count + Number(one !== second[id]), 0);
  const part = share / 100;
  const deviation = Math.sqrt(ids * part * (1 - part));
  return answers.map((one, at) => {
    const passed = one.reduce((sum, yes) => sum + yes, 0);
    const off = Math.abs(passed - ids * part);
    const errors = deviation === 0 ? (off === 0 ? 0 : Number.POSITIVE_INFINITY) : off / deviation;
    return { share, family: sdks[at]?.family ?? "", passed, errors, differing };
  });
}

/** How long one form of a document takes, in milliseconds. */
export interface FormTimes {
  readonly form: string;
  readonly bytes: number;
  readonly firstMs: number;
  readonly cachedMs: number;
  readonly noUpdatesMs: number;
  readonly afterChangeMs: number;
}

/** Measures the documents of a console with many gates, over HTTP. */
export async function measureDocuments(gates: number): Promise<FormTimes[]> {
  const times: FormTimes[] = [];
  for (const form of ["v1", "v2"]) {
    const emulator = await startEmulator();
    try {
      for (let index = 0; index < gates; index += 1)
        await write(emulator, "POST", "/gates", ruled(`gate_${index}`, [50, 10]));
      times.push(await timesOf(emulator, form));
    } finally {
      await emulator.close();
    }
  }
  return times;
}

async function timesOf(emulator: RunningEmulator, form: string): Promise<FormTimes> {
  const address = `${emulator.url}/${form}/download_config_specs/${serverKey}.json`;
  const timed = async (since: number) => {
    const started = performance.now();
    const text = await (await fetch(`${address}?sinceTime=${since}`)).text();
    return { text, ms: performance.now() - started };
  };
  const median = async (since: number): Promise<number> => {
    const ms: number[] = [];
    for (let turn = 0; turn < 9; turn += 1) ms.push((await timed(since)).ms);
    return ms.sort((a, b) => a - b)[4] ?? Number.NaN;
  };
  // The connection is made beforehand.
  await (await fetch(`${emulator.url}/v1/id_lists/none`)).text();
  const first = await timed(0);
  const { time } = JSON.parse(first.text) as { time: number };
  const cachedMs = await median(0);
  const noUpdatesMs = await median(time);
  await write(emulator, "PATCH", "/gates/gate_0", { description: "changed", rules: [] });
  const changed = await timed(time);
  const bytes = Buffer.byteLength(first.text);
  return { form, bytes, firstMs: first.ms, cachedMs, noUpdatesMs, afterChangeMs: changed.ms };
}
