import type { RunningEmulator } from "../../src/emulator";
import type { JsonObject } from "../../src/provider/schema/json";
import type { RawClient } from "../support/raw-client";

/** The states that a program can ask for. */
export const states = ["setup", "active", "decision_made", "abandoned", "archived"] as const;

/** One of them. */
export type State = (typeof states)[number];

/** Id of the experiment of these tests. */
export const id = "colours";

/** Arguments of an experiment with two groups. */
export const colours: JsonObject = {
  key: id,
  name: id,
  groups: [
    { name: "Control", size: 50, parameterValues: { colour: "blue" } },
    { name: "Test", size: 50, parameterValues: { colour: "green" } },
  ],
};

/** Arguments that ask for a state, with all that the console needs to know for it. */
export function asking(status: State, more: JsonObject = {}): JsonObject {
  const reason = status === "decision_made" || status === "abandoned" ? { decisionReason: "Because" } : {};
  const shipped = status === "decision_made" ? { launchedGroup: "Test" } : {};
  return { ...colours, status, ...reason, ...shipped, ...more };
}

type Step = (raw: RawClient) => Promise<unknown>;

/** The experiment as the console has it. */
export const live = (raw: RawClient): Promise<JsonObject> => raw.experiment.get({ id });

/** The console's id of a group. */
async function groupID(raw: RawClient, name: string): Promise<unknown> {
  const { groups } = await live(raw);
  return (groups as JsonObject[]).find((group) => group.name === name)?.id;
}

/** Operations of the raw API, by the name of their route. */
export const steps = {
  start: (raw) => raw.experiment.start({ id }),
  makeDecision: async (raw) =>
    raw.experiment.makeDecision({
      id,
      body: { id: String(await groupID(raw, "Test")), decisionReason: "Because" },
    }),
  abandon: (raw) => raw.experiment.abandon({ id, body: { decisionReason: "Because" } }),
  reset: (raw) => raw.experiment.reset({ id }),
  archive: (raw) => raw.experiment.archive({ id }),
  unarchive: (raw) => raw.experiment.unarchive({ id }),
} satisfies Record<string, Step>;

/** Name of such an operation. */
export type StepName = keyof typeof steps;

/** The raw operations that lead from setup to a state. */
export const waysTo: Readonly<Record<State, readonly StepName[]>> = {
  setup: [],
  active: ["start"],
  decision_made: ["start", "makeDecision"],
  abandoned: ["start", "abandon"],
  archived: ["archive"],
};

/** Takes the steps, one after the other. */
export async function walk(raw: RawClient, way: readonly StepName[]): Promise<void> {
  for (const name of way) await steps[name](raw);
}

/** Names of the routes of the writes that a console received. */
export function writes(emulator: RunningEmulator): (string | undefined)[] {
  return emulator.requests.filter(({ method }) => method !== "GET").map(({ route }) => route);
}
