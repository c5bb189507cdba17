import type { JsonObject } from "../../../src/core/json";
import { type RunningEmulator, startEmulator } from "../../../src/emulator";
import { type ServerSdk, serverKey, startBoth } from "./server-sdks";

/** The percentages of twenty rules: the ends, decimals, and what lies between. */
const shares = [
  ...[0, 0.01, 0.5, 1, 2.5, 5, 10, 12.5, 20, 25, 33.33, 50, 66.67, 75, 80, 90, 95, 99, 99.99, 100],
];

const everyone = [{ type: "public" }];

/** A gate for each, named by its place; who is in a share is drawn by the ids of rules, which are given so that it is the same each time. */
export const shareGates = shares.map((passPercentage, index) => ({
  ...{ id: `share_${index}`, name: `share_${index}`, isEnabled: true },
  rules: [{ id: `rule ${index}`, baseID: `rule ${index}`, name: "r", passPercentage, conditions: everyone }],
}));

const ruled = (id: string, percents: readonly number[]): JsonObject => ({
  ...{ id, name: id, isEnabled: true },
  rules: percents.map((passPercentage, index) => ({
    name: `r${index}`,
    passPercentage,
    conditions: everyone,
  })),
});

const api = { url: "http://console.invalid/console/v1", headers: { "SERVICE-API-KEY": "k" } };

async function write(
  emulator: RunningEmulator,
  method: "POST" | "PATCH",
  path: string,
  body: unknown,
): Promise<void> {
  const { status, text } = await emulator.transport.send({
    ...{ method, url: `${api.url}${path}`, headers: api.headers, body: JSON.stringify(body) },
  });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
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

/** Measures the share of each rule in both SDKs. */
export async function measureShares(ids: number): Promise<ShareFound[]> {
  const emulator = await startEmulator({ seed: { gates: shareGates } });
  let sdks: readonly ServerSdk[] = [];
  try {
    sdks = await startBoth(emulator.url);
    return shares.flatMap((share, index) => sharesOf(sdks, index, share, ids));
  } finally {
    await Promise.all(sdks.map((sdk) => sdk.stop()));
    await emulator.close();
  }
}

/** Asks both SDKs about one of the gates. */
export function sharesOf(
  sdks: readonly ServerSdk[],
  index: number,
  share: number,
  ids: number,
): ShareFound[] {
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
  const path = `${emulator.url}/${form}/download_config_specs/${serverKey}.json`;
  const timed = async (since: number) => {
    const started = performance.now();
    const text = await (await fetch(`${path}?sinceTime=${since}`)).text();
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
  return {
    form,
    bytes,
    firstMs: first.ms,
    cachedMs,
    noUpdatesMs,
    afterChangeMs: changed.ms,
  };
}

/** What clients saw that asked all the while. */
export interface Polling {
  readonly documents: number;
  /** Documents that held a part of a write, or were older than the one before. */
  readonly wrong: number;
  readonly writes: number;
  /** Different states of the gate that were seen. */
  readonly seen: number;
}

/** Has many clients ask while one gate is written, whose rules always have one percentage after a write. */
export async function measurePolling(clients: number, forMs: number, file?: string): Promise<Polling> {
  const emulator = await startEmulator(file === undefined ? {} : { data: file });
  const sameEverywhere = (percent: number) =>
    ruled(
      "gate_0",
      Array.from({ length: 20 }, () => percent),
    );
  const found = { documents: 0, wrong: 0, writes: 0 };
  const seen = new Set<number>();
  try {
    for (let index = 0; index < 200; index += 1)
      await write(emulator, "POST", "/gates", ruled(`gate_${index}`, [50]));
    await write(emulator, "PATCH", "/gates/gate_0", sameEverywhere(50));
    const end = Date.now() + forMs;
    const poll = async (): Promise<void> => {
      let newest = 0;
      while (Date.now() < end) {
        const answer = await fetch(`${emulator.url}/v2/download_config_specs/${serverKey}.json`);
        const { time, feature_gates: gates } = (await answer.json()) as {
          readonly time: number;
          readonly feature_gates: Readonly<Record<string, { readonly rules: readonly JsonObject[] }>>;
        };
        const percents = new Set(gates.gate_0?.rules.map(({ passPercentage }) => Number(passPercentage)));
        for (const percent of percents) seen.add(percent);
        found.documents += 1;
        if (percents.size !== 1 || time < newest || Object.keys(gates).length !== 200) found.wrong += 1;
        newest = time;
      }
    };
    const writer = async (): Promise<void> => {
      for (let percent = 1; Date.now() < end; percent = (percent % 100) + 1) {
        await write(emulator, "PATCH", "/gates/gate_0", sameEverywhere(percent));
        found.writes += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await Promise.all([writer(), ...Array.from({ length: clients }, poll)]);
    return { ...found, seen: seen.size };
  } finally {
    await emulator.close();
  }
}
