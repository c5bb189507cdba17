/** A line about waiting, as the user saw it. */
export interface Announced {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
  readonly writesLeft?: number;
  readonly leftMs?: number;
}

const line =
  /waiting \d+ s for the console's write limit(?:, (\d+) writes? left, (?:about|at least) ([\d.]+) (s|min|h))?/g;
const units: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000 };

/** The announcements in a piece of output; Pulumi repeats what was said when it ends. */
export function announcedIn(text: string, at: number): Announced[] {
  return [...text.matchAll(line)].map(([said, writes, amount, unit = ""]) => {
    if (writes === undefined) return { at, text: said };
    return { at, text: said, writesLeft: Number(writes), leftMs: Number(amount) * (units[unit] ?? 0) };
  });
}

/** How far the first announcement was from the truth: 0.2 for 20 %. Undefined without one. */
export function errorOf(announced: readonly Announced[], lastWriteAt: number): number | undefined {
  const first = announced.find(({ leftMs }) => leftMs !== undefined);
  if (first?.leftMs === undefined) return undefined;
  const real = lastWriteAt - first.at;
  return Math.abs(first.leftMs - real) / real;
}

/** The announcements that promised more time than there was: "at least" of runs that share the limit. */
export function tooLong(announced: readonly Announced[], lastWriteAt: number): readonly Announced[] {
  const first = announced.filter(
    ({ text }, index) => announced.findIndex((one) => one.text === text) === index,
  );
  return first.filter(({ at, leftMs = 0 }) => at + leftMs > lastWriteAt);
}
