import type { ShownKind } from "./kinds";

/** The views of the page that are no list of a kind. */
export const views = { changes: "Changes", events: "Events" } as const;

/** A view that is no list of a kind. */
export type View = keyof typeof views;

/** A view, a list or an object of the page. */
export interface PageLocation {
  readonly kind?: ShownKind;
  readonly id?: string;
  /** Words of a search. */
  readonly text?: string;
  /** Counts from 1. */
  readonly page?: number;
  readonly view?: View;
}

/** The address of a place; everything is a query of one path. */
export function addressOf({ kind, id, text, page, view }: PageLocation): string {
  const query = new URLSearchParams();
  if (view !== undefined) query.set("view", view);
  if (kind !== undefined) query.set("kind", kind.definition.name);
  if (id !== undefined) query.set("id", id);
  if (text !== undefined && text !== "") query.set("q", text);
  if (page !== undefined && page > 1) query.set("page", String(page));
  return `/?${query}`;
}

/** Path of questions. */
export const evaluatePath = "/ui/evaluate";
