import * as pulumi from "@pulumi/pulumi";
import { consoleMember, explicitMember, projectMember } from "../../schema/internal";
import { keptIn } from "../../schema/memoized";
import { countOf, listText } from "../../texts/count-text";
import { partsOf } from "../output-parts";
import { type ConfigReader, collectSettings } from "../provider-settings";
import type { KnownConsole } from "../runs/console-guard";
import { type StackState, type StoredResource, stackConfig, storedState } from "../runs/stack-state";
import { kindInType } from "../stored-names";
import { explicitConfigs, titleIn } from "./stored-kinds";

/** By state and the URN of a provider: the same for all its resources. */
const found = new WeakMap<StackState, Map<string | undefined, readonly KnownConsole[]>>();

/** The explicit provider of a resource that is being constructed; undefined for the stack's own settings. */
export function explicitProvider(
  type: string,
  { provider, parent }: pulumi.CustomResourceOptions,
): pulumi.ProviderResource | undefined {
  return provider ?? parent?.getProvider(type);
}

/** Providers whose consoles lookups have asked, by program: with the Automation API a process runs several. */
const lookedUp = new WeakMap<object, Set<pulumi.ProviderResource | undefined>>();

/** Notes that a lookup of the program asks the console of a provider; undefined: that of the stack's own settings. */
export function noteLookup(provider: pulumi.ProviderResource | undefined): void {
  const monitor = pulumi.runtime.getMonitor();
  if (monitor === undefined) return;
  keptIn(lookedUp, monitor, () => new Set<pulumi.ProviderResource | undefined>()).add(provider);
}

/** True once a lookup of the program has asked the console of a provider. */
export function hasLookedUp(provider: pulumi.ProviderResource | undefined): boolean {
  const monitor = pulumi.runtime.getMonitor();
  return monitor !== undefined && lookedUp.get(monitor)?.has(provider) === true;
}

/** The URN of a provider. As an output it would make what waits for it depend on the provider. */
export async function urnOfProvider(
  provider: pulumi.ProviderResource | undefined,
): Promise<string | undefined> {
  const urn: unknown = provider === undefined ? undefined : await partsOf(provider.urn).promise();
  return typeof urn === "string" ? urn : undefined;
}

/**
 * The consoles that the program's own state names for the resources of a provider, left out for the stack's own settings: also of
 * those that the program no longer declares. Undefined where the state cannot be read, and in unit tests.
 */
export async function knownConsoles(
  provider?: pulumi.ProviderResource,
): Promise<readonly KnownConsole[] | undefined> {
  const state = await storedState();
  if (state === undefined) return undefined;
  const urn = await urnOfProvider(provider);
  if (provider !== undefined && urn === undefined) return undefined;
  const known = keptIn(found, state, () => new Map<string | undefined, readonly KnownConsole[]>());
  return keptIn(known, urn, () => consolesIn(state, urn));
}

/** The consoles in a state of the resources that have the explicit provider of this URN, or none. */
function consolesIn(state: StackState, provider: string | undefined): readonly KnownConsole[] {
  const { consoleIn } = require("../runs/console-guard") as typeof import("../runs/console-guard");
  const isOf = providerTest(state, provider);
  const named = [...state].flatMap(([urn, stored]) => {
    if (kindInType(stored.type) === undefined || !isOf(stored)) return [];
    return consoleIn(stored.outputs, titleIn(urn, stored)) ?? [];
  });
  const places = Map.groupBy(named, ({ console, project = "" }) => `${console} ${project}`);
  return [...places.values()].flatMap(([first, ...more]) => {
    if (first === undefined || more.length === 0) return first ?? [];
    return { ...first, object: `${first.object}, as well as ${countOf(more.length, "more object")},` };
  });
}

/**
 * Tests a stored resource for its provider, which Pulumi does not show to a program, and states of earlier versions do not either:
 * an object where an explicit provider leads may be that provider's, so it is left out.
 */
function providerTest(state: StackState, provider: string | undefined): (stored: StoredResource) => boolean {
  const { digestOf } = require("../runs/console-digest") as typeof import("../runs/console-digest");
  if (provider !== undefined) {
    const own = digestOf(provider);
    return ({ outputs }) => outputs[explicitMember] === own;
  }
  const explicit = new Set(digestsOf(explicitConfigs(state)));
  return ({ outputs }) =>
    outputs[explicitMember] === undefined &&
    (outputs[projectMember] !== undefined || !explicit.has(String(outputs[consoleMember])));
}

/** Digests of the consoles that settings lead to, where they do. */
function digestsOf(configs: readonly ConfigReader[]): string[] {
  const { consoleDigest } = require("../runs/console-digest") as typeof import("../runs/console-digest");
  return configs.flatMap((config) => {
    try {
      return [consoleDigest(collectSettings(config, process.env))];
    } catch {
      return [];
    }
  });
}

/** Digests of the consoles that the settings of this run and of the explicit providers in state lead to. */
export function consolesOf(state: StackState): ReadonlySet<string> | undefined {
  if (![...state.values()].some(({ outputs }) => outputs[consoleMember] !== undefined)) return undefined;
  const digests = digestsOf([stackConfig, ...explicitConfigs(state)]);
  return digests.length === 0 ? undefined : new Set(digests);
}

/** True for an object that state says is in none of these consoles. */
export function isInNone(consoles: ReadonlySet<string>, { outputs }: StoredResource): boolean {
  const { isElsewhere } = require("../../engine/context") as typeof import("../../engine/context");
  return [...consoles].every((console) => isElsewhere(console, outputs));
}

/** Most objects that the notice names. */
const most = 20;

/** A notice of the objects that are in another console than those of these digests; undefined where none is. */
export function elsewhereNotice(state: StackState, consoles: ReadonlySet<string>): string | undefined {
  const [first, ...others] = [...state].flatMap(([urn, stored]) =>
    kindInType(stored.type) !== undefined && isInNone(consoles, stored) ? [titleIn(urn, stored)] : [],
  );
  if (first === undefined) return undefined;
  const { elsewhereText } = require("../../engine/context") as typeof import("../../engine/context");
  return elsewhereText(others.length === 0 ? first : `${first}, as well as ${listText(others, most - 1)},`);
}
