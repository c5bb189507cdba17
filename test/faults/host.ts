import type { RunningEmulator } from "../../src/emulator";
import { switchNames } from "../../src/provider/pulumi/provider-settings";
import { providerText } from "../../src/provider/pulumi/stored-names";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { Backend } from "../support/driver";
import { type DynamicHost, type ProviderCallError, startDynamicHost } from "../support/dynamic-host";
import type { FaultProxy } from "../support/fault-proxy";
import { configFor } from "../support/in-process";
import type { Bag } from "../support/wire-json";
import { matrixKey } from "./secrets";

/** A console of a cell's own, and the proxy by which the provider reaches it. */
export interface World {
  /** Of its own, also where it gets the port of one that is gone: no journal of another is taken for its own. */
  readonly name: string;
  readonly emulator: RunningEmulator;
  readonly proxy: FaultProxy;
  readonly timeoutMs: number;
  /** Whoever runs it has typed FEATURE_CONSOLE_TAKE_OVER=1. */
  readonly takesOver?: true;
}

/** Starts Pulumi's dynamic-provider host in a project's folder: it serves many cells at a time, each with a console of its own. */
export async function startHost(folder: string): Promise<DynamicHost> {
  const host = await startDynamicHost({ cwd: folder, callLimitMs: 300_000 });
  await host.configure(configFor({ url: "https://each.world/has/its/own" }, matrixKey));
  return host;
}

/** A host, asked in the name of a run in a world. State holds the text that users have. */
export function inWorld(host: Backend, world: World, definition: ResourceDefinition, run: number): Backend {
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
function textFor(
  { name, proxy, timeoutMs, takesOver }: World,
  definition: ResourceDefinition,
  run: number,
): string {
  const own = {
    "feature-console:baseUrl": proxy.url,
    "feature-console:requestTimeoutMs": String(timeoutMs + run),
  };
  const typed = takesOver ? { [switchNames.takeOver]: "1" } : {};
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
