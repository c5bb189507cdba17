import { UNKNOWN } from "pulumi-feature-console/facts";
import type { DeclaredObject } from "./rule";

/** A regular expression of the policy's configuration. @throws Error that names the parameter, for one that is none. */
export function patternOf(parameter: string, text: string): RegExp {
  try {
    return new RegExp(text, "u");
  } catch {
    throw new Error(`the parameter ${parameter} is no regular expression: ${text}`);
  }
}

/** The tags that an object has; one that is not known yet is `UNKNOWN`. */
export function tagsOf({ kind, args }: DeclaredObject): string[] {
  const tags = kind.tagsField === undefined ? undefined : args[kind.tagsField];
  return (tags === UNKNOWN ? [tags] : Array.isArray(tags) ? tags : []).filter(
    (tag) => typeof tag === "string",
  );
}
