import { reachedFrom } from "../../../provider/schema/references";
import type { Spec, SpecCondition } from "./spec";

/** Rules, as far as they ask gates. */
interface Asking {
  readonly rules: readonly {
    readonly conditions: readonly Pick<Partial<SpecCondition>, "type" | "targetValue">[];
  }[];
}

/** The gates that rules ask. */
export function gatesAskedBy({ rules }: Asking): string[] {
  return rules
    .flatMap(({ conditions }) => conditions)
    .filter(({ type }) => type === "pass_gate" || type === "fail_gate")
    .map(({ targetValue }) => String(targetValue));
}

/** The gates, segments and holdouts that ask themselves, directly or by way of others. */
export function askingThemselves(gates: readonly Spec[]): Spec[] {
  const asked = new Map(gates.map((gate) => [gate.name, gatesAskedBy(gate)]));
  const askedBy = (name: string): readonly string[] => asked.get(name) ?? [];
  // Nearly all lead to no circle: those that ask none but such.
  const open = new Set(asked.keys());
  for (let before = Number.POSITIVE_INFINITY; open.size < before; ) {
    before = open.size;
    for (const name of open) if (!askedBy(name).some((other) => open.has(other))) open.delete(name);
  }
  return gates.filter(({ name }) => open.has(name) && reachedFrom(askedBy(name), askedBy).has(name));
}
