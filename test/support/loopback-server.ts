import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const START_LIMIT_MS = 20_000;

/** A program that serves on a port of this machine. */
export interface LoopbackServer {
  readonly port: number;
  /** Ends it; safe to call twice. */
  stop(): Promise<void>;
}

/** How it is started. */
export interface ServerCommand extends Pick<SpawnOptions, "uid" | "gid"> {
  readonly command: string;
  readonly args: readonly string[];
  /** Where it is to listen, which its arguments say as well. */
  readonly port: number;
  /** For a server that takes connections before it can serve them. */
  readonly isReady?: () => Promise<boolean>;
}

/** Starts a server and waits until it takes connections and is ready. It goes with this process, if nobody stops it before. */
export async function startServer({
  command,
  args,
  port,
  isReady = async () => true,
  ...identity
}: ServerCommand): Promise<LoopbackServer> {
  const server = spawn(command, args, { ...identity, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  server.stderr?.on("data", (text: Buffer) => {
    said = `${said}${text}`.slice(-2000);
  });
  server.once("error", ({ message }) => {
    said += message;
  });
  const killAtExit = () => server.kill("SIGKILL");
  process.once("exit", killAtExit);
  const stop = async () => {
    process.off("exit", killAtExit);
    await end(server);
  };
  if (await serves(server, async () => (await answers(port)) && (await isReady()))) return { port, stop };
  await stop();
  throw new Error(`${command} did not start on port ${port}: ${said}`);
}

/**
 * A port that nothing listens on, below those that systems give out by themselves: no client or server started meanwhile takes it.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 30_000);
  return (await answers(port)) ? freePort() : port;
}

const isOver = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null;

async function end(server: ChildProcess): Promise<void> {
  if (isOver(server)) return;
  const exit = once(server, "exit");
  server.kill("SIGKILL");
  await exit;
}

async function serves(server: ChildProcess, isReady: () => Promise<boolean>): Promise<boolean> {
  const until = Date.now() + START_LIMIT_MS;
  while (Date.now() < until && !isOver(server)) {
    if (await isReady()) return true;
    await sleep(50);
  }
  return false;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const reached = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return reached;
}
