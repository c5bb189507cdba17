import type { Interruption } from "./interruptions";
import type { ManyGates } from "./many-gates";
import type { Proof } from "./proof";

/** What a proof showed, in lines. */
export function proofLines(
  what: string,
  { seconds, requests, lines, peakBytes, told, faults }: Proof,
): string[] {
  const all = Object.values(requests).reduce((sum, one) => sum + one, 0);
  const times = Object.entries(seconds).map(([step, one]) => `${step} ${one.toFixed(1)} s`);
  const memory = peakBytes === undefined ? "unknown" : `${Math.round(peakBytes / 2 ** 20)} MB`;
  return [
    `${what}: ${told.objects} in the program, ${told.leftOut.length} left out, ${told.unsaid.length} places unsaid`,
    `${times.join(", ")}; ${lines} lines; most memory of the import: ${memory}`,
    `${all} requests: ${Object.entries(requests)
      .map(([route, count]) => `${route} ${count}`)
      .join(", ")}`,
    ...told.leftOut.map(({ object, why }) => `left out: ${object}: ${why}`),
    ...told.unsaid.map(
      ({ kind, name, path, why }) => `unsaid: ${kind} ${JSON.stringify(name)} ${path}: ${why}`,
    ),
    ...faults.map((fault) => `FAULT: ${fault}`),
    faults.length === 0 ? "Everything holds." : `${faults.length} faults.`,
  ];
}

/** One import that was killed. */
export function interruptionLine(
  { atMs, victim, killed, cancelled, faults }: Interruption,
  number: number,
): string {
  const what = killed === 0 ? "had ended" : `${victim} killed (${killed})`;
  const result = faults.length === 0 ? "the next run finished" : `FAULT: ${faults.join("; ")}`;
  return `${number}: after ${Math.round(atMs)} ms ${what}${cancelled ? ", lock taken away" : ""}: ${result}`;
}

/** What reading many gates took. */
export function manyGatesLines({ gates, requests, runs, lines, faults }: ManyGates): string[] {
  const memory = (bytes: number | undefined) =>
    bytes === undefined ? "unknown" : `${Math.round(bytes / 2 ** 20)} MB`;
  return [
    `${gates} gates: ${requests} requests, ${lines} lines`,
    ...runs.map(({ ms, peakBytes }) => `${(ms / 1000).toFixed(1)} s, at most ${memory(peakBytes)}`),
    ...faults.map((fault) => `FAULT: ${fault}`),
  ];
}
