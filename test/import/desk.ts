import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type RunningEmulator, type Seed, startEmulator } from "../../src/emulator";
import type { PulumiCommand } from "../../src/provider/pulumi/runs/cli";
import { consoleOf } from "../../src/tools/import/console";
import type { ImportOptions } from "../../src/tools/import/import-project";
import { importProject } from "../../src/tools/import/import-project";
import { progressLines } from "../../src/tools/import/reading";
import { testKey } from "../emulator/desk";

/** A console and an empty folder to import it into. */
export type ImportDesk = ReturnType<typeof importDeskOver>;

/** Opens one over a console of its own. The caller closes it. */
export async function openImportDesk(seed: Seed): Promise<ImportDesk> {
  return importDeskOver(await startEmulator({ key: testKey, seed }));
}

/** Opens one over a console that runs, by one of its keys. */
export function importDeskOver(emulator: RunningEmulator, key = testKey) {
  const folder = mkdtempSync(path.join(tmpdir(), "import desk "));
  const lines: string[] = [];
  const environment = {
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: emulator.url,
    FEATURE_CONSOLE_API_KEY: key,
  };
  const at = (...names: string[]): string => path.join(folder, ...names);
  return {
    ...{ emulator, folder, at },
    lines: lines as readonly string[],
    /** Imports into the folder; without more said, all kinds, and no state. */
    import: (options: Partial<ImportOptions> = {}, pulumi?: PulumiCommand) =>
      importInto(folder, environment, { report: (line) => void lines.push(line), pulumi }, options),
    read: (file: string): string => readFileSync(at(file), "utf8"),
    write: (file: string, text: string): void => writeFileSync(at(file), text),
    async close() {
      await emulator.close();
      rmSync(folder, { recursive: true });
    },
  };
}

interface Around {
  readonly report?: (line: string) => void;
  readonly pulumi?: PulumiCommand | undefined;
}

/** Imports the console that an environment leads to. */
export function importInto(
  folder: string,
  environment: Readonly<Record<string, string>>,
  { report = () => undefined, pulumi = () => Promise.reject(new Error("Pulumi is not asked")) }: Around,
  options: Partial<ImportOptions>,
) {
  return importProject(
    {
      ...{ folder, by: "kind", language: "typescript", owners: false, force: false },
      ...{ dryRun: false, run: false, onlyNew: false, ...options },
    },
    {
      console: consoleOf({ environment, config: () => undefined }, folder, report),
      progress: progressLines(report, Date.now),
      ...{ pulumi, report, versions: { own: "^1.0.0", sdk: "^3.0.0" } },
    },
  );
}

export function inState(kind: string, name: string, id = name) {
  const type = `pulumi-nodejs:dynamic/feature-console:${kind}`;
  return { type, urn: `urn:pulumi:dev::flags::${type}::${name}`, id };
}

/** A `pulumi` that tells of a stack with these resources, and takes nothing else but a preview, in which nothing changes. */
export function pulumiOf(resources: () => readonly ReturnType<typeof inState>[]): PulumiCommand {
  return ([verb, what]) => {
    const answers: Record<string, unknown> = {
      "stack ls": [{ name: "dev" }],
      "stack export": { deployment: { resources: resources() } },
      "preview --json": { steps: [] },
    };
    const answer = answers[`${verb} ${what}`];
    if (answer === undefined) throw new Error(`pulumi ${verb} ${what}`);
    return Promise.resolve({ status: 0, stdout: JSON.stringify(answer), stderr: "" });
  };
}
