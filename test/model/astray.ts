import { keyOf, type Received } from "../world/console";
import type { EngineRun } from "../world/engine";
import { type Declared, declared } from "../world/programs";
import type { Act, Away, Stack } from "../world/stage";
import type { Run } from "../world/steps";
import type { Violation } from "./episode";
import type { Step } from "./history";
import { objectOf } from "./ledger";

/** A command that is run with settings which lead to another console. */
export type Astray = Extract<Step, { do: "astray" }>;

/** At one address another key leads to another project; another address is another console. */
export const settingsTo: Readonly<Record<Astray["to"], Away["settings"]>> = {
  "another project": { FEATURE_CONSOLE_API_KEY: ["model", "other", "key"].join("-") },
  "another address": { FEATURE_CONSOLE_BASE_URL: "https://other.test" },
};

/** A new object that stands first in a program: whatever is sent for it is sent before any resource has shown the state. */
const first = declared("gate", "first_of_all", { key: "first_of_all" });

/** What the command does in the engine. */
export function workOf({ command }: Astray, program: Declared[]): (engine: EngineRun) => Promise<Run> {
  if (command === "refresh") return (engine) => engine.refresh();
  if (command === "destroy") return (engine) => engine.destroy();
  return (engine) => engine.up([first, ...program], { refresh: false, replace: [] });
}

/** Rule: what another console has is left alone. Not even the key goes to another address, and a project is asked for its id alone. */
export function astrayViolations(
  step: Astray,
  { state }: Pick<Stack, "state">,
  { run, requests }: Act,
  isPreview: boolean,
): Violation[] {
  const rule = "what another console has is left alone";
  const isAllowed = ({ method, path }: Received) =>
    step.to === "another project" && method === "GET" && path === "/project";
  const sent = requests.filter((one) => !isAllowed(one));
  const kept = new Set(run.state.map(objectOf));
  const lost = step.command === "refresh" ? state.filter((held) => !kept.has(objectOf(held))) : [];
  const isQuiet = step.command === "up" && !isPreview && run.error === undefined;
  return [
    ...sent.map(
      ({ method, path }) => ({ rule, object: path, text: `${method} ${path} was sent there` }) as const,
    ),
    ...lost.map(({ kind, id }) => ({ rule, object: keyOf(kind, id), text: "left the state" }) as const),
    ...(isQuiet
      ? [{ rule, object: keyOf("gate", "first_of_all"), text: "an up went through" } as const]
      : []),
  ];
}

/** Whether the state names a console: nothing else can be compared. */
export function namesConsole({ state }: Pick<Stack, "state">): boolean {
  return state.some(({ outputs }) => outputs.__project !== undefined);
}
