import { routeOf } from "../../provider/schema/define";
import { keptIn, memoized } from "../../provider/schema/memoized";
import type { Route } from "../../provider/schema/verbs";
import type { Behaviour, Operation } from "../console/behaviour";
import { operationsOf } from "../console/default-operations";

/** An operation that a request means. */
export interface Match {
  readonly behaviour: Behaviour;
  /** Name of the route in its definition. */
  readonly name: string;
  readonly route: Route;
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

type Entry = Omit<Match, "params"> & { readonly segments: readonly string[] };

/** Finds the operation of a method and a path below the prefix; undefined when there is none. */
export type Router = (method: string, path: string) => Match | undefined;

/** A router over the routes of the definitions: all consoles over the same kinds share one. Throws what {@link operationsOf} throws. */
export const createRouter: (behaviours: readonly Behaviour[]) => Router = memoized((behaviours) => {
  const table = new Map<string, Entry[]>();
  for (const behaviour of behaviours) {
    for (const [name, operation] of Object.entries(operationsOf(behaviour))) {
      const route = routeOf(behaviour.definition, name);
      const segments = route.path.split("/").slice(1);
      const key = `${route.method} ${segments.length}`;
      keptIn(table, key, () => []).push({ behaviour, name, route, operation, segments });
    }
  }
  // A literal segment wins over a parameter in the same place.
  for (const entries of table.values()) entries.sort((a, b) => compare(a.segments, b.segments));
  return (method, path) => {
    const parts = path.split("/").slice(1);
    for (const { segments, ...match } of table.get(`${method} ${parts.length}`) ?? []) {
      const params = bindPath(segments, parts);
      if (params !== undefined) return { ...match, params };
    }
    return undefined;
  };
});

const isParameter = (segment: string): boolean => segment.startsWith("{");

function compare(left: readonly string[], right: readonly string[]): number {
  const rank = (segments: readonly string[]): string =>
    segments.map((one) => (isParameter(one) ? "1" : "0")).join("");
  return rank(left) < rank(right) ? -1 : 1;
}

function bindPath(segments: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (segments.some((segment, index) => !isParameter(segment) && segment !== parts[index])) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    if (!isParameter(segment)) continue;
    const value = decodedPart(parts[index] ?? "");
    if (value === undefined || value === "") return undefined;
    params[segment.slice(1, -1)] = value;
  }
  return params;
}

/** A part of a path as it is meant; undefined for one that no client has encoded. */
export function decodedPart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
