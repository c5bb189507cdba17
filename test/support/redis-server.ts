import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { executable, folderOnPath } from "../../scripts/pulumi-cli/on-path";
import { freePort, type LoopbackServer, startServer } from "./loopback-server";

const program = "redis-server";

/** Why tests that need Redis cannot run here; undefined when they can. */
export const whyNoRedis: string | undefined =
  folderOnPath(program, process.env.PATH ?? "") === undefined
    ? "skipped: no redis-server on PATH (Debian: redis-server)"
    : undefined;

/** A Redis of a test, on a loopback port of its own, which keeps nothing. */
export interface RedisServer extends LoopbackServer {
  readonly url: string;
}

/** Starts a Redis. The caller stops it. `port`: that of one that was stopped; any free one when left out. */
export async function startRedis(port?: number): Promise<RedisServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-redis-"));
  const chosen = port ?? (await freePort());
  const bound = ["--bind", "127.0.0.1", "--port", String(chosen), "--dir", folder];
  const server = await startServer({
    command: executable(program),
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
