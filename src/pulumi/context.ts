import { systemClock } from "../client/limiter";
import type { ClientSettings } from "../client/settings";
import { ConsoleError, messageOf } from "../core/errors";
import { stableText } from "../core/json";
import { type EngineContext, Holders } from "../engine";
import { idsOf } from "./id-sources";
import { notesFor } from "./notes";
import { runProgress } from "./progress";
import { type ConfigReader, collectSettings, type ProviderSettings } from "./settings";

/** Where the embedded console keeps its data, from the folder of the Pulumi project. */
const defaultEmbeddedPath = ".feature-console/console.db";

/** One per console, for as long as the process lives: connections, limits and memory of this run are shared. */
const contexts = new Map<string, EngineContext>();

interface Resolved {
  readonly settings: ProviderSettings;
  /** The same for equal settings. */
  readonly key: string;
}

/** A process is configured once, and asks for its settings a thousand times. */
const resolved = new WeakMap<ConfigReader, Resolved>();

/** @throws ConsoleError "settings". */
function resolve(config: ConfigReader): Resolved {
  const known = resolved.get(config);
  if (known !== undefined) return known;
  const settings = collectSettings(config, process.env);
  const found = { settings, key: stableText(settings) };
  resolved.set(config, found);
  return found;
}

/** The engine's context for a configuration. Built at the first call that needs it. @throws ConsoleError "settings". */
export function contextOf(config: ConfigReader): EngineContext {
  const { settings, key } = resolve(config);
  const known = contexts.get(key);
  if (known !== undefined) return known;
  const report = (line: string) => console.info(line);
  const writesLeft = () => runProgress.writesLeft(context.client.sentWrites());
  // A preview asks nobody: it need not load what speaks HTTP.
  const { createRouteClient } = require("../client/client") as typeof import("../client/client");
  const context: EngineContext = {
    client: createRouteClient(settings as ClientSettings, { ...embedded(settings), report, writesLeft }),
    report,
    holders: holdersBy(key),
    notes: notesFor(stableText([settings.profile, settings.baseUrl, settings.embeddedPath])),
    idsOf,
    sleep: systemClock.sleep,
    now: systemClock.now,
  };
  contexts.set(key, context);
  return context;
}

/** Who holds what, by console; a preview notes it and asks nobody. */
const holders = new Map<string, Holders>();

function holdersBy(key: string): Holders {
  const known = holders.get(key) ?? new Holders();
  holders.set(key, known);
  return known;
}

/** Who holds what in a console; undefined while the settings are not usable, which the first call will say. */
export function holdersIn(config: ConfigReader): Holders | undefined {
  try {
    return holdersBy(resolve(config).key);
  } catch {
    return undefined;
  }
}

/** The embedded console runs inside this process. */
function embedded({ profile, embeddedPath }: ProviderSettings) {
  if (profile !== "embedded") return {};
  const { embeddedTransport } = require("../emulator") as typeof import("../emulator");
  const file = embeddedPath ?? defaultEmbeddedPath;
  try {
    return { transport: embeddedTransport(file) };
  } catch (error) {
    throw new ConsoleError(
      `feature-console:embeddedPath: the embedded console cannot keep its data in ${JSON.stringify(file)} (${messageOf(error)}). ` +
        "Give the path of a file that can be written, or of none yet.",
      { category: "settings" },
      { cause: error },
    );
  }
}
