import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { killNow } from "../kills/processes";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, FIRST_CLI_TIMEOUT_MS, type PulumiStack } from "../support/pulumi-cli";
import { allOf, type RawClient, rawClient } from "../support/raw-client";
import { inTurn } from "../support/sample";
import { type StateServer, startPostgres, startS3 } from "../support/state-servers";
import { changesTo, settingsFor, testKey } from "./bench";

const names = Array.from({ length: 24 }, (_, index) => `flag_${index}`);
const killAfterCreates = 6;
const program = `import * as fc from "pulumi-feature-console";
for (const name of ${JSON.stringify(names)}) new fc.Gate(name, { description: "One of many" });
`;
const up = ["up", "--yes", "--skip-preview"];

jest.setTimeout(600_000);

describe.each(
  inTurn(
    [
      { name: "S3", start: startS3 },
      { name: "Postgres", start: startPostgres },
    ],
    0,
  ),
)("a stack whose state is kept on $name, which runs share", ({ start }) => {
  let server: StateServer;
  let emulator: RunningEmulator;
  let raw: RawClient;
  let project: PackedProject;
  let stack: PulumiStack;
  const said: string[] = [];

  beforeAll(async () => {
    server = await start();
    emulator = await startEmulator({ key: testKey });
    raw = rawClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey });
    project = await createPackedProject({ program });
    stack = await createStack(project, { env: { ...settingsFor(emulator), ...server.env } });
  }, FIRST_CLI_TIMEOUT_MS);
  afterAll(async () => {
    await stack?.remove();
    await project?.remove();
    await emulator?.close();
    await server?.stop();
  });

  const type = async (...command: string[]) => {
    const { code, stdout, stderr } = await stack.run(command);
    said.push(stdout + stderr);
    return { code, output: stdout + stderr };
  };
  const flags = async () => (await allOf(raw.gate.list())) as { id: string }[];

  test("killed in the middle, it is locked; cancelled, one of two ups resumes it, and every flag is there once", async () => {
    const child = spawn("pulumi", [...up, "--non-interactive"], {
      ...{ cwd: project.folder, env: stack.env, stdio: "ignore" },
    });
    while (changesTo(emulator).length < killAfterCreates && child.exitCode === null) await sleep(1);
    expect((await killNow(child, "everything")).processes).toBeGreaterThan(0);
    const made = (await flags()).length;
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(names.length);

    emulator.clearRequests();
    const locked = await type(...up);
    expect(locked.code).not.toBe(0);
    expect(locked.output).toMatch(/the stack is currently locked by 1 lock\(s\).*`pulumi cancel`/);
    expect(changesTo(emulator)).toEqual([]);

    expect(await type("cancel", "--yes")).toMatchObject({ code: 0 });
    // At the same moment: one at most is at work, and the other is told so.
    const both = await Promise.all([type(...up), type(...up)]);
    const refused = both.filter(({ code }) => code !== 0);
    expect(refused.length).toBeGreaterThan(0);
    for (const { output } of refused) expect(output).toContain("the stack is currently locked by 1 lock(s)");
    // Each writes its lock and then looks: both may see the other, and both step back.
    if (refused.length === 2) expect(await type(...up)).toMatchObject({ code: 0 });
    expect((await flags()).map(({ id }) => id).sort()).toEqual([...names].sort());
    expect(changesTo(emulator).filter((change) => !change.startsWith("POST"))).toEqual([]);
  });

  test("its state has every flag, and neither its password nor the console's key is in what was printed or kept", async () => {
    const { deployment } = await stack.exportStack();
    const known = (deployment.resources ?? []).flatMap(({ type, id }) =>
      type.endsWith(":Gate") ? [id] : [],
    );
    expect(known.sort()).toEqual([...names].sort());
    const kept = JSON.stringify(deployment);
    for (const secret of [server.secret, testKey])
      expect([...said, kept].filter((text) => text.includes(secret))).toEqual([]);
  });
});
