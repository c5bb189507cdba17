import type { JsonObject } from "../../src/provider/schema/json";
import type { ToolKind } from "./tools";

/** What such a tool declares of an object, and what a read shows otherwise for a reason that the pages give. */
export interface Case {
  readonly kind: ToolKind;
  readonly what: string;
  readonly body: JsonObject;
  /** What it is made with instead, before it becomes what it is to be. */
  readonly made?: JsonObject;
  /** True where nothing can be sent once it is what it is to be. */
  readonly isFinal?: true;
  /** Member -> what is read for it. */
  readonly reads?: JsonObject;
}

/** Cases of one kind. */
export function casesOf(
  kind: ToolKind,
  bodies: Readonly<Record<string, JsonObject | readonly [body: JsonObject, reads: JsonObject]>>,
): Case[] {
  return Object.entries(bodies).map(([what, said]) => {
    const isPair = (value: typeof said): value is readonly [JsonObject, JsonObject] => Array.isArray(value);
    return isPair(said) ? { kind, what, body: said[0], reads: said[1] } : { kind, what, body: said };
  });
}

/** `gate: every argument`. */
export function nameOf({ kind, what }: Case): string {
  return `${kind}: ${what}`;
}
