import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { withProgress } from "../../scripts/process/progress.ts";
import { proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import { CLI_VERSION } from "../../scripts/pulumi-cli/versions.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import { createPackedProject } from "../support/packed-project.ts";
import { asUsersHaveIt, createStack } from "../support/pulumi-cli.ts";
import { type StateServer, startPostgres, startS3, stateServerVersions } from "../support/state-servers.ts";
import { settingsFor, testKey } from "./bench.ts";

const about = "Measures state in a folder, on S3 and on Postgres, near and away.";

const { n: count, latency: latencyMs } = proofOptions("backends", about, {
  n: wholeNumber(1000, "How many gates", 1),
  latency: wholeNumber(20, "How far the servers are, in milliseconds"),
});

const inAFolder = async (): Promise<StateServer> => ({ env: {}, secret: "", stop: async () => {} });
const far = (start: () => Promise<StateServer>) => async () => behindALine(await start(), latencyMs);
const backends: [name: string, start: () => Promise<StateServer>][] = [
  ["a folder", inAFolder],
  ["S3", startS3],
  ["Postgres", startPostgres],
  [`S3, ${latencyMs} ms away`, far(startS3)],
  [`Postgres, ${latencyMs} ms away`, far(startPostgres)],
];

console.log(
  `${count} gates, pulumi ${CLI_VERSION}, ${JSON.stringify(stateServerVersions)}, ${new Date().toISOString()}`,
);
console.log(
  "| state in | checkpoints | `up` that creates all | `up` that changes one | `preview`, nothing to do |",
);
console.log("| --- | --- | --- | --- | --- |");
for (const [name, start] of backends) {
  for (const checkpoints of [true, false]) {
    const label = `${name}, checkpoints ${checkpoints ? "on" : "off"}`;
    const figures = await withProgress(label, () => measure(start, checkpoints));
    const seconds = figures.map((ms) => `${(ms / 1000).toFixed(1)} s`);
    console.log(`| ${[name, checkpoints ? "on" : "off", ...seconds].join(" | ")} |`);
  }
}

async function measure(start: () => Promise<StateServer>, checkpoints: boolean): Promise<number[]> {
  const server = await start();
  const emulator = await startEmulator({ key: testKey });
  const project = await createPackedProject({ program: programOf("First") });
  const env = {
    ...settingsFor(emulator),
    // What the state costs would not show beside the waiting for the console's windows.
    ...{ FEATURE_CONSOLE_WRITES_PER_10S: "1000000", FEATURE_CONSOLE_WRITES_PER_15MIN: "1000000" },
    ...(checkpoints ? {} : { PULUMI_SKIP_CHECKPOINTS: "true" }),
    ...server.env,
    ...asUsersHaveIt,
  };
  const stack = await createStack(project, { env });
  const timed = async (...command: string[]) => {
    const started = Date.now();
    const { code, stdout, stderr } = await stack.run(command, { timeoutMs: 60 * 60_000 });
    if (code !== 0) throw new Error(`pulumi ${command.join(" ")} failed: ${stderr}${stdout}`.slice(-2000));
    return Date.now() - started;
  };
  try {
    const created = await timed("up", "--yes", "--skip-preview");
    await project.setProgram(programOf("Second"));
    const changed = await timed("up", "--yes", "--skip-preview");
    return [created, changed, await timed("preview", "--expect-no-changes")];
  } finally {
    await stack.remove();
    await project.remove();
    await emulator.close();
    await server.stop();
  }
}

function programOf(description: string): string {
  return `import * as fc from "pulumi-feature-console";
for (let i = 0; i < ${count}; i += 1) new fc.Gate("flag_" + i, { description: i === 0 ? "${description}" : "A flag" });
`;
}

/** The same server, whose every answer arrives later: what a network costs. */
async function behindALine(server: StateServer, delayMs: number): Promise<StateServer> {
  const address = server.env.PULUMI_BACKEND_URL ?? "";
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(address)?.[1]);
  const open = new Set<Socket>();
  const line = createServer((near) => {
    const there = connect(port, "127.0.0.1");
    for (const socket of [near, there]) {
      open.add(socket.setNoDelay());
      socket.on("error", () => socket.destroy());
    }
    near.on("data", (part) => there.write(part)).on("close", () => there.destroy());
    there.on("data", async (part) => {
      await sleep(delayMs);
      near.write(part);
    });
    there.on("close", () => near.destroy());
  });
  await once(line.listen(0, "127.0.0.1"), "listening");
  const { port: own } = line.address() as AddressInfo;
  return {
    ...server,
    env: { ...server.env, PULUMI_BACKEND_URL: address.replace(`127.0.0.1:${port}`, `127.0.0.1:${own}`) },
    async stop() {
      for (const socket of open) socket.destroy();
      line.close();
      await server.stop();
    },
  };
}
