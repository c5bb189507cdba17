import * as pulumi from "@pulumi/pulumi";
import { type EngineContext, lookUpItem, lookUpList } from "../engine";
import { unusableSettings } from "../schema/errors";
import type { JsonObject } from "../schema/json";
import { foreignProviderText } from "../texts/allowed-hosts";
import { type LookupInputs, withIds } from "./arguments/arguments";
import { knownSettingsOf, type NativeProvider, type Provider, settingsOf } from "./explicit-provider";
import { mockedContext } from "./mocks";
import { comesOfNewObject, isAbsence } from "./output-parts";
import { knownConsoles, noteLookup } from "./previews/known-consoles";
import { thisProcess } from "./process";
import type { ConfigReader } from "./provider-settings";
import type { KnownConsole } from "./runs/console-guard";
import { stackConfig } from "./runs/stack-state";
import { toPulumi } from "./wire";

/** Options of a lookup. */
export interface LookupOptions {
  /** The console to ask; left out: that of the environment or the stack's configuration. */
  readonly provider?: Provider | NativeProvider;
}

/** Filters of a list; one of the values of an array must fit. */
export type Filters<Name extends string> = {
  readonly [Filter in Name]?: string | number | boolean | readonly string[] | undefined;
};

type Parameters<Args, Given> = undefined extends Args
  ? [args?: Given, options?: LookupOptions]
  : [args: Given, options?: LookupOptions];

/** Reads while a program runs, also in a preview. Rejects with a `ConsoleError`. */
export type Lookup<Args, Result> = (...given: Parameters<Args, Args>) => Promise<Result>;

/** The same with arguments that may be outputs. */
export type OutputLookup<Args, Result> = (
  ...given: Parameters<Args, LookupInputs<Args>>
) => pulumi.Output<Result>;

/** A lookup of one object. @public Loaded where lookups are generated. */
export function itemLookup<Args, Result>(kind: string, routeName: string): Lookup<Args, Result> {
  return async (...[args, options]) =>
    toPulumi(
      await lookUpItem({ kind, routeName }, args as JsonObject | undefined, () => contextOf(options)),
    ) as Result;
}

/** A lookup of a list: every object on every page. @public Loaded where lookups are generated. */
export function listLookup<Args, Result>(kind: string, routeName: string): Lookup<Args, Result> {
  return async (...[args, options]) => {
    const found = await lookUpList({ kind, routeName }, args as JsonObject | undefined, () =>
      contextOf(options),
    );
    return found.map(toPulumi) as Result;
  };
}

/** Lets a lookup take outputs and give one. @public Loaded where lookups are generated. */
export function outputLookup<Args, Result>(lookup: Lookup<Args, Result>): OutputLookup<Args, Result> {
  return (...[args, options]) => {
    const given = withIds(args) as pulumi.Input<object>;
    const call = async ([known]: unknown[]): Promise<Result> => {
      try {
        return await lookup(...([known, options] as unknown as Parameters<Args, Args>));
      } catch (error) {
        if (isAbsence(error) && (await comesOfNewObject(given))) return pulumi.unknown as unknown as Result;
        throw error;
      }
    };
    return pulumi.all([given, settingsOf(options?.provider)]).apply(call);
  };
}

/** The console of the program's settings, which are those of an explicit provider or the stack's. */
async function contextOf({ provider }: LookupOptions = {}): Promise<EngineContext> {
  const mocked = mockedContext();
  if (mocked !== undefined) return mocked(await pulumi.ProviderResource.register(provider));
  const config = await configOf(provider);
  noteLookup(provider);
  thisProcess.session(config).guard.knowOnly((await knownConsoles(provider)) ?? []);
  return thisProcess.context(config);
}

async function configOf(provider: pulumi.ProviderResource | undefined): Promise<ConfigReader> {
  const settings = await knownSettingsOf(provider);
  if (settings !== undefined) return (key) => settings[key];
  // The stack's settings would lead to another console than the provider's.
  if (provider !== undefined) throw unusableSettings(foreignProviderText("A lookup"));
  // A process remembers what a reader has read, and with the Automation API it runs several stacks.
  return (key) => stackConfig(key);
}

/**
 * Refuses to read where the settings of a provider lead, if what the state has is in another console. Settings that a preview does
 * not know yet are not judged, nor those of a provider of another package. @throws RunError. @public Loaded when needed.
 */
export async function refuseOtherConsole(
  provider: pulumi.ProviderResource | undefined,
  consoles: readonly KnownConsole[],
): Promise<void> {
  if (provider !== undefined && settingsOf(provider) === undefined) return;
  const config = await configOf(provider).catch(() => undefined);
  if (config === undefined) return;
  const session = thisProcess.session(config);
  session.guard.knowOnly(consoles);
  const asks = consoles.some(({ project }) => project !== undefined);
  const problem = await session.otherConsole({ asks });
  if (problem !== undefined) throw new pulumi.RunError(problem);
}
