import { type Audit, auditOf, showsChanges } from "../core/audit";
import { sameMeaning } from "../core/compare";
import type { ResourceDefinition } from "../core/define";
import type { JsonObject } from "../core/json";
import { viewOf } from "../core/managed";

/** Who changed something, and when. */
export interface Change {
  /** An e-mail; null for a key; undefined where the console does not tell. */
  readonly by: string | null | undefined;
  /** Milliseconds since 1970; undefined where the console does not tell. */
  readonly at: number | undefined;
}

/**
 * Who gave a field the value that it has, and when. `forms`: the object as it is and as it was, newest first, back to what
 * was applied where the console keeps that; with the first alone it is who changed the object last.
 */
export function changeOf(definition: ResourceDefinition, forms: readonly JsonObject[], name: string): Change {
  const values = forms.map((form) => viewOf(definition, form)[name]);
  const at = values.findIndex(
    (value, index) => index + 1 < values.length && !sameMeaning(definition, name, value, values[index + 1]),
  );
  return changeIn(definition, auditOf(definition, forms[Math.max(at, 0)] ?? {}));
}

function changeIn(definition: ResourceDefinition, { changed, changedBy }: Audit): Change {
  const by = typeof changedBy === "string" && changedBy !== "" ? changedBy : null;
  return { by: showsChanges(definition) && changed !== undefined ? by : undefined, at: changed };
}

/** `ana@example.com, 2026-11-22 10:03 UTC`. */
export function changeText({ by, at }: Change): string {
  const who = by === undefined ? "not told by the console" : (by ?? "a key");
  return at === undefined ? who : `${who}, ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
