import type { EngineContext } from "../../provider/engine";
import { type ProcessPorts, ProviderProcess } from "../../provider/pulumi/process";
import { collectSettings, type Environment } from "../../provider/pulumi/provider-settings";

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
  ports: Pick<ProcessPorts, "onAnswer"> = {},
): ReadConsole {
  const process = new ProviderProcess({ ...ports, environment: () => environment, folder, report });
  const { apiKey } = collectSettings(() => undefined, environment);
  return { context: process.context(), digest: process.console(), apiKey };
}
