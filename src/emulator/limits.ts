/** At most so many requests in so many milliseconds. */
interface Window {
  readonly most: number;
  readonly ms: number;
}

/** The published write limits (console-api, section 6). Those of the project count every key and every process. */
export const publishedLimits = {
  project: [
    { most: 100, ms: 10_000 },
    { most: 900, ms: 900_000 },
  ],
  ids: [
    { most: 12, ms: 10_000 },
    { most: 900, ms: 900_000 },
  ],
} as const satisfies Record<string, readonly Window[]>;

/** Name of a limit. */
export type LimitName = keyof typeof publishedLimits;

/** Counts writes in sliding windows; the returned function says true for one that is too many, which is not counted. */
export function countWrites(clock: () => number): (name: LimitName) => boolean {
  const seen: Record<LimitName, number[]> = { project: [], ids: [] };
  return (name) => {
    const now = clock();
    const windows = publishedLimits[name];
    const longest = Math.max(...windows.map((window) => window.ms));
    const times = seen[name].filter((time) => time > now - longest);
    seen[name] = times;
    const over = windows.some(({ most, ms }) => times.filter((time) => time > now - ms).length >= most);
    if (!over) times.push(now);
    return over;
  };
}
