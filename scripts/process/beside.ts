import { fork } from "node:child_process";
import path from "node:path";
import { repositoryRoot } from "../pulumi-cli/environment";

/** A console in a process of its own, reached over loopback HTTP. */
export interface Beside<Question extends string, Answer> {
  readonly url: string;
  /** Asks its script. Questions are answered one after the other. */
  ask(question: Question): Promise<Answer>;
  /** Ends it. It ends with this process too. */
  stop(): void;
}

/**
 * Starts a script that first sends the address of its console and then an answer to each message. The caller stops it.
 * @param script below the repository
 */
export async function startBeside<Question extends string, Answer>(
  script: string,
  ...args: readonly string[]
): Promise<Beside<Question, Answer>> {
  const child = fork(path.join(repositoryRoot, script), args, {
    cwd: repositoryRoot,
    execPath: path.join(repositoryRoot, "node_modules", ".bin", "node"),
    execArgv: ["--import", "tsx"],
  });
  const nextMessage = () =>
    new Promise<unknown>((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`${script} ended with exit code ${code}.`));
      child.once("exit", ended);
      child.once("message", (message) => {
        child.off("exit", ended);
        resolve(message);
      });
    });
  const url = (await nextMessage()) as string;
  let last: Promise<unknown> = Promise.resolve();
  return {
    url,
    ask(question) {
      last = last.then(() => {
        child.send(question);
        return nextMessage();
      });
      return last as Promise<Answer>;
    },
    stop: () => child.disconnect(),
  };
}
