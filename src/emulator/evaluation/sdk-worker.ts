import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Worker } from "node:worker_threads";
import type { Evaluation } from "./table";
import type { Answers, Task } from "./tasks";

/** Time that the answers for one user may take, milliseconds: 5,000 gates take a hundredth of it. */
const usualLimitMs = 5000;

interface Asker {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/**
 * Evaluates flags by the service's own SDK in a thread of its own and within a time limit: a regular expression of a flag can take for
 * ever, and this one goes on meanwhile. A thread is started with the first question and keeps no process alive.
 */
export class SdkWorker {
  readonly #limitMs: number;
  readonly #youngMb: number | undefined;
  readonly #askers = new Map<number, Asker>();
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
  async forClient(document: string, task: Omit<Task & { what: "client" }, "what">): Promise<string> {
    this.#use([document]);
    return (await this.#ask({ what: "client", ...task })) as string;
  }

  /** Answers of one flag for users. Rejects with a message for a person. */
  async forUsers(
    document: string,
    task: Omit<Task & { what: "users" }, "what">,
  ): Promise<readonly Evaluation[]> {
    this.#use([document]);
    return (await this.#ask({ what: "users", ...task })) as readonly Evaluation[];
  }

  /** For each document the answers of each flag for each user in turn. Rejects with a message for a person. */
  async answers(
    documents: readonly string[],
    task: Omit<Task & { what: "answers" }, "what">,
  ): Promise<readonly Answers[]> {
    this.#use(documents);
    return (await this.#ask({ what: "answers", ...task })) as readonly Answers[];
  }

  /** Ends the thread, in the middle of an evaluation too. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #use(documents: readonly string[]): void {
    if (this.#worker !== undefined && isDeepStrictEqual(this.#documents, documents)) return;
    this.#documents = documents;
    // The question about a document that cannot be read reports that.
    this.#ask({ what: "documents", texts: documents }).catch(() => undefined);
  }

  #ask(task: Task): Promise<unknown> {
    const worker = this.#started();
    this.#number += 1;
    const id = this.#number;
    worker.ref();
    worker.postMessage({ id, task });
    return new Promise<unknown>((resolve, reject) => {
      this.#askers.set(id, { resolve, reject });
    }).finally(() => {
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
