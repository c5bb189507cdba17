import { everyKind } from "../definitions";
import type { ObjectDefinition } from "../schema/define";
import { isObject, type JsonObject, mapped, membersOf } from "../schema/json";
import type { Route } from "../schema/verbs";
import { itemOf } from "./answer";
import { Caller, type CallInput, type Ports } from "./call";
import type { MethodOf } from "./operation-types";
import { eachPage } from "./pages";
import { pathParameters } from "./route-path";
import { type ClientSettings, resolveSettings } from "./settings";
import { httpTransport } from "./transport";
import { renameUnitIds } from "./unit-ids";

type Catalog = typeof everyKind;

/**
 * A method for every route of every kind, for example `client.gate.patch({ id: "a_gate", body: { isEnabled: false } })`
 * or `for await (const gate of client.gate.list())`. Bodies and answers are in the API's names; the unit-id member is
 * always the neutral one. Every failure is a `ConsoleError`.
 */
export type ConsoleClient = {
  readonly [K in keyof Catalog]: {
    readonly [R in keyof Catalog[K]["routes"]]: MethodOf<Catalog[K], Catalog[K]["routes"][R]>;
  };
};

/** Members that a client of routes passes on from its caller. */
type OfCaller = "writes" | "sentWrites" | "requests" | "clockOffsetMs" | "project";

/** Client of the engine: routes by value, so that it needs to know no kind. */
export interface RouteClient extends Pick<Caller, OfCaller> {
  /** The object of the answer. */
  item(route: Route, input: CallInput): Promise<JsonObject>;
  /** The object of the answer, if it holds one. */
  maybeItem(route: Route, input: CallInput): Promise<JsonObject | undefined>;
  /** Every object of a list, page after page. */
  items(route: Route, input: CallInput): AsyncIterableIterator<JsonObject>;
  /** The same, page by page. Returns true where the pages tell that the list changed meanwhile. */
  pages(route: Route, input: CallInput): AsyncGenerator<JsonObject[], unknown>;
}

/** A client of routes. Without a transport it speaks HTTP. @throws ConsoleError "settings". */
export function createRouteClient(settings: ClientSettings, ports?: Partial<Ports>): RouteClient {
  const resolved = resolveSettings(settings);
  const transport = ports?.transport ?? httpTransport(resolved.limits.maxConcurrency);
  const caller = new Caller(resolved, { ...ports, transport });
  const read = (item: JsonObject) => renameUnitIds(item, resolved.profile, "read") as JsonObject;
  return {
    item: async (route, input) =>
      read(itemOf(`${route.method} ${route.path}`, await caller.call(route, input))),
    maybeItem: async (route, input) => {
      const { data } = await caller.call(route, input);
      return isObject(data) ? read(data) : undefined;
    },
    items: async function* (route, input) {
      for await (const page of eachPage(caller, route, input, read)) yield* page;
    },
    pages: (route, input) => eachPage(caller, route, input, read),
    writes: () => caller.writes(),
    sentWrites: () => caller.sentWrites(),
    requests: () => caller.requests(),
    clockOffsetMs: () => caller.clockOffsetMs(),
    project: caller.project,
  };
}

/** A client with a method for every operation. @throws ConsoleError "settings". */
export function createClient(settings: ClientSettings, ports?: Partial<Ports>): ConsoleClient {
  const routes = createRouteClient(settings, ports);
  const kinds: unknown = mapped(everyKind as Record<string, ObjectDefinition>, (definition) =>
    mapped(definition.routes, (route) => methodOf(routes, route)),
  );
  return kinds as ConsoleClient;
}

/** The API requires a body even where it need not say anything (console-api, section 2). */
function bodyOf({ body }: Route, given: unknown): Pick<CallInput, "body"> {
  if (given !== undefined) return { body: given };
  return body !== undefined && "schema" in body && body.schema.safeParse({}).success ? { body: {} } : {};
}

/** Input of any method: parameters of the path beside query and body. */
type AnyInput = { readonly [param: string]: unknown } & Pick<CallInput, "query" | "body">;

function methodOf(routes: RouteClient, route: Route): (input?: AnyInput) => unknown {
  return ({ query, body, ...rest } = {}) => {
    const params = membersOf(pathParameters(route.path), (name) => rest[name] as string);
    const call: CallInput = {
      params,
      ...(query === undefined ? {} : { query }),
      ...bodyOf(route, body),
    };
    if (route.returns === "items") return routes.items(route, call);
    return route.returns === "item"
      ? routes.item(route, call)
      : routes.maybeItem(route, call).then(() => undefined);
  };
}
