import { type Fielded, fieldsBy, fieldsWith } from "./define";
import type { AuditRole } from "./field";
import type { JsonObject } from "./json";
import { memoized } from "./memoized";

/** Authors, times and number of changes that an object shows; undefined where it does not show them. */
export interface Audit {
  /** Counts its changes; 1 for a new object. */
  readonly version: number | undefined;
  /** Milliseconds since 1970. */
  readonly created: number | undefined;
  /** Milliseconds since 1970. */
  readonly changed: number | undefined;
  /** An e-mail; of a key null. */
  readonly madeBy: unknown;
  /** An e-mail; of a key null. */
  readonly changedBy: unknown;
}

/** Names of the fields that tell of an object's history, by the trait `audit`. */
export const auditNames = memoized((definition: Fielded) => fieldsBy(definition, ({ audit }) => audit));

/** History of an object, from values under the names used here. */
export function auditOf(definition: Fielded, values: JsonObject): Audit {
  const names = auditNames(definition);
  const shown = (role: AuditRole): unknown => values[names[role] ?? ""];
  const [version, created, changed] = (["version", "created", "changed"] as const)
    .map(shown)
    .map((value) => (typeof value === "number" ? value : undefined));
  return { version, created, changed, madeBy: shown("madeBy"), changedBy: shown("changedBy") };
}

/** The version of an object, or else the time of its last change: another one shows that it changed meanwhile. */
export function lastMarkOf(definition: Fielded, values: JsonObject): number | undefined {
  const { version, changed } = auditOf(definition, values);
  return version ?? changed;
}

/** Names of the fields that state keeps. The console counts or changes the others by itself, and lookups show them. */
export const keptNames = memoized((definition: Fielded): ReadonlySet<string> => {
  const { version, changed } = auditNames(definition);
  const mark = version ?? changed;
  return new Set(
    fieldsWith(
      definition,
      ({ mode, traits }, name) => mode !== "output" || traits.volatile !== true || name === mark,
    ),
  );
});

/** Names of the fields that a resource shows a program: those of its state that reads show. */
export const outputNames = memoized((definition: Fielded): readonly string[] =>
  [...keptNames(definition)].filter((name) => definition.fields[name]?.traits.remembered !== true),
);

/** True where reads show when an object last changed, or how often: where it can be told from one that others made. */
export function showsChanges(definition: Fielded): boolean {
  const { version, changed } = auditNames(definition);
  return version !== undefined || changed !== undefined;
}

/** Author and time of a change. */
export interface Change {
  /** An e-mail; null for a key; undefined where the console does not tell. */
  readonly by: string | null | undefined;
  /** Milliseconds since 1970; undefined where the console does not tell. */
  readonly at: number | undefined;
}

/** Author and time of the last change of an object. */
export function lastChangeOf(definition: Fielded, values: JsonObject): Change {
  const { changed, changedBy } = auditOf(definition, values);
  const by = typeof changedBy === "string" && changedBy !== "" ? changedBy : null;
  return { by: showsChanges(definition) && changed !== undefined ? by : undefined, at: changed };
}

/** `ana@example.com, 2026-11-22 10:03 UTC`. */
export function changeText({ by, at }: Change): string {
  const who = by === undefined ? "not shown by the console" : (by ?? "a key");
  return at === undefined ? who : `${who}, ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
