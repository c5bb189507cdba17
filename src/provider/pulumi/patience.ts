/** Stands for a result that did not come in time. */
export const late: unique symbol = Symbol("late");

/** The result of some work, or {@link late} after so many milliseconds; the work goes on. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | typeof late> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
