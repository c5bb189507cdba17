import { statSync } from "node:fs";
import { collectSettings, type Environment } from "../../provider/pulumi/provider-settings";
import { embeddedFileIn } from "../../provider/pulumi/runs/console-digest";
import { createEmulator } from "..";
import type { SpecDocument } from "./specs";

/** The file of the embedded console to which the settings of a project lead. @throws Error where they lead elsewhere. */
export function embeddedFile(environment: Environment, folder: string): string {
  const { profile = "embedded", embeddedPath } = collectSettings(() => undefined, environment);
  if (profile === "embedded") return embeddedFileIn(folder, embeddedPath);
  throw new Error(
    `the settings (FEATURE_CONSOLE_PROFILE) lead to a console of the profile ${profile}, and server SDKs need an address and ` +
      "a key of their own: give --url and --server-key, or --data FILE for an embedded console",
  );
}

/** Nothing is made here: opening a file that is not there, or an empty one, would. */
function requireConsole(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  const advice = "`pulumi up` in the profile embedded makes one; another one is named by --data FILE";
  if (found === undefined) throw new Error(`${file} is not there: ${advice}`);
  if (found.isDirectory()) throw new Error(`${file} is a folder, and no file of a console: ${advice}`);
  if (found.size === 0) throw new Error(`${file} is empty, and no file of a console: ${advice}`);
}

/** The document of an embedded console for server SDKs, and findings about it. @throws Error where there is no such file. */
export function embeddedDocument(file: string): { document: SpecDocument; findings: readonly string[] } {
  requireConsole(file);
  const emulator = createEmulator({ profile: "embedded", data: file });
  try {
    const { v1, findings } = emulator.sdkDocuments();
    return { document: JSON.parse(v1) as SpecDocument, findings };
  } finally {
    emulator.close();
  }
}
