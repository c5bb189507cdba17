import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { catalog, parts } from "../../src/catalog";
import type { ResourceDefinition } from "../../src/core/define";
import type { JsonObject } from "../../src/core/json";
import { type EmulatorOptions, type RunningEmulator, startEmulator } from "../../src/emulator";
import { ProviderProcess } from "../../src/pulumi/process";
import { type Provider, providerOf } from "../../src/pulumi/provider";
import { type RawClient, rawClient } from "../support/raw-client";

/** Every managed kind, for table tests. */
export const kinds: [string, ResourceDefinition][] = Object.values<ResourceDefinition>({
  ...catalog,
  ...parts,
}).map((definition) => [definition.kind, definition]);

const key = ["console", "test"].join("-");

/** A kind's provider over a console of its own, as Pulumi would drive it, and the raw API as a second door. */
export interface Subject {
  readonly emulator: RunningEmulator;
  readonly raw: RawClient;
  readonly definition: ResourceDefinition;
  /** Checks arguments; fails the test on problems. */
  checked(args: JsonObject, olds?: JsonObject): Promise<JsonObject>;
  problems(args: JsonObject, olds?: JsonObject): Promise<{ property: string; reason: string }[]>;
  /** What `pulumi up` of a new resource does. */
  up(args: JsonObject): Promise<Resource>;
  diff(resource: Resource, args: JsonObject): Promise<Diff>;
  /** What `pulumi up` of a changed resource does. */
  update(resource: Resource, args: JsonObject): Promise<Resource>;
  refresh(resource: Resource): Promise<Resource | undefined>;
  destroy(resource: Resource): Promise<void>;
  /** From now on it is another run, which remembers nothing of what was made before. */
  nextRun(stack?: string): void;
  /** The provider of this run, as Pulumi's host would call it. */
  provider(): Provider;
  /** Where the journal is kept. */
  readonly folder: string;
  /** Lines that were told so far, of all runs. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

/** A resource as state holds it. */
export interface Resource {
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

/** What a diff said. */
export interface Diff {
  readonly quiet: boolean;
  readonly replaces: readonly string[];
}

/** Starts a console and a provider of a kind. `options`: what the console has and does beside that. */
export async function startSubject(
  definition: ResourceDefinition,
  options: Pick<EmulatorOptions, "behaviour" | "seed"> = {},
): Promise<Subject> {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-subject-"));
  const emulator = await startEmulator({
    profile: "custom",
    seed: definition.samples.beside ?? {},
    ...options,
  });
  const settings: Record<string, string> = {
    "feature-console:profile": "custom",
    "feature-console:baseUrl": emulator.url,
    "feature-console:apiKey": key,
    "feature-console:writesPer10s": "100000",
    "feature-console:writesPer15min": "100000",
  };
  const config = { get: (name: string) => settings[name], require: (name: string) => settings[name] ?? "" };
  const lines: string[] = [];
  // A run that a test leaves behind must not go on trying when its console is gone.
  const waiting = new Set<NodeJS.Timeout>();
  let isOver = false;
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      if (isOver) return;
      const timer = setTimeout(() => {
        waiting.delete(timer);
        resolve();
      }, ms);
      waiting.add(timer);
    });
  const begin = (environment: NodeJS.ProcessEnv = {}) => {
    const process = new ProviderProcess({
      environment: () => environment,
      folder,
      report: (line) => lines.push(line),
      sleep,
    });
    process.configure(config.get);
    return providerOf(definition, process);
  };
  let provider = begin();
  let stack = "dev";
  const check = (args: JsonObject, olds: JsonObject = {}) => {
    const name = String(args.__logicalName ?? "resource");
    const urn = `urn:pulumi:${stack}::test::pulumi-nodejs:dynamic/feature-console:${definition.kind}::${name}`;
    return provider.check(olds, { __logicalName: name, __urn: urn, __provider: "text", ...args });
  };
  const checked = async (args: JsonObject, olds: JsonObject = {}) => {
    const { inputs, failures } = await check(args, olds);
    if (failures && failures.length > 0) throw new Error(JSON.stringify(failures));
    return { ...inputs };
  };
  return {
    emulator,
    definition,
    raw: rawClient({
      profile: "custom",
      baseUrl: emulator.url,
      apiKey: key,
      writesPer10s: 100_000,
      writesPer15min: 100_000,
    }),
    checked,
    problems: async (args, olds) => [...((await check(args, olds)).failures ?? [])],
    async up(args) {
      // Another run may begin before this one ends.
      const own = provider;
      const inputs = await checked(args);
      const { id, outs } = await own.create(inputs);
      return { id, inputs, outputs: { ...outs } };
    },
    async diff(resource, args) {
      const news = await checked(args, resource.inputs);
      const { changes, replaces } = await provider.diff(resource.id, resource.outputs, news);
      return { quiet: changes === false, replaces: replaces ?? [] };
    },
    async update(resource, args) {
      const inputs = await checked(args, resource.inputs);
      const { outs } = await provider.update(resource.id, resource.outputs, inputs);
      return { id: resource.id, inputs, outputs: { ...outs } };
    },
    async refresh({ id, outputs }) {
      const found = await provider.read(id, outputs);
      return found.id === undefined
        ? undefined
        : { id: found.id, inputs: { ...found.inputs }, outputs: { ...found.props } };
    },
    destroy: ({ id, outputs }) => provider.delete(id, outputs),
    nextRun(nextStack = "dev") {
      provider = begin();
      stack = nextStack;
    },
    provider: () => provider,
    lines,
    folder,
    async close() {
      isOver = true;
      await emulator.close();
      for (const timer of waiting) clearTimeout(timer);
      await removeTree(folder);
    },
  };
}

/** A sample without a field. */
export function without(args: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([other]) => other !== name));
}
