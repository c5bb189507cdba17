import { type ConsoleClient, createClient } from "../../src/client";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import type { UpdateResult } from "../support/cli-output";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, type PulumiStack } from "../support/pulumi-cli";

/** Keys that are plainly none, made at run time so that no text of the repository looks like one. */
export const testKey: string = ["console", "e2e", String(process.pid), "key"].join("-");
export const readOnlyKey: string = `${testKey}-that-reads`;

/** A console, a project with the packed package, and a stack of it that the environment points to the console. */
export interface Bench {
  readonly emulator: RunningEmulator;
  readonly raw: ConsoleClient;
  readonly project: PackedProject;
  readonly stack: PulumiStack;
  /** Makes these lines the program, with `fc` and `pulumi` at hand. */
  write(lines: string): Promise<void>;
  /** Resources of the state by name, as far as they tell what is managed; the stack itself left out. */
  state(): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** Starts all of it. The first call may have to build the CLI. `env`: instead of the settings of this console. */
export async function openBench(env?: Record<string, string>): Promise<Bench> {
  const emulator = await startEmulator({ key: testKey, readOnlyKey });
  const project = await createPackedProject({ program: programOf("") });
  const stack = await createStack(project, { env: env ?? settingsFor(emulator) });
  return {
    emulator,
    raw: createClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey }),
    project,
    stack,
    write: (lines) => project.setProgram(programOf(lines)),
    async state() {
      // Each write of the state encrypts anew.
      const text = JSON.stringify(await stack.exportStack()).replace(
        /"ciphertext":"[^"]*"/g,
        '"ciphertext":""',
      );
      const { resources = [] } = (JSON.parse(text) as Awaited<ReturnType<PulumiStack["exportStack"]>>)
        .deployment;
      const named = resources.map(({ urn, id, inputs, outputs }) => [nameOf(urn), { id, inputs, outputs }]);
      return Object.fromEntries(named.filter(([name]) => !String(name).endsWith("-test")));
    },
    async close() {
      await stack.remove();
      await project.remove();
      await emulator.close();
    },
  };
}

/** The environment that leads to a console. */
export function settingsFor(emulator: RunningEmulator): Record<string, string> {
  return {
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: emulator.url,
    FEATURE_CONSOLE_API_KEY: testKey,
  };
}

function programOf(lines: string): string {
  return `import * as pulumi from "@pulumi/pulumi";
import * as fc from "pulumi-feature-console";
export const project = pulumi.getProject();
export const has = Object.keys(fc).length;
${lines}
`;
}

/** Name of the resource that a URN means. */
export function nameOf(urn: string): string {
  return urn.split("::").at(-1) ?? "";
}

/** What the user was told, by resource: every line, from whatever source, but for the engine's own last word. */
export function told(result: UpdateResult): Record<string, string[]> {
  const byName: Record<string, string[]> = {};
  for (const { diagnosticEvent } of result.events) {
    if (diagnosticEvent === undefined || diagnosticEvent.severity === "debug") continue;
    const text = diagnosticEvent.message.trim().replace(/^error: /, "");
    if (text === "" || text === "update failed") continue;
    const name = nameOf(diagnosticEvent.urn ?? "");
    byName[name] = [...(byName[name] ?? []), text];
  }
  return byName;
}

/**
 * Output of the CLI without Pulumi's own debug events, which `--json` shows unasked: its SDK writes every output of every
 * resource into them, secrets in plain text, those of an explicit provider too.
 */
export function withoutDebug(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.includes('"severity":"debug"'))
    .join("\n");
}
