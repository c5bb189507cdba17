import type { ResourceDefinition } from "../../src/core/define";
import type { RunningEmulator } from "../../src/emulator";
import { providerText } from "../../src/pulumi/resource";
import { type DynamicHost, startDynamicHost } from "../support/dynamic-host";
import type { FaultProxy } from "../support/fault-proxy";
import { matrixKey } from "./secrets";

/** A console of a cell's own, and the proxy by which the provider reaches it. */
export interface World {
  readonly emulator: RunningEmulator;
  readonly proxy: FaultProxy;
  readonly timeoutMs: number;
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
 * The provider text of a call that asks a console. A host has one configuration for all; a stack of its own would give each
 * cell another address, and here the text does: it hands over the settings right before the verb reads them. `run`: calls of
 * one number share what a run of the CLI remembers, which hangs on the settings.
 */
export function textFor({ proxy, timeoutMs }: World, definition: ResourceDefinition, run: number): string {
  const own = {
    "feature-console:baseUrl": proxy.url,
    "feature-console:requestTimeoutMs": String(timeoutMs + run),
  };
  const plain = providerText(definition).replace(/^exports\.handler/, "const plain");
  return `${plain}
exports.handler = () => {
  const provider = plain();
  const own = ${JSON.stringify(own)};
  let stack;
  const told = (verb) => [verb, (...args) => {
    void provider.configure({ config: { get: (name) => own[name] ?? stack.get(name) } });
    return provider[verb](...args);
  }];
  return {
    configure: async ({ config }) => { stack = config; },
    ...Object.fromEntries(["diff", "create", "read", "update", "delete"].map(told)),
  };
};`;
}
