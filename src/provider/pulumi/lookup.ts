import * as pulumi from "@pulumi/pulumi";
import { pathParameters } from "../client/route-path";
import { answeredKind, everyKind } from "../definitions";
import { attempting, type EngineContext, requireSameObject } from "../engine";
import { type ObjectDefinition, routeOf } from "../schema/define";
import { bug } from "../schema/errors";
import type { JsonObject } from "../schema/json";
import { expectedId, idMember } from "../schema/object-id";
import type { Route } from "../schema/verbs";
import { fromWire } from "../schema/wire-names";
import type { LookupInputs } from "./arguments/arguments";
import { knownSettingsOf, type Provider, settingsOf } from "./explicit-provider";
import { mockedContext } from "./mocks";
import { thisProcess } from "./process";
import { toPulumi } from "./wire";

/** How a lookup is made. */
export interface LookupOptions {
  /** The console to ask; left out: that of the environment or the stack's configuration. */
  readonly provider?: Provider;
}

/** Filters of a list; an array stands for several values, one of which must fit. */
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
  const { definition, route } = find(kind, routeName);
  return (...[args, options]) =>
    asking(definition, routeName, async () => {
      const { client } = await contextOf(options);
      const input = inputOf(route, args as JsonObject);
      const answer = await client.item(route, input);
      // An answer need not repeat what the query named.
      const item = definition.identity.how === "address" ? { ...answer, ...input.query } : answer;
      // Where the path has one parameter it is the id; what has a kind of its own has an id of its own.
      const [id, ...more] = Object.values(input.params);
      const about = route.returnsKind === undefined && id !== undefined && more.length === 0;
      return shown(definition, route, about ? requireSameObject(definition, id, item) : item) as Result;
    });
}

/** A lookup of a list: every object on every page. @public Loaded where lookups are generated. */
export function listLookup<Args, Result>(kind: string, routeName: string): Lookup<Args, Result> {
  const { definition, route } = find(kind, routeName);
  return (...[args, options]) =>
    asking(definition, routeName, async () => {
      const { client } = await contextOf(options);
      const found: JsonObject[] = [];
      for await (const item of client.items(route, inputOf(route, args as JsonObject))) {
        found.push(shown(definition, route, item));
      }
      return found as Result;
    });
}

/** Lets a lookup take outputs and give one. @public Loaded where lookups are generated. */
export function outputLookup<Args, Result>(lookup: Lookup<Args, Result>): OutputLookup<Args, Result> {
  return (...[args, options]) => {
    const call = ([known]: unknown[]) => lookup(...([known, options] as unknown as Parameters<Args, Args>));
    return pulumi.all([args as pulumi.Input<object>, settingsOf(options?.provider)]).apply(call);
  };
}

const kinds: Readonly<Record<string, ObjectDefinition>> = everyKind;

function find(kind: string, routeName: string): { definition: ObjectDefinition; route: Route } {
  const definition = kinds[kind];
  if (definition === undefined) throw bug(`There is no kind "${kind}".`);
  return { definition, route: routeOf(definition, routeName) };
}

function asking<T>(definition: ObjectDefinition, routeName: string, work: () => Promise<T>): Promise<T> {
  return attempting(`look up ${definition.title} (${routeName})`, work);
}

/** What is asked: the console of the program's settings, which are those of an explicit provider or the stack's. */
async function contextOf({ provider }: LookupOptions = {}): Promise<EngineContext> {
  const mocked = mockedContext();
  if (mocked !== undefined) return mocked(await pulumi.ProviderResource.register(provider));
  const settings = await knownSettingsOf(provider);
  return thisProcess.context((key) =>
    settings === undefined ? pulumi.runtime.getConfig(key) : settings[key],
  );
}

function inputOf(route: Route, args: JsonObject = {}) {
  const parameters = pathParameters(route.path);
  const entries = Object.entries(args).filter(([, value]) => value !== undefined);
  const params = Object.fromEntries(
    entries.filter(([name]) => parameters.includes(name)).map(([name, value]) => [name, String(value)]),
  );
  const query = Object.fromEntries(entries.filter(([name]) => !parameters.includes(name))) as Record<
    string,
    string
  >;
  return { params, query };
}

/** An object under the names used here, with its id; what has no definition is shown as it came. */
function shown(definition: ObjectDefinition, route: Route, item: JsonObject): JsonObject {
  const of = answeredKind(definition, route);
  if (of === undefined) return toPulumi(item);
  const known = Object.entries(fromWire(of, item)).filter(([, value]) => value !== null);
  return toPulumi({ id: idOf(of, item), ...filledIn(of), ...Object.fromEntries(known) });
}

/** What a program may say and an answer may leave out, with what that means. */
function filledIn({ fields }: ObjectDefinition): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { mode, facts }]) =>
      mode === "input" && facts.remembered !== true && (facts.serverDefault ?? null) !== null
        ? [[name, facts.serverDefault]]
        : [],
    ),
  );
}

/** An object of which every project has one has no id in the console, nor has what several arguments lead to. */
function idOf(definition: ObjectDefinition, item: JsonObject): unknown {
  const { how } = definition.identity;
  const isKnown = how === "singleton" || how === "address";
  return isKnown ? expectedId(definition, fromWire(definition, item)) : item[idMember(definition)];
}
