import { type Beside, startBeside } from "../process/beside";

/** Requests that a console received. A read is a GET. */
export interface Requests {
  readonly reads: number;
  readonly writes: number;
}

/** `take`: tell the requests since the last command. `empty`: do that and forget every object. */
export type ConsoleCommand = "take" | "empty";

/** The console of a benchmark; it answers each command with the requests since the last. */
export type BenchConsole = Beside<ConsoleCommand, Requests>;

/** Starts a console without write limits that waits so long before each answer. */
export function startConsole(latencyMs: number): Promise<BenchConsole> {
  return startBeside("scripts/bench/console-process.mts", String(latencyMs));
}
