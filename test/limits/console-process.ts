import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import type { Seen } from "./console";

/** A console with limits that runs beside the test. */
export interface ConsoleProcess {
  readonly url: string;
  seen(): Promise<Seen>;
  stop(): Promise<void>;
}

/** Starts one. `scale`: what the length of its windows is multiplied by. The caller stops it. */
export async function startConsole(scale: number): Promise<ConsoleProcess> {
  const node = path.join(repositoryRoot, "node_modules", ".bin", "node");
  const file = path.join(repositoryRoot, "test", "limits", "console.ts");
  const child = spawn(node, ["--import", "tsx", file, String(scale)], {
    cwd: repositoryRoot,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("The console has ended.");
    return value;
  };
  const url = await line();
  return {
    url,
    async seen() {
      child.stdin.write("\n");
      return JSON.parse(await line()) as Seen;
    },
    async stop() {
      process.off("exit", killAtExit);
      if (child.exitCode !== null) return;
      const exit = once(child, "exit");
      child.stdin.end();
      await exit;
    },
  };
}
