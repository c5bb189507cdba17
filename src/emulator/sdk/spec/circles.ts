import type { Spec } from "./spec";

/** The gates, segments and holdouts that ask themselves, directly or by way of others. */
export function askingThemselves(gates: readonly Spec[]): Spec[] {
  const asked = new Map(gates.map((gate) => [gate.name, askedBy(gate)]));
  const ending = endingNames(asked);
  return gates.filter(({ name }) => !ending.has(name) && reaches(asked, name, name));
}

type Asked = ReadonlyMap<string, readonly string[]>;

/** Names that lead to no circle, which are nearly all: those that ask none but such. */
function endingNames(asked: Asked): Set<string> {
  const askers = new Map([...asked.keys()].map((name): [string, string[]] => [name, []]));
  for (const [name, others] of asked) for (const other of others) askers.get(other)?.push(name);
  const ending = new Set<string>();
  const isEnding = (name: string): boolean =>
    (asked.get(name) ?? []).every((other) => ending.has(other) || !asked.has(other));
  const next = [...asked.keys()].filter(isEnding);
  for (let name = next.pop(); name !== undefined; name = next.pop()) {
    if (ending.has(name)) continue;
    ending.add(name);
    next.push(...(askers.get(name) ?? []).filter(isEnding));
  }
  return ending;
}

function reaches(asked: Asked, from: string, to: string): boolean {
  const seen = new Set<string>();
  const next = [...(asked.get(from) ?? [])];
  for (let name = next.pop(); name !== undefined; name = next.pop()) {
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    next.push(...(asked.get(name) ?? []));
  }
  return false;
}

function askedBy({ rules }: Spec): string[] {
  return rules.flatMap(({ conditions }) =>
    conditions
      .filter(({ type }) => type === "pass_gate" || type === "fail_gate")
      .map(({ targetValue }) => String(targetValue)),
  );
}
