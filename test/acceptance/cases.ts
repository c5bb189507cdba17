import type { JsonObject } from "../../src/core/json";
import type { ToolKind } from "./tools";

/** What such a tool declares of an object, and what a read shows otherwise for a reason that the pages give. */
export interface Case {
  readonly kind: ToolKind;
  readonly what: string;
  readonly body: JsonObject;
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
