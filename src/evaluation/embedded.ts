import { existsSync } from "node:fs";
import path from "node:path";
import { createEmulator } from "../emulator";
import { defaultEmbeddedPath } from "../pulumi/console-digest";
import { collectSettings, type Environment } from "../pulumi/provider-settings";
import type { SpecDocument } from "./specs";

/** The file of the embedded console to which the settings of a project lead. @throws Error where they lead elsewhere. */
export function embeddedFile(environment: Environment, folder: string): string {
  const { profile = "embedded", embeddedPath = defaultEmbeddedPath } = collectSettings(
    () => undefined,
    environment,
  );
  if (profile === "embedded") return path.join(folder, embeddedPath);
  throw new Error(
    `the settings lead to a console of the profile ${profile}, and server SDKs need an address and a key of their own: ` +
      "give --url and --server-key, or --data FILE for an embedded console",
  );
}

/** What server SDKs would evaluate of an embedded console, and what they cannot be told. @throws Error where there is no such file. */
export function embeddedDocument(file: string): { document: SpecDocument; findings: readonly string[] } {
  if (!existsSync(file))
    throw new Error(
      `${file} is not there: \`pulumi up\` in the profile embedded makes it; another one is named by --data FILE`,
    );
  const emulator = createEmulator({ profile: "embedded", data: file });
  try {
    const { v1, findings } = emulator.sdkDocuments();
    return { document: JSON.parse(v1) as SpecDocument, findings };
  } finally {
    emulator.close();
  }
}
