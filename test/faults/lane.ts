import type { ResourceDefinition } from "../../src/core/define";
import type { RunningEmulator } from "../../src/emulator";
import { switchNames } from "../../src/pulumi/provider-settings";
import { type DynamicHost, startDynamicHost } from "../support/dynamic-host";
import type { FaultProxy } from "../support/fault-proxy";
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

/** A process of Pulumi's dynamic-provider host that serves many cells at the same time, each with a console of its own. */
export interface Lane {
  readonly host: DynamicHost;
  stop(): Promise<void>;
}

/** Starts a host in a project's folder. */
export async function startLane(folder: string): Promise<Lane> {
  const host = await startDynamicHost({ cwd: folder, callLimitMs: 300_000 });
  await host.configure({
    "feature-console:profile": "custom",
    "feature-console:apiKey": matrixKey,
    "feature-console:writesPer10s": "100000",
    "feature-console:writesPer15min": "100000",
  });
  return { host, stop: () => host.stop() };
}

/**
 * The provider text of a call that asks a console. A host has one configuration for all, and is one process; a stack of its
 * own would give each cell another address, and each run of the CLI is a process of its own, and here the text does both.
 * `run`: calls of one number share what a run of the CLI remembers.
 */
export function textFor(
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
  const { ProviderProcess } = require(root + "pulumi/process.js");
  const { providerOf } = require(root + "pulumi/provider.js");
  const { managed } = require(root + "catalog/index.js");
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
