/** Where progress goes. Standard error, so that the output of `npm run pulumi -- … --json` stays clean. */
export interface ProgressStream {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Seconds for people: `4.2 s`, `75 s`. */
export function seconds(milliseconds: number): string {
  const value = milliseconds / 1000;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} s`;
}

/**
 * Does some work while telling the person who waits for it: one line when it starts, the elapsed time every few
 * seconds (on a terminal the line is rewritten), one line when it is done. The work may add a short note.
 */
export async function withProgress<Result>(
  label: string,
  work: (note: (text: string) => void) => Promise<Result>,
  stream: ProgressStream = process.stderr,
): Promise<Result> {
  const started = Date.now();
  let remark = "";
  const line = (state: string) => `${label}${state}${remark && ` (${remark})`}`;
  const show = (text: string) => stream.write(stream.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
  show(line(" ..."));
  const timer = setInterval(
    () => show(line(` ... ${seconds(Date.now() - started)}`)),
    stream.isTTY ? 1000 : 10_000,
  );
  try {
    const result = await work((text) => {
      remark = text;
    });
    show(line(`: done in ${seconds(Date.now() - started)}`));
    return result;
  } catch (error) {
    show(line(`: failed after ${seconds(Date.now() - started)}`));
    throw error;
  } finally {
    clearInterval(timer);
    if (stream.isTTY) stream.write("\n");
  }
}
