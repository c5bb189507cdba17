import { z } from "zod";
import { input, nested } from "../../../schema/field";
import type { JsonObject } from "../../../schema/json";
import { type Route, route } from "../../../schema/verbs";
import { textOrNone } from "../traits";

/** A set of overrides. */
export const set = { unordered: true, clearWith: [] } as const;
/** Ids of units. */
export const ids = (doc: string) => nested(z.array(z.string().min(1)), { doc, unordered: true });
/** Environment of an override. */
export const environment = textOrNone("Environment in which it holds; left out: in all of them.");

/** The object whose overrides they are: its id is theirs. */
export const owner = (kind: string) =>
  input(z.string().min(1), {
    doc: `Id of the ${kind}. It has one such resource.`,
    replaces: true,
    refersTo: kind,
  });

/** The routes of overrides, which their object's kind has already: the read, and the replacement of all of them. */
export function routesOf<const F extends string>(
  routes: { readonly getOverrides: Route; readonly setOverrides: Route },
  members: readonly F[],
  requires: readonly F[] = members,
) {
  const { getOverrides: read, setOverrides: write } = routes;
  const status = (one: Route) => (one.status === undefined ? {} : { status: one.status });
  return {
    get: route("GET", read.path, "item", read.doc, status(read)),
    set: route("POST", write.path, "item", write.doc, {
      ...status(write),
      body: { only: members, requires },
    }),
  };
}

/** Lifecycle of every kind of overrides. `of`: the kind whose objects have them. `shape`: the body in the form in which the route takes it. */
export function lifecycleOf(of: string, shape?: (body: JsonObject) => JsonObject) {
  return {
    create: { how: "send", route: "set", duplicates: "unstated", fills: true },
    read: { how: "get", route: "get", noneOf: of },
    update: [{ how: "put", route: "set", over: "get", ...(shape === undefined ? {} : { shape }) }],
    delete: {
      remove: { route: "set", clears: { read: "get", ...(shape === undefined ? {} : { shape }) } },
      onDeleteDefault: "delete",
    },
  } as const;
}
