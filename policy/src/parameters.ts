import { DateTime } from "luxon";
import { kindNames, UNKNOWN } from "pulumi-feature-console/facts";
import type { DeclaredObject } from "./rule";

/** A regular expression of the policy's configuration, which `patternProblems` has found to be one. */
export function patternOf(text: string): RegExp {
  return new RegExp(text, "u");
}

/** What is wrong with a regular expression. */
export function patternProblems(place: string, text: string): string[] {
  try {
    patternOf(text);
    return [];
  } catch (error) {
    const why = String((error as Error).message)
      .split(": ")
      .at(-1);
    return [`${place} is "${text}", which is no regular expression (${why})`];
  }
}

/** What is wrong with names of kinds: a misspelt one would silently be about nothing. */
export function kindProblems(place: string, names: readonly string[]): string[] {
  return names
    .filter((name) => !kindNames.includes(name))
    .map((name) => {
      const plain = name.toLowerCase().replace(/[^a-z]/g, "");
      const meant = kindNames.find((kind) => plain.startsWith(kind.toLowerCase()));
      const advice =
        meant === undefined ? `the kinds are ${kindNames.join(", ")}` : `did you mean "${meant}"?`;
      return `${place} names "${name}", which is no kind; ${advice}`;
    });
}

/** What is wrong with the name of a time zone. */
export function timeZoneProblems(place: string, zone: string): string[] {
  if (DateTime.local({ zone }).isValid) return [];
  return [`${place} is "${zone}", which is no time zone; one is, for example, Europe/Berlin`];
}

/** The tags that an object has; one that is not known yet is `UNKNOWN`. */
export function tagsOf({ kind, args }: DeclaredObject): string[] {
  const tags = kind.tagsField === undefined ? undefined : args[kind.tagsField];
  return (tags === UNKNOWN ? [tags] : Array.isArray(tags) ? tags : []).filter(
    (tag) => typeof tag === "string",
  );
}
