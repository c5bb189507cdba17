import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { redisProgram } from "../../scripts/process/redis";
import { freePort, type LoopbackServer, startServer } from "./loopback-server";

const program = redisProgram();

/** Why tests that need Redis cannot run here; undefined when they can. */
export const whyNoRedis: string | undefined =
  program === undefined
    ? "skipped: no redis-server on PATH, and `npm test` could fetch none (Debian: redis-server)"
    : undefined;

/** A Redis of a test, on a loopback port of its own, which keeps nothing. */
export interface RedisServer extends LoopbackServer {
  readonly url: string;
}

/** Starts a Redis. The caller stops it. `port`: that of one that was stopped; any free one when left out. */
export async function startRedis(port?: number): Promise<RedisServer> {
  if (program === undefined) throw new Error(whyNoRedis);
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-redis-"));
  const chosen = port ?? (await freePort());
  const bound = ["--bind", "127.0.0.1", "--port", String(chosen), "--dir", folder];
  const server = await startServer({
    command: program,
    args: [...bound, "--save", "", "--appendonly", "no"],
    port: chosen,
  });
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    async stop() {
      await server.stop();
      await removeTree(folder);
    },
  };
}
