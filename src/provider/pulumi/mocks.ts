import * as pulumi from "@pulumi/pulumi";
import type { EngineContext } from "../engine";
import { partsOf, type SdkResource } from "./output-parts";

type Mocks = pulumi.runtime.Mocks;

/** The engine's context for a provider of the program: `URN::ID` as Pulumi tells it; undefined for the default provider. */
export type ContextOf = (provider: string | undefined) => EngineContext;

/** By a registered symbol: a test may load this package anew after it has set its mocks. */
const mark = Symbol.for("pulumi-feature-console.mocks");

/** Marks what stands in for this package's provider: it takes the inputs of a provider beside the arguments. */
export function asProvider(newResource: Mocks["newResource"]): Mocks["newResource"] {
  return Object.defineProperty(newResource, mark, { value: true });
}

/** Marks what stands in for a console: lookups ask it. Mocks that look at resources first still have it. */
export function asConsole(call: Mocks["call"], contextOf: ContextOf): Mocks["call"] {
  return Object.defineProperty(call, mark, { value: contextOf });
}

/** True where mocks that know nothing of this package's providers are in the place of Pulumi's engine. */
export function hasForeignMocks(): boolean {
  const mocks = mocksOf(pulumi.runtime.getMonitor());
  return mocks !== undefined && markOf(mocks.newResource) === undefined;
}

/** The console of lookups in a unit test; undefined where it asks the console of the settings. */
export function mockedContext(): ContextOf | undefined {
  return markOf(mocksOf(pulumi.runtime.getMonitor())?.call) as ContextOf | undefined;
}

function markOf(mock: unknown): unknown {
  return (mock as { readonly [mark]?: unknown } | undefined)?.[mark];
}

/** The mocks of a monitor that `pulumi.runtime.setMocks` has set; undefined for an engine. */
export function mocksOf(monitor: object | undefined): Partial<Mocks> | undefined {
  return (monitor as { mocks?: Mocks } | undefined)?.mocks;
}

/** Resources that the program of a unit test has constructed, on the monitor that replaces Pulumi's engine. */
const constructed = Symbol.for("pulumi-feature-console.constructed");
/** Arguments of these resources that got no value. */
const missing = Symbol.for("pulumi-feature-console.missing");
type MockMonitor = { [constructed]?: pulumi.Resource[]; [missing]?: MissingValue[] };

/** An argument that comes from a resource, or another stack, of which the mocks know no such output. */
export interface MissingValue {
  /** The resource and the path of its argument: `Gate "checkout": description`. */
  readonly place: string;
  readonly sources: readonly { readonly type: string; readonly name: string }[];
}

/** The resources of this package that the program of a unit test has constructed so far; it goes on growing. */
export function constructedUnderMocks(): readonly pulumi.Resource[] {
  return (pulumi.runtime.getMonitor() as MockMonitor | undefined)?.[constructed] ?? [];
}

/** Arguments that got no value from another package's resource or another stack so far. */
export function missingUnderMocks(): readonly MissingValue[] {
  return (pulumi.runtime.getMonitor() as MockMonitor | undefined)?.[missing] ?? [];
}

/** Notes in a unit test that an output of resources turned out to have no value. */
export function noteMissingUnderMocks(place: string, output: pulumi.Output<unknown>): void {
  const monitor = pulumi.runtime.getMonitor() as MockMonitor | undefined;
  if (monitor === undefined || mocksOf(monitor) === undefined) return;
  const sources = [...partsOf(output).resources()].map((resource) => {
    const { __pulumiType: type, __name: name } = resource as SdkResource;
    return { type: String(type), name: String(name) };
  });
  if (sources.length === 0) return;
  monitor[missing] ??= [];
  monitor[missing].push({ place, sources });
}

/**
 * Notes a resource that a unit test constructs, and makes it one failure where it fails, that of its URN: each of its
 * outputs would be one more.
 */
export function noteUnderMocks(resource: pulumi.Resource): void {
  const monitor = pulumi.runtime.getMonitor() as MockMonitor | undefined;
  if (monitor === undefined || mocksOf(monitor) === undefined) return;
  monitor[constructed] ??= [];
  monitor[constructed].push(resource);
  for (const [name, output] of Object.entries(resource)) {
    if (!pulumi.Output.isInstance(output)) continue;
    const { isKnown, isSecret } = partsOf(output);
    isSecret.catch(() => {});
    if (name !== "urn") isKnown.catch(() => {});
  }
}
