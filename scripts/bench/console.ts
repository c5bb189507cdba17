import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { repositoryRoot } from "../pulumi-cli/environment";

/** Requests that a console received. A read is a GET. */
export interface Requests {
  readonly reads: number;
  readonly writes: number;
}

/** `take`: tell the requests since the last command. `empty`: do that and forget every object. */
export type ConsoleCommand = "take" | "empty";

/** What the process of a console tells. */
export type ConsoleReport = { readonly url: string } | { readonly counted: Requests };

/** A console in a process of its own, reached over loopback HTTP. */
export interface BenchConsole {
  readonly url: string;
  /** The requests since this was last asked. */
  take(): Promise<Requests>;
  /** The same, and forgets every object. */
  empty(): Promise<Requests>;
  close(): void;
}

const script = path.join(repositoryRoot, "scripts", "bench", "console-process.mts");

/** Starts a console without write limits that waits so long before each answer. */
export async function startConsole(latencyMs: number): Promise<BenchConsole> {
  const child = fork(script, [String(latencyMs)], {
    cwd: repositoryRoot,
    execPath: path.join(repositoryRoot, "node_modules", ".bin", "node"),
    execArgv: ["--import", "tsx"],
  });
  const started = await nextReport(child);
  if (!("url" in started)) throw new Error("The console did not tell its address.");
  const tell = async (command: ConsoleCommand) => {
    child.send(command);
    const report = await nextReport(child);
    return "counted" in report ? report.counted : { reads: 0, writes: 0 };
  };
  return {
    url: started.url,
    take: () => tell("take"),
    empty: () => tell("empty"),
    close: () => child.disconnect(),
  };
}

function nextReport(child: ChildProcess): Promise<ConsoleReport> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`The console ended with exit code ${code}.`));
    child.once("exit", ended);
    child.once("message", (report: ConsoleReport) => {
      child.off("exit", ended);
      resolve(report);
    });
  });
}
