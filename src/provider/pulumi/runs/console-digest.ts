import { createHash } from "node:crypto";
import path from "node:path";
import { type ClientSettings, resolveSettings } from "../../client/settings";
import type { ProviderSettings } from "../provider-settings";

/** Default file of the embedded console, from the folder of the Pulumi project. */
export const defaultEmbeddedPath: string = path.join(".feature-console", "console.db");

/** The file of the embedded console of a project: its path counts from the folder of the project, unless it is a whole one. */
export function embeddedFileIn(folder: string, embeddedPath: string = defaultEmbeddedPath): string {
  return path.isAbsolute(embeddedPath) ? embeddedPath : path.join(folder, embeddedPath);
}

/** Digest of the address of the console that settings lead to. @throws ConsoleError "settings". */
export function consoleDigest(settings: ProviderSettings): string {
  const { baseUrl } = resolveSettings(settings as ClientSettings);
  return digestOf(settings.profile === "embedded" ? (settings.embeddedPath ?? defaultEmbeddedPath) : baseUrl);
}

/** Twelve characters: enough to tell the few that one stack has to do with, and nothing can be read from them. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}
