/** At most `most` writes in any `windowMs` milliseconds. */
export interface WriteWindow {
  readonly most: number;
  readonly windowMs: number;
}

/**
 * The published write limits, shortest window first. Those of the project count every key and every process; writes of
 * ids count against both. Sources: console-api, section 6; console-api/segments.md, section 4.
 */
export const publishedLimits = {
  project: [
    { most: 100, windowMs: 10_000 },
    { most: 900, windowMs: 900_000 },
  ],
  ids: [
    { most: 12, windowMs: 10_000 },
    { most: 900, windowMs: 900_000 },
  ],
} as const satisfies Record<string, readonly WriteWindow[]>;

/** Name of a write limit. */
export type LimitName = keyof typeof publishedLimits;

/** The same limits in windows that are longer or shorter by a factor. */
export function scaled(windows: readonly WriteWindow[], factor: number): WriteWindow[] {
  return windows.map(({ most, windowMs }) => ({ most, windowMs: windowMs * factor }));
}
