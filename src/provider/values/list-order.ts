/** The order of elements that stood in a list before: the program's, as somebody last saw it, and the console's. */
export interface Orders<Element> {
  readonly wanted: readonly Element[];
  readonly seen: readonly Element[];
  readonly live: readonly Element[];
  /** Who changed it; where both made the same of it, the program alone. */
  readonly changedBy: "nobody" | "program" | "console" | "both";
}

/** Whose order a list has. `wanted`: in the program's order; `seenAt`, `liveAt`: the places that they had and have. */
export function ordersOf<Element>(
  wanted: readonly Element[],
  seenAt: (element: Element) => number,
  liveAt: (element: Element) => number,
): Orders<Element> {
  const sorted = (placeOf: (element: Element) => number) =>
    wanted.toSorted((one, other) => placeOf(one) - placeOf(other));
  const [seen, live] = [sorted(seenAt), sorted(liveAt)];
  const byProgram = !isRising(wanted.map(seenAt));
  const byConsole = !isRising(seen.map(liveAt)) && !isRising(wanted.map(liveAt));
  const changedBy = byProgram ? (byConsole ? "both" : "program") : byConsole ? "console" : "nobody";
  return { wanted, seen, live, changedBy };
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((one, at) => at === 0 || one > (numbers[at - 1] ?? 0));
}
