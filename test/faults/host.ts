import path from "node:path";
import type { RunningEmulator } from "../../src/emulator";
import { switchNames } from "../../src/provider/pulumi/provider-settings";
import { providerText } from "../../src/provider/pulumi/stored-names";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { equalJson, type JsonObject } from "../../src/provider/schema/json";
import { type Backend, type Driver, driverOf, partialOf, type Resource } from "../support/driver";
import { ProviderCallError, startDynamicHost } from "../support/dynamic-host";
import { configFor, startProcess } from "../support/in-process";
import { nativeBackends } from "../support/native";
import type { Bag } from "../support/wire-json";
import { matrixKey } from "./secrets";

/** A console of a cell's own, and the address by which the provider reaches it. */
export interface World {
  /** Of its own, also where it gets the port of one that is gone: no journal of another is taken for its own. */
  readonly name: string;
  readonly emulator: RunningEmulator;
  readonly url: string;
  readonly timeoutMs: number;
  /** Whoever runs it has typed FEATURE_CONSOLE_TAKE_OVER=1. */
  readonly takesOver?: true;
}

/** Who answers the calls of the cells: it serves many at a time, each with a console of its own. */
export interface Host {
  /** The provider of a kind, as a run in a world reaches it: calls of one number share what a run of the CLI remembers. */
  inWorld(world: World, definition: ResourceDefinition, run: number): Backend;
  stdout(): string;
  stderr(): string;
  stop(): Promise<void>;
}

/** Runs inside the host and tells when a prototype has a member that it did not have. */
export const probe = `
const watched = { Object, Array, String, Number, Function };
const names = (one) => Object.getOwnPropertyNames(one.prototype).sort().join();
const before = Object.entries(watched).map(([name, one]) => [name, names(one)]);
const look = () => {
  for (const [name, was] of before) if (names(watched[name]) !== was) console.error("CHANGED PROTOTYPE " + name);
};
setInterval(look, 50).unref();
process.on("exit", look);
`;

/** Starts Pulumi's dynamic-provider host in a project's folder, which has the probe. */
export async function startHost(folder: string): Promise<Host> {
  const env = { NODE_OPTIONS: `--require ${path.join(folder, "probe.cjs")}` };
  const host = await startDynamicHost({ cwd: folder, env, callLimitMs: 300_000 });
  await host.configure(configFor({ url: "https://each.world/has/its/own" }, matrixKey));
  const { stdout, stderr, stop } = host;
  return {
    ...{ stdout, stderr, stop },
    inWorld: (world, definition, run) => inWorld(host, world, definition, run),
  };
}

/** The native plugin, by the messages of its protocol: a run in a world has one of its own, in this process. */
export async function startNativeHost(folder: string): Promise<Host> {
  const runs = new Map<string, ReturnType<typeof nativeBackends>>();
  const lines: string[] = [];
  const report = (line: string) => {
    lines.push(line);
  };
  const begin = (world: World, settings: Settings) =>
    nativeBackends((taking) => {
      const config = { ...configFor(world, matrixKey), ...settings.own };
      const environment = () => settings.typed;
      return startProcess(config, { environment, folder: path.join(folder, world.name), report: taking });
    }, report);
  return {
    inWorld(world, definition, run) {
      const settings = settingsOf(world, run);
      const key = JSON.stringify([world.name, settings]);
      const known = runs.get(key) ?? begin(world, settings);
      runs.set(key, known);
      return failingAsHost(known(definition));
    },
    stdout: () => lines.join("\n"),
    stderr: () => "",
    async stop() {
      runs.clear();
    },
  };
}

/** Errors with the verb before the text, as those of a host have it. */
function failingAsHost(backend: Backend): Backend {
  const named = (error: unknown): never => {
    if (error instanceof ProviderCallError) error.message = `${error.method}: ${error.message}`;
    throw error;
  };
  return {
    check: (...args) => backend.check(...args).catch(named),
    diff: (...args) => backend.diff(...args).catch(named),
    create: (...args) => backend.create(...args).catch(named),
    update: (...args) => backend.update(...args).catch(named),
    read: (...args) => backend.read(...args).catch(named),
    delete: (...args) => backend.delete(...args).catch(named),
  };
}

/** A host, asked in the name of a run in a world. State holds the text that users have. */
function inWorld(host: Backend, world: World, definition: ResourceDefinition, run: number): Backend {
  const [asking, kept] = [textFor(world, definition, run), providerText(definition)];
  const as = (bag: Bag): Bag => ({ ...bag, __provider: asking });
  const back = (bag: Bag): Bag => ({ ...bag, __provider: kept });
  const partly = (error: ProviderCallError): never => {
    if (error.partial !== undefined) error.partial.properties.__provider = kept;
    throw error;
  };
  const keep = async <T extends { properties: Bag; inputs?: Bag }>(call: Promise<T>): Promise<T> => {
    const { properties, inputs, ...rest } = await call.catch(partly);
    return { ...rest, properties: back(properties), ...(inputs && { inputs: back(inputs) }) } as T;
  };
  return {
    async check(olds, news) {
      const { inputs, failures } = await host.check(olds, as(news));
      return { inputs: back(inputs), failures };
    },
    diff: (id, olds, news) => host.diff(id, as(olds), as(news)),
    create: (inputs) => keep(host.create(as(inputs))),
    update: (id, olds, news) => keep(host.update(id, olds, as(news))),
    read: (id, properties, inputs) => keep(host.read(id, properties && as(properties), inputs)),
    delete: (id, properties) => host.delete(id, as(properties)),
  };
}

/**
 * The provider text of a call that asks a console. A host has one configuration for all, and is one process; a stack of its
 * own would give each cell another address, and each run of the CLI is a process of its own, and here the text does both.
 * `run`: calls of one number share what a run of the CLI remembers.
 */
function textFor(world: World, definition: ResourceDefinition, run: number): string {
  const { name } = world;
  const { own, typed } = settingsOf(world, run);
  return `exports.handler = () => {
  const root = require.resolve("pulumi-feature-console/package.json").replace("package.json", "dist/");
  const { ProviderProcess } = require(root + "provider/pulumi/process.js");
  const { providerOf } = require(root + "provider/pulumi/provider.js");
  const { managed } = require(root + "provider/definitions/index.js");
  const own = ${JSON.stringify(own)};
  const typed = ${JSON.stringify(typed)};
  const processes = globalThis.processes ??= new Map();
  const key = ${JSON.stringify(JSON.stringify([name, own]))};
  const environment = () => ({ ...globalThis.process.env, ...typed });
  const process = processes.get(key) ?? new ProviderProcess({ environment, folder: ${JSON.stringify(name)} });
  processes.set(key, process);
  const provider = providerOf(managed[${JSON.stringify(definition.name)}], process);
  return {
    ...provider,
    configure: ({ config }) => provider.configure({ config: { get: (name) => own[name] ?? config.get(name) } }),
  };
};`;
}

/** What a run in a world is told: settings, and what whoever runs it has typed. */
interface Settings {
  readonly own: Readonly<Record<string, string>>;
  readonly typed: Readonly<Record<string, string>>;
}

function settingsOf({ url, timeoutMs, takesOver }: World, run: number): Settings {
  return {
    own: {
      "feature-console:baseUrl": url,
      "feature-console:requestTimeoutMs": String(timeoutMs + run),
    },
    typed: takesOver ? { [switchNames.takeOver]: "1" } : {},
  };
}

/** A resource as the engine keeps it. */
export interface Held extends Resource {
  /** The last create or update failed half-way: the next up updates it whatever the diff says. */
  readonly unfinished: boolean;
}

export interface Step {
  /** What the state holds afterwards; undefined: nothing. */
  readonly held: Held | undefined;
  readonly error?: string;
  readonly did: "nothing" | "create" | "update" | "replace" | "read" | "delete" | "look up";
}

/** Pulumi's engine, as far as one resource goes: which verb it chooses, and what it keeps of a failure. */
export class EnginePlay {
  readonly #driver: Driver;

  /** An engine that drives one kind in a world. Those of one `run` share what a run of the CLI remembers. */
  constructor(host: Host, world: World, definition: ResourceDefinition, run: number) {
    const backend = host.inWorld(world, definition, run);
    this.#driver = driverOf({ definition, backend: () => backend, stack: () => "dev" });
  }

  /** What `pulumi up` does with a resource of the program. */
  async up(held: Held | undefined, args: JsonObject): Promise<Step> {
    if (held === undefined) return this.#step("create", held, args, () => this.#driver.up(args));
    const { replaces, same } = await this.#planned(held, args);
    if (replaces.length > 0) return { did: "replace", held, error: `replaces ${replaces.join(", ")}` };
    if (same && !held.unfinished) return { did: "nothing", held };
    return this.#step("update", held, args, () => this.#driver.update(held, args));
  }

  /** What a preview says of a resource: `none`, or what would be done. */
  async preview(held: Held, args: JsonObject): Promise<string> {
    const { replaces, same } = await this.#planned(held, args);
    if (same) return "none";
    return replaces.length > 0 ? `a replacement for ${replaces.join(", ")}` : "a change";
  }

  refresh(held: Held): Promise<Step> {
    return this.#step("read", held, undefined, () => this.#driver.refresh(held), held.unfinished);
  }

  destroy(held: Held): Promise<Step> {
    return this.#step("delete", held, undefined, () => this.#driver.destroy(held).then(() => undefined));
  }

  async #planned(held: Held, args: JsonObject) {
    const { changes, replaces } = await this.#driver.plan(held, args);
    // Where the provider leaves it open, the engine compares the arguments.
    const isEqual = async () => equalJson(held.inputs, await this.#driver.checked(args, held.inputs));
    const same = changes === "none" || (changes === "unknown" && (await isEqual()));
    return { replaces, same: same && replaces.length === 0 };
  }

  /** Does something, and keeps what an error leaves: the object that exists in spite of it, or what was there before. */
  async #step(
    did: Step["did"],
    held: Held | undefined,
    args: JsonObject | undefined,
    work: () => Promise<Resource | undefined>,
    unfinished = false,
  ): Promise<Step> {
    try {
      const made = await work();
      return { did, held: made && { ...made, unfinished } };
    } catch (error) {
      if (!(error instanceof ProviderCallError)) throw error;
      const partial = partialOf(error);
      if (partial === undefined || args === undefined) return { did, held, error: error.message };
      const inputs = await this.#driver.checked(args, held?.inputs);
      const left = { id: partial.id, inputs, outputs: partial.properties, unfinished: true };
      return { did, held: left, error: error.message };
    }
  }
}
