import type { Problem } from "./define";
import { isObject } from "./json";
import type { Path } from "./path";

/**
 * Findings about numbers that no JSON can say, at any depth. Pulumi hands them over as they are and keeps them in state;
 * a request would say null in their place.
 */
export function numberProblems(value: unknown, path: Path = []): Problem[] {
  if (typeof value === "number" && !Number.isFinite(value))
    return [{ path, message: `found ${value}; JSON has no such number` }];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => numberProblems(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => numberProblems(member, [...path, name]));
}
