import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type RunningEmulator, type Seed, startEmulator } from "../../src/emulator";
import type { PulumiCommand } from "../../src/provider/pulumi/runs/cli";
import {
  consoleOf,
  type Imported,
  type ImportOptions,
  importProject,
  progressLines,
} from "../../src/tools/import";
import { testKey } from "../emulator/desk";

/** A console and an empty folder to import it into. */
export interface ImportDesk {
  readonly emulator: RunningEmulator;
  readonly folder: string;
  /** Imports into the folder; without more said, all kinds, and no state. */
  import(options?: Partial<ImportOptions>, pulumi?: PulumiCommand): Promise<Imported>;
  /** The text of a file of the folder. */
  read(file: string): string;
  /** Lines that were reported so far. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

const usual = {
  by: "kind",
  language: "typescript",
  owners: false,
  force: false,
  dryRun: false,
  run: false,
  onlyNew: false,
} as const;

/** Opens one over a console of its own. The caller closes it. */
export async function openImportDesk(seed: Seed): Promise<ImportDesk> {
  return importDeskOver(await startEmulator({ key: testKey, seed }));
}

/** Opens one over a console that runs, by one of its keys. */
export function importDeskOver(emulator: RunningEmulator, key = testKey): ImportDesk {
  const folder = mkdtempSync(path.join(tmpdir(), "import desk "));
  const environment = {
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: emulator.url,
    FEATURE_CONSOLE_API_KEY: key,
  };
  const lines: string[] = [];
  const report = (line: string) => void lines.push(line);
  return {
    ...{ emulator, folder, lines },
    import: (options = {}, pulumi = () => Promise.reject(new Error("Pulumi is not asked"))) =>
      importProject(
        { ...usual, folder, ...options },
        {
          console: consoleOf(environment, folder, report),
          pulumi,
          progress: progressLines(report, Date.now),
          report,
          versions: { own: "^1.0.0", sdk: "^3.0.0" },
        },
      ),
    read: (file) => readFileSync(path.join(folder, file), "utf8"),
    async close() {
      await emulator.close();
      rmSync(folder, { recursive: true });
    },
  };
}
