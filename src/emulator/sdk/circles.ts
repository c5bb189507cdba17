import type { Spec } from "./spec";

/** The gates, segments and holdouts that ask themselves, each directly or by way of others that do so too. */
export function askingThemselves(gates: readonly Spec[]): Spec[] {
  const asks = new Map(gates.map((gate) => [gate.name, new Set(askedBy(gate))]));
  const isAskedBy = new Map<string, Set<string>>(gates.map(({ name }) => [name, new Set()]));
  for (const [name, others] of asks) for (const other of others) isAskedBy.get(other)?.add(name);
  // Whoever asks none of those left is in no circle, and neither is one whom none of them asks.
  const left = withoutEnds(new Set(asks.keys()), asks, isAskedBy);
  const inCircles = withoutEnds(left, isAskedBy, asks);
  return gates.filter(({ name }) => inCircles.has(name));
}

type Links = ReadonlyMap<string, ReadonlySet<string>>;

/** Names without those that lead to no other that is left, again and again. `back`: the same links the other way. */
function withoutEnds(names: ReadonlySet<string>, links: Links, back: Links): Set<string> {
  const left = new Set(names);
  const isEnd = (name: string): boolean => ![...(links.get(name) ?? [])].some((other) => left.has(other));
  const ends = [...left].filter(isEnd);
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    left.delete(end);
    ends.push(...[...(back.get(end) ?? [])].filter((name) => left.has(name) && isEnd(name)));
  }
  return left;
}

function askedBy({ rules }: Spec): string[] {
  return rules.flatMap(({ conditions }) =>
    conditions
      .filter(({ type }) => type === "pass_gate" || type === "fail_gate")
      .map(({ targetValue }) => String(targetValue)),
  );
}
