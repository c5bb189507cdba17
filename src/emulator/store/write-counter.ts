import { type LimitName, publishedLimits, scaled } from "../../provider/schema/write-limits";

/**
 * Counts writes in sliding windows; the returned function says true for one that is too many, which is not counted.
 * `scale`: what the length of the windows is multiplied by.
 */
export function countWrites(clock: () => number, scale = 1): (name: LimitName) => boolean {
  const seen: Record<LimitName, number[]> = { project: [], ids: [] };
  return (name) => {
    const now = clock();
    const windows = scaled(publishedLimits[name], scale);
    const longest = Math.max(...windows.map(({ windowMs }) => windowMs));
    const times = seen[name];
    while (times[0] !== undefined && times[0] <= now - longest) times.shift();
    const over = windows.some(({ most, windowMs }) => {
      const oldest = times[times.length - most];
      return oldest !== undefined && oldest > now - windowMs;
    });
    if (!over) times.push(now);
    return over;
  };
}
