import { startEmulator } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { type Subject, startSubject } from "../laws/subject";
import { driverOf } from "../support/driver";
import { startDynamicHost } from "../support/dynamic-host";
import { configFor, testKey } from "../support/in-process";
import { createPackedProject } from "../support/packed-project";
import { rawClient } from "../support/raw-client";

/** A console and the kinds that are driven over it. */
export type Bench = Pick<Subject, "emulator" | "raw" | "of" | "close">;

/** Both ways to the engine, of which the laws of all kinds try the inner part. */
export const backends: [string, () => Promise<Bench>][] = [
  ["as a native plugin", () => startSubject(catalog.gate, { adapter: "native" })],
  ["over Pulumi's host", openConfigured],
];

async function openConfigured() {
  const bench = await openBench();
  await bench.host.configure(configFor(bench.emulator));
  return bench;
}

/** A console, a project with the packed package, and Pulumi's own host of dynamic providers in its folder, not yet configured. */
export async function openBench() {
  const emulator = await startEmulator({ key: testKey });
  const project = await createPackedProject({ program: "" });
  const host = await startDynamicHost({ cwd: project.folder });
  return {
    ...{ emulator, project, host },
    raw: rawClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey }),
    of: (definition: ResourceDefinition) => driverOf({ definition, backend: () => host }),
    async close() {
      await host.stop();
      await project.remove();
      await emulator.close();
    },
  };
}
