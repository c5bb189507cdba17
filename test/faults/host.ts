import path from "node:path";
import type { RunningEmulator } from "../../src/emulator";
import { switchNames } from "../../src/provider/pulumi/provider-settings";
import { providerText } from "../../src/provider/pulumi/stored-names";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { Backend } from "../support/driver";
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
