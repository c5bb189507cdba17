import type { ResourceDefinition } from "../../../provider/schema/define";
import type { JsonObject } from "../../../provider/schema/json";

/** What a change of the argument does that gives an object another secret; undefined for a kind that has none. */
export function rotationOf(
  { lifecycle }: ResourceDefinition,
  program: JsonObject,
): { readonly field: string; readonly keeps: boolean; readonly text: string } | undefined {
  const part = lifecycle.update.find(({ how }) => how === "rotate");
  if (part?.how !== "rotate") return undefined;
  const { field, keep } = part;
  const keeps = program[keep.field] === keep.is;
  const text = keeps
    ? `it gets another value, and the old one stays active (${keep.field} ${keep.is})`
    : `it gets another value, and the old one stops working at once (${keep.field} ${keep.is} leaves it active)`;
  return { field, keeps, text };
}
