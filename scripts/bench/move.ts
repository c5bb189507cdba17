import { makeBed } from "./bed";
import { type Requests, startConsole } from "./console";
import { type Operation, operationOf, quietUpdate } from "./operations";

/** What a stack of dynamic gates showed when its program imported the native classes instead. */
export interface Move {
  readonly count: number;
  /** Of the preview of the move, the update that moves, and the preview after it. */
  readonly seconds: readonly [preview: number, up: number, after: number];
  /** All that the console received from the change of the import on. */
  readonly requests: Requests;
  /** Bytes of state of each gate. */
  readonly bytes: { readonly before: number; readonly after: number };
  /** The types of the gates in state after the move. */
  readonly types: ReadonlySet<string>;
}

/** Creates dynamic gates and moves them, without checkpoints. @throws Error where a preview or the update has a change. */
export async function moveGates(count: number): Promise<Move> {
  const console = await startConsole(0);
  try {
    const bed = await makeBed({ subject: "ours", count, checkpoints: false, console });
    try {
      await bed.measure(operationOf("up of new"));
      const { gate: before } = await bed.stateSize();
      await console.ask("take");
      const secondsOf = async (operation: Operation) => (await bed.measure(operation, "native")).seconds;
      const preview = await secondsOf(operationOf("no-op preview"));
      const up = await secondsOf(quietUpdate);
      const after = await secondsOf(operationOf("no-op preview"));
      const requests = await console.ask("take");
      const { gate } = await bed.stateSize();
      const bytes = { before, after: gate };
      return { count, seconds: [preview, up, after], requests, bytes, types: await bed.gateTypes() };
    } finally {
      await bed.remove();
    }
  } finally {
    console.stop();
  }
}

/** A move in a sentence. */
export function moveText({ count, seconds, requests, bytes }: Move): string {
  const [preview, up, after] = seconds.map((one) => `${one.toFixed(1)} s`);
  const [from, to] = [bytes.before, bytes.after].map((one) => one.toLocaleString("en"));
  return (
    `${count.toLocaleString("en")} gates moved: preview ${preview}, update ${up}, next preview ${after}, all without a change; ` +
    `${requests.reads} reads and ${requests.writes} writes; state ${from} bytes a gate before, ${to} after.`
  );
}
