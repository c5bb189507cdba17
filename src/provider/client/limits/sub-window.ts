import type { WriteWindow } from "../../schema/write-limits";

/** At most `points` writes in each fixed window of `seconds`. */
export interface SubWindow {
  readonly points: number;
  readonly seconds: number;
}

/**
 * Fixed windows so short that no sliding window can be overrun: one of length W meets at most ceil(W / seconds) + 1 of
 * them, each of which may be full. Whole seconds, because the library counts in them. Of all lengths the one that lets
 * most through; of equal ones the shorter, whose bursts are smaller.
 */
export function subWindowOf({ most, windowMs }: WriteWindow): SubWindow {
  const candidates = Array.from(
    { length: Math.max(1, Math.ceil(windowMs / 1000)) },
    (_, index): SubWindow => {
      const seconds = index + 1;
      return { seconds, points: Math.floor(most / (Math.ceil(windowMs / (seconds * 1000)) + 1)) };
    },
  ).filter(({ points }) => points > 0);
  // The library's windows begin with their first write, so one write in each is one in any sliding window too.
  const none = { points: 1, seconds: Math.max(1, Math.ceil(windowMs / 1000)) };
  return candidates.reduce((best, one) => (rate(one) > rate(best) ? one : best), candidates[0] ?? none);
}

function rate({ points, seconds }: SubWindow): number {
  return points / seconds;
}
