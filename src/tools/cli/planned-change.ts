import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { visibleLines } from "../../provider/texts/issue-text";
import type { Acceptance } from "../rewrite/into-program";
import { type ProgramPorts, patchText, writeProgram } from "../rewrite/into-program";
import type { SettingsPorts } from "../rewrite/into-settings";
import type { Stack } from "../stack/stack";
import { confirmed, report, UsageError } from "./command";

/** Options about the use of a plan. */
export interface ChangeOptions {
  readonly patch: boolean;
  readonly yes: boolean;
  readonly "dry-run"?: boolean;
}

/** Previews the program of a stack with a text in the place of its file of settings. */
export function previewWith(stack: Stack): SettingsPorts["previewWith"] {
  return async (text) => {
    const place = mkdtempSync(path.join(tmpdir(), "feature-console-settings-"));
    try {
      const configFile = path.join(place, "Pulumi.yaml");
      writeFileSync(configFile, text, { mode: 0o600 });
      return await stack.preview({ configFile });
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  };
}

/** Shows a plan by its text, and with consent writes the program in a folder. @returns false after a no. */
export async function confirmAndWrite(
  text: string,
  acceptance: Acceptance,
  folder: string,
  program: ProgramPorts,
  options: ChangeOptions,
): Promise<boolean> {
  if (options.patch) {
    report(text);
    process.stdout.write(patchText(acceptance));
    return true;
  }
  process.stdout.write(visibleLines(text));
  if (options["dry-run"] === true || acceptance.changes.size === 0) return true;
  const files = [...acceptance.changes.keys()].join(", ");
  if (!options.yes && !process.stdin.isTTY)
    throw new UsageError("nothing is written: give --yes, or --patch, where no person can answer");
  if (!options.yes && !(await confirmed(`This changes ${files}.`))) return false;
  writeProgram(folder, program, acceptance);
  report(`Changed ${files}.`);
  return true;
}
