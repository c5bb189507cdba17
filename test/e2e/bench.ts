import path from "node:path";
import { type Finished, run } from "../../scripts/process/run";
import { type RunningEmulator, type Seed, startEmulator } from "../../src/emulator";
import { type ConsoleClient, createClient } from "../../src/provider/client";
import type { Diagnostic, PreviewResult, UpdateResult } from "../support/cli-output";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, type PulumiStack } from "../support/pulumi-cli";

/** Keys that are plainly none, made at run time so that no text of the repository looks like one. */
export const testKey: string = ["console", "e2e", String(process.pid), "key"].join("-");
export const readOnlyKey: string = `${testKey}-that-reads`;
export const personKey: string = `${testKey}-of-a-person`;

/** A new gate, and what a program may look up of it in the update that makes it; to be exported as `seen`. */
export const lookupsOfNew = `
const fresh = new fc.Gate("fresh", { description: "Made by this update" });
const seen = [
  fc.getGateOutput({ id: fresh.id }).description,
  fc.getGateOutput({ id: fresh.key }).description,
  fc.getGateOutput({ id: fresh }).description,
  fc.listGateVersionsOutput({ id: fresh.key }).apply((all) => (all.length < 9 ? "Made by this update" : "")),
  fc.Gate.get("by_id", fresh.id).description,
  fc.Gate.get("by_key", fresh.key).description,
];
`;

/** A console, a project with the packed package, and a stack of it that the environment points to the console. */
export interface Bench {
  readonly emulator: RunningEmulator;
  readonly raw: ConsoleClient;
  readonly project: PackedProject;
  readonly stack: PulumiStack;
  /** Makes these lines the program, with `fc` and `pulumi` at hand. */
  write(lines: string): Promise<void>;
  /** Runs the packed `feature-console` in the folder of the project. */
  command(...args: string[]): Promise<Finished>;
  /** Resources of the state by name, as far as they tell what is managed; the stack itself and the default provider left out. */
  state(): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/**
 * Starts all of it. The first call may have to build the CLI. `env`: instead of the settings of this console; `seed`: what it holds
 * from the start.
 */
export async function openBench(env?: Record<string, string>, seed: Seed = {}): Promise<Bench> {
  const people = { [personKey]: "ada@example.com" };
  const emulator = await startEmulator({ key: testKey, readOnlyKey, people, seed });
  const bench = await benchAt(emulator, env ?? settingsFor(emulator));
  return {
    ...bench,
    async close() {
      await bench.close();
      await emulator.close();
    },
  };
}

async function benchAt(emulator: RunningEmulator, env: Record<string, string>): Promise<Bench> {
  const project = await createPackedProject({ program: programOf("") });
  const stack = await createStack(project, { env });
  return {
    emulator,
    raw: createClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey }),
    project,
    stack,
    write: (lines) => project.setProgram(programOf(lines)),
    command(...args) {
      const main = path.join(project.folder, "node_modules/pulumi-feature-console/dist/tools/cli/main.js");
      return run(process.execPath, [main, ...args], {
        ...{ cwd: project.folder, env: stack.env, timeoutMs: 240_000 },
      });
    },
    async state() {
      // Each write of the state encrypts anew.
      const text = JSON.stringify(await stack.exportStack()).replace(
        /"ciphertext":"[^"]*"/g,
        '"ciphertext":""',
      );
      const { resources = [] } = (JSON.parse(text) as Awaited<ReturnType<PulumiStack["exportStack"]>>)
        .deployment;
      const declared = resources.filter(
        ({ type, urn }) => type !== "pulumi:pulumi:Stack" && nameOf(urn) !== "default",
      );
      return Object.fromEntries(
        declared.map(({ urn, id, inputs, outputs }) => [nameOf(urn), { id, inputs, outputs }]),
      );
    },
    async close() {
      await stack.remove();
      await project.remove();
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

export function programOf(lines: string): string {
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
export function told(result: UpdateResult | PreviewResult): Record<string, string[]> {
  const byName: Record<string, string[]> = {};
  for (const { severity, message, urn } of diagnosticsOf(result)) {
    if (severity === "debug") continue;
    const text = message.trim().replace(/^error: /, "");
    if (text === "" || text === "update failed") continue;
    const name = nameOf(urn ?? "");
    byName[name] = [...(byName[name] ?? []), text];
  }
  return byName;
}

/** The same as one text, for what may be said of any resource or of none. */
export function toldInAll(result: UpdateResult | PreviewResult): string {
  return Object.values(told(result)).flat().join("\n");
}

function diagnosticsOf(result: UpdateResult | PreviewResult): Diagnostic[] {
  if ("events" in result) return result.events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  const { stdout } = result;
  const plan = stdout.trimStart().startsWith("{")
    ? (JSON.parse(stdout) as { diagnostics?: Diagnostic[] })
    : {};
  return plan.diagnostics ?? [];
}

/** The writes that a console received, such as `PATCH /gates/checkout`, refused ones too. */
export function writesTo({ requests }: Pick<RunningEmulator, "requests">): string[] {
  return requests.flatMap((request) => (request.method === "GET" ? [] : [spoken(request)]));
}

/** The writes that it carried out. */
export function changesTo({ requests }: Pick<RunningEmulator, "requests">): string[] {
  return writesTo({ requests: requests.filter(({ status }) => status < 400) });
}

function spoken({ method, path }: RunningEmulator["requests"][number]): string {
  return `${method} ${path.replace("/console/v1", "")}`;
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
