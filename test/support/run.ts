import type { ProcessPorts, ProviderProcess } from "../../src/provider/pulumi/process";
import { providerOf } from "../../src/provider/pulumi/provider";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Backend, type Driver, driverOf } from "./driver";
import { inProcess, startProcess } from "./in-process";
import { nativeBackends } from "./native";

/** How Pulumi reaches the provider. */
export const adapters = ["dynamic", "native"] as const;
export type Adapter = (typeof adapters)[number];

/** Where a run takes place, beside the ports of its process. */
export interface RunOptions extends Partial<Omit<ProcessPorts, "report">> {
  readonly config: JsonObject;
  readonly adapter?: Adapter;
  readonly stack?: string;
}

/** One run of Pulumi, in a process of its own, which remembers nothing of others. */
export interface Run {
  /** A kind, driven in this run. */
  of(definition: ResourceDefinition): Driver;
  /** Lines that it has told. */
  readonly lines: readonly string[];
}

export function startRun({ config, adapter = "dynamic", stack = "dev", ...ports }: RunOptions): Run {
  const lines: string[] = [];
  const backends = backendsOf(
    adapter,
    (report) => startProcess(config, { ...ports, report }),
    (line) => void lines.push(line),
  );
  return {
    of: (definition) => driverOf({ definition, backend: () => backends(definition), stack: () => stack }),
    lines,
  };
}

/** Who answers for each kind in a process. */
export function backendsOf(
  adapter: Adapter,
  processOf: (report: (line: string) => void) => ProviderProcess,
  report: (line: string) => void,
): (definition: ResourceDefinition) => Backend {
  if (adapter === "native") return nativeBackends(processOf, report);
  const process = processOf(report);
  const started = new Map<ResourceDefinition, Backend>();
  return (definition) => {
    const backend = started.get(definition) ?? inProcess(providerOf(definition, process));
    started.set(definition, backend);
    return backend;
  };
}
