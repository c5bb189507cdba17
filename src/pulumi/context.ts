import { createRouteClient } from "../client/client";
import { systemClock } from "../client/limiter";
import type { ClientSettings } from "../client/settings";
import { stableText } from "../core/json";
import { embeddedTransport } from "../emulator";
import type { EngineContext } from "../engine";
import { idsOf } from "./id-sources";
import { type ConfigReader, collectSettings, type ProviderSettings } from "./settings";

/** Where the embedded console keeps its data, from the folder of the Pulumi project. */
const defaultEmbeddedPath = ".feature-console/console.db";

/** One per console, for as long as the process lives: connections, limits and memory of this run are shared. */
const contexts = new Map<string, EngineContext>();

/** The engine's context for a configuration. Built at the first call that needs it. @throws ConsoleError "settings". */
export function contextOf(config: ConfigReader): EngineContext {
  const settings = collectSettings(config, process.env);
  const key = stableText(settings);
  const known = contexts.get(key);
  if (known !== undefined) return known;
  const context: EngineContext = {
    client: createRouteClient(settings as ClientSettings, embedded(settings)),
    report: (line) => console.info(line),
    owned: new Set(),
    takenOver: new Set(),
    idsOf,
    sleep: systemClock.sleep,
    now: systemClock.now,
  };
  contexts.set(key, context);
  return context;
}

/** The embedded console runs inside this process. */
function embedded({ profile, embeddedPath }: ProviderSettings) {
  if (profile !== "embedded") return {};
  return { transport: embeddedTransport(embeddedPath ?? defaultEmbeddedPath) };
}
