/** Stands for a result that did not come in time. */
export const late: unique symbol = Symbol("late");

/** Parts in which the time is counted. While this process computes, as where a program is compiled, no more than one of them passes. */
const parts = 20;

/** The result of some work, or {@link late} after so many milliseconds of waiting; the work goes on. The wait alone keeps no process alive. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | typeof late> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<typeof late>((resolve) => {
    let left = parts;
    timer = setInterval(() => {
      left -= 1;
      if (left === 0) resolve(late);
    }, ms / parts).unref();
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearInterval(timer);
  }
}
