/** A measured share of users; percentages from 0 to 100. */
export interface Share {
  readonly percent: number;
  /** The lower end of the interval in which the real share is in 999 of 1,000 measurements. */
  readonly low: number;
  readonly high: number;
  /** Number of users asked. */
  readonly count: number;
}

/** Normal quantile of 99.9 %, both sides. */
const quantile = 3.2905;

/** The share and its interval by Wilson, which is right also near 0 and 100 %. */
export function shareOf(passing: number, count: number): Share {
  const share = passing / count;
  const square = quantile ** 2 / count;
  const middle = (share + square / 2) / (1 + square);
  const half = (quantile * Math.sqrt((share * (1 - share)) / count + square / (4 * count))) / (1 + square);
  const percent = (value: number): number => Math.round(value * 10_000) / 100;
  return {
    percent: percent(share),
    low: percent(Math.max(0, middle - half)),
    high: percent(Math.min(1, middle + half)),
    count,
  };
}
