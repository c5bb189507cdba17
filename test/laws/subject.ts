import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import {
  type EmulatorOptions,
  type RecordedRequest,
  type RunningEmulator,
  startEmulator,
} from "../../src/emulator";
import { createRouteClient } from "../../src/provider/client/client";
import type { Transport } from "../../src/provider/client/transport";
import { catalog, parts } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { samplesOf } from "../samples";
import { type Driver, driverOf } from "../support/driver";
import { configFor, hurriedClock, startProcess, testKey } from "../support/in-process";
import { allOf, type RawClient, rawClient } from "../support/raw-client";
import { type Adapter, backendsOf } from "../support/run";

export type { Resource } from "../support/driver";
export { type Adapter, adapters } from "../support/run";

/** Every managed kind, for table tests. */
export const kinds: [string, ResourceDefinition][] = Object.values<ResourceDefinition>({
  ...catalog,
  ...parts,
}).map((definition) => [definition.kind, definition]);

/** A kind driven in this process over a console of its own, and the raw API past it. No wait takes time. */
export interface Subject extends Driver {
  readonly emulator: RunningEmulator;
  readonly raw: RawClient;
  /** Another kind, driven in the same run. */
  of(definition: ResourceDefinition): Driver;
  /** All objects of the kind; undefined of a kind without a list. */
  objects(): Promise<readonly JsonObject[] | undefined>;
  /** What the console was asked that was no read, since the record was cleared. */
  writes(): readonly RecordedRequest[];
  /** From now on it is another run, which remembers nothing of what was made before. */
  nextRun(stack?: string): void;
  /** Where the journal is kept. */
  readonly folder: string;
  /** Lines that were told so far, of all runs. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

/** What a console has and does beside what the samples need. */
export interface SubjectOptions extends Pick<EmulatorOptions, "behaviour" | "people" | "seed"> {
  /** Settings of the provider beside the console's address. */
  readonly config?: Readonly<Record<string, string>>;
  /** What lies between the provider and the console. */
  readonly through?: (transport: Transport) => Transport;
  readonly adapter?: Adapter;
}

/** The adapter of tests that choose none: `FEATURE_CONSOLE_TEST_ADAPTER=native npm test -- test/laws`. */
const usualAdapter: Adapter = process.env.FEATURE_CONSOLE_TEST_ADAPTER === "native" ? "native" : "dynamic";

/** Starts a console and a provider of a kind. */
export async function startSubject(
  definition: ResourceDefinition,
  {
    through = (transport) => transport,
    config = {},
    adapter = usualAdapter,
    ...options
  }: SubjectOptions = {},
): Promise<Subject> {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-subject-"));
  const clock = hurriedClock();
  const seed = samplesOf(definition).beside ?? {};
  const emulator = await startEmulator({ profile: "custom", clock: clock.now, seed, ...options });
  const lines: string[] = [];
  const over = new AbortController();
  const transport = silentAfter(over.signal, through(emulator.transport));
  const begin = () => {
    const processOf = (report: (line: string) => void) =>
      startProcess({ ...configFor(emulator), ...config }, { folder, report, transport, ...clock });
    return backendsOf(adapter, processOf, (line) => void lines.push(line));
  };
  let run = begin();
  let stack = "dev";
  const of = (one: ResourceDefinition) =>
    driverOf({ definition: one, backend: () => run(one), stack: () => stack });
  const settings = { profile: "custom", baseUrl: emulator.url, apiKey: testKey } as const;
  const { list } = definition.routes;
  return {
    ...of(definition),
    of,
    emulator,
    raw: rawClient({ ...settings, writesPer10s: 100_000, writesPer15min: 100_000 }, emulator),
    objects: async () => list && allOf(createRouteClient(settings, emulator).items(list, {})),
    writes: () => emulator.requests.filter(({ method }) => method !== "GET"),
    nextRun(nextStack = "dev") {
      run = begin();
      stack = nextStack;
    },
    lines,
    folder,
    async close() {
      over.abort();
      await emulator.close();
      await removeTree(folder);
    },
  };
}

/** A run that a test leaves behind hears nothing more, so that it does not go on trying when its console is gone. */
function silentAfter(over: AbortSignal, transport: Transport): Transport {
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const signal = request.signal === undefined ? over : AbortSignal.any([request.signal, over]);
        const unlessOver =
          <T>(then: (value: T) => void) =>
          (value: T) =>
            over.aborted || then(value);
        transport.send({ ...request, signal }).then(unlessOver(resolve), unlessOver(reject));
      }),
  };
}

/** A sample without a field. */
export function without(args: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([other]) => other !== name));
}
