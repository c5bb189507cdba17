import { consoleOf } from "../../src/tools/import";
import { type verify, WireLog } from "../../src/tools/verify";

/** The key of the consoles of these tests. */
export const key = ["console", "test"].join("-");

/** What a run asks the console at an address with. */
export function portsFor(url: string, apiKey: string = key): Parameters<typeof verify>[1] {
  const wire = new WireLog();
  const environment = {
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: url,
    FEATURE_CONSOLE_API_KEY: apiKey,
  };
  return {
    context: consoleOf(environment, "", () => undefined, { onAnswer: wire.note }).context,
    wire,
    run: "test",
    report: () => undefined,
    progress: { listed: () => undefined, detailed: () => undefined },
    confirm: () => Promise.resolve(true),
    signal: new AbortController().signal,
  };
}
