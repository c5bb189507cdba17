import "../node-guard";
import { randomBytes } from "node:crypto";
import { type ProfileName, profiles } from "../provider/client/profile";
import type { EmbeddedConsole, Transport } from "../provider/client/transport";
import { type ConsoleSettings, countWrites } from "./console/console";
import { type PageOptions, withPage } from "./console/page";
import { completeSwitches, type Switches } from "./console/rules/switches";
import { type Fault, planFaults } from "./http/faults";
import { withoutForeignPages } from "./http/foreign-pages";
import { createTransport } from "./http/in-process-transport";
import { createIngress, type RecordedRequest } from "./http/ingress";
import { createRouter } from "./http/routing";
import { serve } from "./http/serve";
import { behaviours } from "./kinds/index";
import { keepProject } from "./kinds/project/project";
import { createClientEndpoints, type EvaluateForClients, withClients } from "./sdk/client-endpoints";
import { createSdkEndpoints } from "./sdk/endpoints";
import { documentText } from "./sdk/spec/documents";
import { createSpecSource } from "./sdk/spec/spec-source";
import { plantSeed, type Seed } from "./store/seed";
import { openStore } from "./store/sqlite-store";
import type { Store } from "./store/store";

export type { PageOptions } from "./console/page";
export type { Switches } from "./console/rules/switches";
export type { Fault } from "./http/faults";
export type { RecordedRequest } from "./http/ingress";
export type { EvaluateForClients, Evaluations, NameHash } from "./sdk/client-endpoints";
export type { Seed } from "./store/seed";

/** Options of a console. */
export interface EmulatorOptions {
  /** Profile of the header and field names. Default: `custom`. `embedded` asks for no key. */
  readonly profile?: ProfileName | undefined;
  /** File that keeps everything; several processes may share it. Default: `:memory:`. */
  readonly data?: string | undefined;
  /** The key that it takes; left out: every key but those that are of another kind by their prefix. */
  readonly key?: string | undefined;
  /** A key that reads and does not write. */
  readonly readOnlyKey?: string | undefined;
  /** Keys of persons, with their e-mail addresses: such a key acts as its person, who can decide reviews. */
  readonly people?: Readonly<Record<string, string>>;
  /**
   * The only key that the SDK endpoints take, beside server keys that the console has made. Left out: every key but those of the
   * Console API and those that are of another kind by their prefix. In the `embedded` profile no key is asked for.
   */
  readonly serverKey?: string | undefined;
  /** Takes one line for each object that server SDKs cannot evaluate as it is meant. Default: a warning of the process. */
  readonly log?: (line: string) => void;
  /** Apply the published write limits. Default: off. */
  readonly rateLimit?: boolean;
  /** Factor of the length of their windows: below 1 they are shorter, for tests. Default: 1. */
  readonly rateLimitScale?: number;
  readonly faults?: readonly Fault[] | undefined;
  /** Objects that are there from the start; those that the file holds already stay as they are. */
  readonly seed?: Seed | undefined;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Makes the ids that the console gives, each once. Default: 12 letters and digits, by chance. */
  readonly makeId?: () => string;
  /** Milliseconds until a write of an id list is applied. Default: 0. */
  readonly idListDelayMs?: number;
  /** Most ids of all id lists together; default 10,000,000, as the service's guides tell. */
  readonly mostIds?: number;
  /** Answer as the specification shows, where the published service does otherwise. Default: false. */
  readonly specifiedForm?: boolean;
  /** Answers to the questions that the reference leaves open. Default: the mildest. */
  readonly behaviour?: Partial<Switches>;
}

/** Documents by which server SDKs start without a server (docs/sdk.md): two forms of the same flags. */
export interface SdkDocuments {
  /** For `statsig-node`: its option `bootstrapValues`. */
  readonly v1: string;
  /** For `@statsig/statsig-node-core`: what a specs adapter hands it. */
  readonly v2: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Objects that an SDK cannot evaluate, a sentence each. */
  readonly findings: readonly string[];
}

/** A console in this process. */
export interface Emulator {
  /** Its ingress for code of this process. */
  readonly transport: Transport;
  /** The documents of this moment. Every list of ids is inside, however long: no server has files of them. */
  sdkDocuments(): SdkDocuments;
  /** The requests to the Console API, oldest first; only the last 20,000 are kept. */
  readonly requests: readonly RecordedRequest[];
  clearRequests(): void;
  /** Plans more faults, after those that are still to come. */
  addFaults(faults: readonly Fault[]): void;
  /** Forgets the faults that are still to come. */
  clearFaults(): void;
  /** Forgets every object, every request and every fault; a seed is not planted again. */
  reset(): void;
  /** Lets go of the file. */
  close(): void;
}

/** A console that listens on this machine. */
export interface RunningEmulator extends Omit<Emulator, "close"> {
  /** Address without the path prefix, such as `http://127.0.0.1:4455`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and lets go of the file. */
  close(): Promise<void>;
}

/** Makes a console inside this process. Throws when its file cannot be used or its seed or faults are malformed. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  return assemble(options).emulator;
}

/** Options of a console that listens. */
export interface StartOptions extends EmulatorOptions {
  /** 0 or left out: any free one. */
  readonly port?: number;
  /** Serve a page to look at under `/`, for whoever uses this machine: it asks for no key and changes nothing. Default: off. */
  readonly ui?: boolean | PageOptions;
  /** Evaluates for client SDKs and for requests of one answer. Left out: these are refused. */
  readonly evaluateForClients?: EvaluateForClients;
  /** Names of hosts under which it answers beside those of loopback: what a container or a tunnel calls this machine. Default: none. */
  readonly allowHosts?: readonly string[];
}

/** Makes a console that listens on 127.0.0.1. */
export async function startEmulator(options: StartOptions = {}): Promise<RunningEmulator> {
  const { ui = false, port = 0, evaluateForClients, allowHosts = [] } = options;
  const { emulator, ingress: plain, shown, forClients } = assemble(options);
  const ingress = withClients(plain, forClients(evaluateForClients));
  let listening: Awaited<ReturnType<typeof serve>>;
  try {
    const page = ui === true ? {} : ui;
    const whole = page === false ? ingress : withPage(ingress, shown, page);
    listening = await serve(withoutForeignPages(whole, allowHosts), port);
  } catch (error) {
    emulator.close();
    throw error;
  }
  return {
    ...emulator,
    url: listening.url,
    port: listening.port,
    async close() {
      await listening.close();
      emulator.close();
    },
  };
}

/** The console that is embedded in this process and keeps its data in a file. @throws when that cannot be opened. */
export function openEmbedded(file: string): EmbeddedConsole {
  const { emulator, shown } = assemble({ profile: "embedded", data: file });
  return { transport: emulator.transport, canHaveHeld: shown.store.canHaveHeld };
}

const kinds = Object.values(behaviours);

function assemble(options: EmulatorOptions) {
  const faults = planFaults(options.faults ?? []);
  const router = createRouter(kinds);
  const settings = settingsOf(options);
  const store = openStore(options.data ?? ":memory:");
  let project: ReturnType<typeof keepProject>;
  try {
    plantSeed(store, settings, kinds, options.seed ?? {});
    project = keepProject(store, randomId);
  } catch (error) {
    store.close();
    throw error;
  }
  const { endpoints, forClients } = endpointsOf(store, settings, options.log ?? process.emitWarning);
  const ingress = createIngress({ store, router, settings, faults, sdk: endpoints });
  const emulator: Emulator = {
    transport: createTransport(ingress),
    sdkDocuments: () => documentsOf(store, settings.ports.clock()),
    requests: ingress.requests,
    clearRequests: ingress.clearRequests,
    addFaults: faults.add,
    clearFaults: faults.clear,
    reset() {
      project.wipe();
      faults.clear();
      ingress.clearRequests();
    },
    close() {
      ingress.close();
      store.close();
    },
  };
  const shown = { store, router, settings, kinds, document: () => emulator.sdkDocuments().v1 };
  return { emulator, ingress, forClients, shown };
}

/** Endpoints of SDKs: rules for servers, answers for clients. */
function endpointsOf(store: Store, settings: ConsoleSettings, log: (line: string) => void) {
  const { key, readOnlyKey, people, serverKey, needsKey, ports } = settings;
  const keys = { serverKey, needsKey, consoleKeys: [key, readOnlyKey, ...people.keys()] };
  const told = new Set<string>();
  const tell = (finding: string): void => {
    if (!told.has(finding)) log(`SDKs: ${finding}`);
    told.add(finding);
  };
  const forClients = (evaluate: EvaluateForClients | undefined) => {
    const source = createSpecSource(store, ports.clock, tell, Number.POSITIVE_INFINITY);
    return createClientEndpoints({ ...keys, store, source, tell, evaluate });
  };
  const endpoints = createSdkEndpoints({
    ...{ ...keys, store, ...ports },
    source: createSpecSource(store, ports.clock, tell),
    onNewEvent: (world, id) => behaviours.event.onAdd?.(world, id),
  });
  return { endpoints, forClients };
}

function documentsOf(store: Store, now: number): SdkDocuments {
  const clock = (): number => now;
  const { specs, body } = createSpecSource(store, clock, () => {}, Number.POSITIVE_INFINITY).current([]);
  // SDKs pass over a member that they do not know.
  const doubted = (one: string): string =>
    `{"not_known_here":${JSON.stringify(specs.doubts)},"shut_here":${JSON.stringify(specs.shut)},${one.slice(1)}`;
  const text = (form: "v1" | "v2"): string => documentText(doubted(body(form)), now);
  return { v1: text("v1"), v2: text("v2"), time: now, findings: specs.findings };
}

function settingsOf(options: EmulatorOptions): ConsoleSettings {
  const profile = profiles[options.profile ?? "custom"];
  const { clock = Date.now, makeId = randomId, idListDelayMs = 0, mostIds = 10_000_000 } = options;
  const { key, readOnlyKey, serverKey, specifiedForm = false } = options;
  return {
    ...{ profile, key, readOnlyKey, serverKey, specifiedForm },
    people: new Map(Object.entries(options.people ?? {})),
    needsKey: profile.name !== "embedded",
    switches: completeSwitches(options.behaviour ?? {}),
    ports: { clock, makeId, idListDelayMs, mostIds },
    overLimit: options.rateLimit ? countWrites(clock, options.rateLimitScale) : () => false,
  };
}

/** Letters and digits, as in the ids that the console shows. */
export function randomId(): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from(randomBytes(12), (byte) => alphabet[byte % alphabet.length]).join("");
}
