import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../provider/schema/errors";
import { Evaluator, type Task } from "./tasks";

/** Time that the answers for one user may take. */
const { limitMs } = workerData as { readonly limitMs: number };

const evaluator = new Evaluator(limitMs);
let latest: Promise<void> = Promise.resolve();

parentPort?.on("message", ({ id, task }: { readonly id: number; readonly task: Task }) => {
  latest = latest
    .then(() => evaluator.carryOut(task))
    .then(
      (answer) => parentPort?.postMessage({ id, answer }),
      (error: unknown) => parentPort?.postMessage({ id, problem: messageOf(error) }),
    );
});
