import { catalog } from "../../src/catalog";
import { type ConsoleClient, createClient } from "../../src/client";
import type { ResourceDefinition } from "../../src/core/define";
import type { JsonObject } from "../../src/core/json";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { providerText } from "../../src/pulumi/resource";
import { type DiffAnswer, type DynamicHost, startDynamicHost } from "../support/dynamic-host";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import type { Bag } from "../support/wire-json";

/** The kinds of the first issue, for table tests. Later ones have tests of their own that run over the whole catalog. */
const { gate, dynamicConfig, segment, layer, assignmentSource } = catalog;
export const kinds: [string, ResourceDefinition][] = [
  gate,
  dynamicConfig,
  segment,
  layer,
  assignmentSource,
].map((definition) => [definition.kind, definition]);

/** A key that is plainly none, made at run time so that no text of the repository looks like one. */
export const testKey: string = ["console", "test", String(process.pid)].join("-");

/** A resource as the engine keeps it. */
export interface Resource {
  readonly id: string;
  readonly inputs: Bag;
  readonly outputs: Bag;
}

/** One kind, driven as the engine drives it. */
export interface Driver {
  readonly text: string;
  check(args: JsonObject, olds?: Bag): ReturnType<DynamicHost["check"]>;
  /** Checks arguments; fails the test on problems. */
  checked(args: JsonObject, olds?: Bag): Promise<Bag>;
  diff(resource: Resource, args: JsonObject): Promise<DiffAnswer>;
  create(args: JsonObject): Promise<Resource>;
  update(resource: Resource, args: JsonObject): Promise<Resource>;
  refresh(resource: Resource): Promise<Resource>;
  get(id: string): Promise<Resource>;
  destroy(resource: Resource): Promise<void>;
}

/** A console, a project with the packed package, and Pulumi's own host of dynamic providers in its folder. */
export interface Bench {
  readonly emulator: RunningEmulator;
  readonly project: PackedProject;
  readonly host: DynamicHost;
  /** The console by its own API: the second door. */
  readonly raw: ConsoleClient;
  of(definition: ResourceDefinition): Driver;
  close(): Promise<void>;
}

/** The configuration of a stack that uses this console. */
export function configFor(emulator: Pick<RunningEmulator, "url">, apiKey: unknown = testKey): Bag {
  return {
    "feature-console:profile": "custom",
    "feature-console:baseUrl": emulator.url,
    "feature-console:apiKey": apiKey,
    "feature-console:writesPer10s": "100000",
    "feature-console:writesPer15min": "100000",
  };
}

/** Starts all of it; with `configure: false` the host has not been told its configuration yet. */
export async function openBench({ configure = true } = {}): Promise<Bench> {
  const emulator = await startEmulator({ key: testKey });
  const project = await createPackedProject({ program: "" });
  const host = await startDynamicHost({ cwd: project.folder });
  if (configure) await host.configure(configFor(emulator));
  return {
    emulator,
    project,
    host,
    raw: createClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey }),
    of: (definition) => driverOf(host, definition),
    async close() {
      await host.stop();
      await project.remove();
      await emulator.close();
    },
  };
}

/** A kind, driven over a host. */
export function driverOf(host: DynamicHost, definition: ResourceDefinition): Driver {
  const text = providerText(definition);
  const withText = (bag: Bag): Bag => ({ ...bag, __provider: text });
  const check: Driver["check"] = (args, olds = {}) =>
    host.check(olds, withText({ __logicalName: "resource", ...args }));
  const checked: Driver["checked"] = async (args, olds) => {
    const { inputs, failures } = await check(args, olds);
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    return inputs;
  };
  const found = async (...request: Parameters<DynamicHost["read"]>): Promise<Resource> => {
    const { id, properties, inputs = request[2] ?? {} } = await host.read(...request);
    return { id, inputs, outputs: properties };
  };
  return {
    text,
    check,
    checked,
    diff: async ({ id, inputs, outputs }, args) => host.diff(id, outputs, await checked(args, inputs)),
    async create(args) {
      const inputs = await checked(args);
      const { id, properties } = await host.create(inputs);
      return { id, inputs, outputs: properties };
    },
    async update({ id, inputs, outputs }, args) {
      const news = await checked(args, inputs);
      const { properties } = await host.update(id, outputs, news);
      return { id, inputs: news, outputs: properties };
    },
    refresh: ({ id, inputs, outputs }) => found(id, outputs, inputs),
    get: (id) => found(id, undefined, withText({})),
    destroy: ({ id, outputs }) => host.delete(id, outputs),
  };
}

/** A sample under names of its own, so that tests do not meet. */
export function named(definition: ResourceDefinition, sample: JsonObject, name: string): JsonObject {
  const own = ["key", "name"].filter((field) => definition.fields[field] !== undefined);
  return { ...sample, ...Object.fromEntries(own.map((field) => [field, name])) };
}
