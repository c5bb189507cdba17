import path from "node:path";
import { createRouteClient } from "../client/client";
import { systemClock } from "../client/limiter";
import type { ClientSettings } from "../client/settings";
import { embeddedTransport } from "../emulator";
import { type EngineContext, Ownership } from "../engine";
import { consoleDigest, defaultEmbeddedPath } from "../pulumi/console-digest";
import { collectSettings, type Environment } from "../pulumi/provider-settings";

/** The console that is read. */
export interface ReadConsole {
  readonly context: EngineContext;
  /** Digest of its address, as state holds it. */
  readonly digest: string;
  /** The key that reads it; nothing shows it. */
  readonly apiKey: string | undefined;
}

/**
 * The console that the environment leads to. `folder`: of the Pulumi project, from which the embedded console keeps its data.
 * @throws ConsoleError "settings".
 */
export function consoleOf(
  environment: Environment,
  folder: string,
  report: (line: string) => void,
): ReadConsole {
  const settings = collectSettings(() => undefined, environment);
  const { profile, embeddedPath = defaultEmbeddedPath, apiKey } = settings;
  const embedded =
    profile === "embedded" ? { transport: embeddedTransport(path.join(folder, embeddedPath)) } : {};
  const client = createRouteClient(settings as ClientSettings, { ...embedded, report });
  const context: EngineContext = {
    client,
    report,
    ownership: new Ownership(),
    idsOf: () => undefined,
    sleep: systemClock.sleep,
    now: systemClock.now,
  };
  return { context, digest: consoleDigest(settings), apiKey };
}
