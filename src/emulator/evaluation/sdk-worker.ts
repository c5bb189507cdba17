import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Worker } from "node:worker_threads";
import type { Evaluation } from "./table";
import type { Answers, Task } from "./tasks";

/** Time that the answers for one user may take, milliseconds: 5,000 gates take a hundredth of it. */
const usualLimitMs = 5000;

type Of<What extends Task["what"]> = Omit<Task & { what: What }, "what">;

/**
 * Evaluates flags by the service's own SDK in a thread of its own and within a time limit: a regular expression of a flag can take for
 * ever, and this one goes on meanwhile. A thread is started with the first question and keeps no process alive.
 */
export class SdkWorker {
  readonly #limitMs: number;
  readonly #youngMb: number | undefined;
  readonly #askers = new Map<number, PromiseWithResolvers<unknown>>();
  #worker: Worker | undefined;
  #documents: readonly string[] = [];
  #number = 0;

  /** @param youngMb the room for short-lived objects before they are cleared up, in MB; left out: what Node gives a thread */
  constructor({
    limitMs = usualLimitMs,
    youngMb,
  }: { readonly limitMs?: number; readonly youngMb?: number } = {}) {
    this.#limitMs = limitMs;
    this.#youngMb = youngMb;
  }

  /** All answers for one user, as JSON text. Rejects with a message for a person. */
  forClient(document: string, task: Of<"client">): Promise<string> {
    return this.#ask([document], { what: "client", ...task });
  }

  /** Answers of one flag for users. Rejects with a message for a person. */
  forUsers(document: string, task: Of<"users">): Promise<readonly Evaluation[]> {
    return this.#ask([document], { what: "users", ...task });
  }

  /** For each document the answers of each flag for each user in turn. Rejects with a message for a person. */
  answers(documents: readonly string[], task: Of<"answers">): Promise<readonly Answers[]> {
    return this.#ask(documents, { what: "answers", ...task });
  }

  /** Ends the thread, in the middle of an evaluation too. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #ask<T>(documents: readonly string[], task: Task): Promise<T> {
    if (this.#worker === undefined || !isDeepStrictEqual(this.#documents, documents)) {
      this.#documents = documents;
      // The question about a document that cannot be read reports that.
      this.#send({ what: "documents", texts: documents }).catch(() => undefined);
    }
    return (await this.#send(task)) as T;
  }

  #send(task: Task): Promise<unknown> {
    const worker = this.#started();
    this.#number += 1;
    const id = this.#number;
    worker.ref();
    worker.postMessage({ id, task });
    const asker = Promise.withResolvers<unknown>();
    this.#askers.set(id, asker);
    return asker.promise.finally(() => {
      this.#askers.delete(id);
      if (this.#askers.size === 0) worker.unref();
    });
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const file = require.resolve("./worker");
    // From the sources, as tests run it, a thread needs the loader; otherwise it has that of this process.
    const isUntold = path.extname(file) === ".ts" && !process.execArgv.includes("--import");
    const execArgv = isUntold ? ["--import", "tsx"] : process.execArgv;
    const resourceLimits = this.#youngMb === undefined ? {} : { maxYoungGenerationSizeMb: this.#youngMb };
    const worker = new Worker(file, { workerData: { limitMs: this.#limitMs }, execArgv, resourceLimits });
    worker.on("message", ({ id, answer, problem }: { id: number; answer?: unknown; problem?: string }) => {
      const asker = this.#askers.get(id);
      if (problem === undefined) asker?.resolve(answer);
      else asker?.reject(new Error(problem));
    });
    const ended = (error: Error): void => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#askers.values()) reject(error);
    };
    worker.on("error", ended);
    worker.on("exit", () => ended(new Error("the thread that evaluates flags has ended")));
    this.#worker = worker;
    return worker;
  }
}
