import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { executable, folderOnPath } from "../../scripts/pulumi-cli/on-path";

const program = "redis-server";
const START_LIMIT_MS = 10_000;

/** Why tests that need Redis cannot run here; undefined when they can. */
export const whyNoRedis: string | undefined =
  folderOnPath(program, process.env.PATH ?? "") === undefined
    ? "skipped: no redis-server on PATH (Debian: redis-server)"
    : undefined;

/** A Redis of a test, on a loopback port of its own, which keeps nothing. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Ends it; safe to call twice. */
  stop(): Promise<void>;
}

/** Starts a Redis. The caller stops it. `port`: that of one that was stopped; any free one when left out. */
export async function startRedis(port?: number): Promise<RedisServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-redis-"));
  const chosen = port ?? (await freePort());
  const bound = ["--bind", "127.0.0.1", "--port", String(chosen), "--dir", folder];
  const server = spawn(executable(program), [...bound, "--save", "", "--appendonly", "no"], {
    stdio: "ignore",
  });
  const killAtExit = () => server.kill("SIGKILL");
  process.once("exit", killAtExit);
  const stop = async () => {
    process.off("exit", killAtExit);
    await ended(server);
    await removeTree(folder);
  };
  if (await answers(chosen, server)) return { url: `redis://127.0.0.1:${chosen}`, port: chosen, stop };
  await stop();
  throw new Error(`${program} did not start on port ${chosen}.`);
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, "exit");
  server.kill("SIGKILL");
  await exit;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

async function answers(port: number, server: ChildProcess): Promise<boolean> {
  const until = Date.now() + START_LIMIT_MS;
  while (Date.now() < until && server.exitCode === null) {
    const socket = connect(port, "127.0.0.1");
    const reached = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (reached) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
