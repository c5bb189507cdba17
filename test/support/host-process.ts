import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { stopTree } from "../../scripts/process/stop";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

const START_LIMIT_MS = 30_000;

/** Where and how the host runs. */
export interface HostOptions {
  /** The project's folder: the provider text resolves modules from here. */
  cwd: string;
  /** Added to the environment of the test, from which all settings of Pulumi and of the console are taken away. */
  env?: Readonly<Record<string, string>>;
}

/** Starts Pulumi's own dynamic-provider host as the engine does, and waits until it listens. */
export async function startHostProcess({ cwd, env }: HostOptions) {
  const modules = path.join(repositoryRoot, "node_modules");
  const starter = path.join(modules, "@pulumi", "pulumi", "cmd", "dynamic-provider", "index.js");
  // The argument is the engine's address. Nothing listens there; the host only needs it to log.
  const child = spawn(path.join(modules, ".bin", "node"), [starter, "127.0.0.1:1"], {
    cwd,
    env: { ...cleanEnvironment(), PULUMI_NODEJS_PROJECT: "packed", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  const output = capture(child);
  const stop = async () => {
    process.off("exit", killAtExit);
    const ended = new Promise((resolve) => child.once("close", resolve));
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await stopTree(child.pid);
    await ended;
  };
  try {
    const port = await announcedPort(child, output);
    return { port, stdout: () => output.stdout, stderr: () => output.stderr, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function capture(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  return output;
}

function announcedPort(child: ChildProcess, output: { stdout: string; stderr: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The dynamic-provider host ${why}.\n${output.stderr}`));
    const limit = setTimeout(() => fail("did not start in time"), START_LIMIT_MS);
    const look = () => {
      const match = /^(\d+)\r?\n/.exec(output.stdout);
      if (match) settle(() => resolve(Number(match[1])));
    };
    const settle = (act: () => void) => {
      clearTimeout(limit);
      child.stdout?.off("data", look);
      act();
    };
    child.stdout?.on("data", look);
    child.once("error", (error) => settle(() => fail(`did not start: ${error.message}`)));
    child.once("exit", (code) => settle(() => fail(`ended with code ${code}`)));
  });
}
