import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { startSubject } from "../laws/subject";
import { type Driver, driverOf } from "../support/driver";
import { type DynamicHost, startDynamicHost } from "../support/dynamic-host";
import { configFor, testKey } from "../support/in-process";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { type RawClient, rawClient } from "../support/raw-client";

/** The kinds of the first issue, for table tests. Later ones have tests of their own that run over the whole catalog. */
const { gate, dynamicConfig, segment, layer, assignmentSource } = catalog;
export const kinds: [string, ResourceDefinition][] = [
  gate,
  dynamicConfig,
  segment,
  layer,
  assignmentSource,
].map((definition) => [definition.kind, definition]);

/** A console and the kinds that are driven over it. */
export interface Bench {
  readonly emulator: RunningEmulator;
  readonly raw: RawClient;
  of(definition: ResourceDefinition): Driver;
  close(): Promise<void>;
}

/** A console, a project with the packed package, and Pulumi's own host of dynamic providers in its folder. */
export interface WireBench extends Bench {
  readonly project: PackedProject;
  readonly host: DynamicHost;
}

/** Both adapters. In this process every kind is tried; the wire treats all alike, so two are enough there. */
export const backends: [string, () => Promise<Bench>, typeof kinds][] = [
  ["in this process", () => startSubject(gate), kinds],
  ["as a native plugin", () => startSubject(gate, { adapter: "native" }), kinds],
  ["over the wire", openBench, kinds.filter(([kind]) => kind === "Layer" || kind === "Segment")],
];

/** Starts all of it; with `configure: false` the host has not been told its configuration yet. */
export async function openBench({ configure = true } = {}): Promise<WireBench> {
  const emulator = await startEmulator({ key: testKey });
  const project = await createPackedProject({ program: "" });
  const host = await startDynamicHost({ cwd: project.folder });
  if (configure) await host.configure(configFor(emulator));
  return {
    emulator,
    project,
    host,
    raw: rawClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey }),
    of: (definition) => driverOf({ definition, backend: () => host }),
    async close() {
      await host.stop();
      await project.remove();
      await emulator.close();
    },
  };
}
