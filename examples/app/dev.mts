import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { startEmulator } from "pulumi-feature-console/emulator";

// A console, the flags in it, and the service. They run until Ctrl-C.
const folder = import.meta.dirname;
const serverKey = `secret-${randomUUID()}`;
let running: ChildProcess | undefined;
let stopping = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);

// The file is that of Pulumi.dev.yaml: Pulumi writes it, and the console serves what it holds.
const data = `${folder}/.feature-console/console.db`;
const desk = await startEmulator({ profile: "custom", data, serverKey, log: console.error });
console.log(`console: ${desk.url}`);
try {
  console.log("flags:   pulumi up ...");
  await run("pulumi", ["stack", "select", "--create", "dev", "--non-interactive"]);
  await run("pulumi", ["up", "--stack", "dev", "--yes", "--skip-preview", "--non-interactive"]);
  await run("node", ["service.mts"], {
    STATSIG_SERVER_KEY: serverKey,
    STATSIG_API: `${desk.url}/v1`,
    STATSIG_ENVIRONMENT: "development",
    STATSIG_POLL_MS: "5000", // The least that the SDK takes.
  });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await desk.close();
}

async function run(command: string, args: string[], settings: NodeJS.ProcessEnv = {}): Promise<void> {
  if (stopping) return;
  // Out of reach of the terminal's Ctrl-C, of which npm makes two: at a second one Pulumi leaves its work as it is.
  running = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...settings },
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(running, "exit");
  running = undefined;
  if (code !== 0 && !stopping) throw new Error(`${command} ${args.join(" ")} failed (exit code ${code}).`);
}

function stop(): void {
  if (stopping) return;
  stopping = true;
  console.log("stopping ...");
  running?.kill("SIGINT");
}
