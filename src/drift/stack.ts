import { spawn } from "node:child_process";
import type { JsonObject } from "../core/json";

/** A resource as `pulumi stack export` and the steps of a preview show it. */
export interface ExportedResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: JsonObject;
  readonly outputs?: JsonObject;
  readonly provider?: string;
  readonly external?: boolean;
  readonly delete?: boolean;
  readonly sourcePosition?: string;
  readonly ignoreChanges?: readonly string[];
}

/** A stack's state. */
export interface Exported {
  readonly resources: readonly ExportedResource[];
}

/** What a preview would do with one resource. */
export interface PreviewStep {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: ExportedResource;
  readonly newState?: ExportedResource;
  readonly detailedDiff?: JsonObject | null;
}

/** What the program wants, as a preview tells it. */
export interface Preview {
  readonly steps: readonly PreviewStep[];
}

/** What a command printed. */
interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the Pulumi CLI. */
export type RunPulumi = (args: readonly string[]) => Promise<Finished>;

/** The Pulumi CLI that is on PATH, in a folder. @throws Error where there is none. */
export function pulumiIn(folder: string): RunPulumi {
  return (args) =>
    new Promise((resolve, reject) => {
      // Confirmations that are skipped count as --yes, which some commands refuse beside others of their options.
      const { PULUMI_SKIP_CONFIRMATIONS: _, ...around } = process.env;
      const env = { ...around, PULUMI_SKIP_UPDATE_CHECK: "true" };
      const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
        ...{ cwd: folder, env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const output = { stdout: "", stderr: "" };
      for (const name of ["stdout", "stderr"] as const) {
        child[name].setEncoding("utf8");
        child[name].on("data", (text: string) => {
          output[name] += text;
        });
      }
      child.on("error", () =>
        reject(new Error("the Pulumi CLI does not start: is `pulumi` installed and on PATH?")),
      );
      child.on("close", (code) => resolve({ code: code ?? 1, ...output }));
    });
}

/** A stack, through the Pulumi CLI. Every method throws what the CLI says when it fails. */
export interface Stack {
  /** The state of the last update or refresh, with its secrets in the open: never print it. */
  exported(): Promise<Exported>;
  /** What the program wants. Asks the console nothing but what an adoption or a replacement needs. */
  preview(): Promise<Preview>;
  /** The stack's configuration, with its secrets in the open: never print it. */
  config(): Promise<Readonly<Record<string, string>>>;
  /** Takes the live values of resources into state. */
  refresh(urns: readonly string[]): Promise<void>;
  /** Applies the program to these resources alone. */
  up(urns: readonly string[]): Promise<void>;
}

/** The stack of that name; left out: the selected one. */
export function stackOf(run: RunPulumi, name: string | undefined): Stack {
  const chosen = name === undefined ? [] : ["--stack", name];
  const text = async (...args: string[]) => {
    const result = await run([...args, ...chosen]);
    if (result.code !== 0) throw new Error(`pulumi ${args[0]} failed: ${saidBy(result)}`);
    return result.stdout;
  };
  const onlyThese = (urns: readonly string[]) => urns.flatMap((urn) => ["--target", urn]);
  return {
    async exported() {
      const { deployment } = parsed(await text("stack", "export", "--show-secrets")) as {
        deployment?: { resources?: ExportedResource[] } | null;
      };
      return { resources: deployment?.resources ?? [] };
    },
    async preview() {
      const { steps } = parsed(await text("preview", "--json", "--show-sames")) as { steps?: PreviewStep[] };
      return { steps: steps ?? [] };
    },
    async config() {
      const said = parsed(await text("config", "--json", "--show-secrets")) as Record<
        string,
        { value?: unknown }
      >;
      const values = Object.entries(said).flatMap(([key, { value }]) =>
        typeof value === "string" ? [[key, value]] : [],
      );
      return Object.fromEntries(values) as Record<string, string>;
    },
    async refresh(urns) {
      await text("refresh", "--yes", "--skip-preview", ...onlyThese(urns));
    },
    async up(urns) {
      await text("up", "--yes", "--skip-preview", ...onlyThese(urns));
    },
  };
}

function parsed(text: string): JsonObject {
  const start = text.indexOf("{");
  return start < 0 ? {} : (JSON.parse(text.slice(start)) as JsonObject);
}

/** What a failed command has said. A preview in JSON tells it in its diagnostics. */
function saidBy({ stdout, stderr }: Finished): string {
  const errors = diagnosticsIn(stdout)
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message.trim());
  return errors.length > 0 ? errors.join("\n") : stderr.trim() || stdout.trim();
}

function diagnosticsIn(text: string): { severity: string; message: string }[] {
  try {
    return (parsed(text).diagnostics ?? []) as { severity: string; message: string }[];
  } catch {
    return [];
  }
}
