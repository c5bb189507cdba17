import type { JsonObject } from "../../src/provider/schema/json";
import { listOf, subject } from "../laws/harness";

/** The states that a program can ask for. */
export const states = ["setup", "active", "decision_made", "abandoned", "archived"] as const;

/** One of them. */
export type State = (typeof states)[number];

/** Id of the experiment of these tests. */
export const id = "colours";

export const group = (name: string, size = 50, parameterValues: JsonObject = {}): JsonObject => ({
  ...{ name, size, parameterValues },
});

/** Its arguments, with two groups. */
export const colours = {
  ...{ key: id, name: id },
  groups: [group("Control", 50, { colour: "blue" }), group("Test", 50, { colour: "green" })],
};

/** Arguments that ask for a state, with all that the console needs to know for it. */
export function asking(status: State, more: JsonObject = {}): JsonObject {
  const reason = status === "decision_made" || status === "abandoned" ? { decisionReason: "Because" } : {};
  const shipped = status === "decision_made" ? { launchedGroup: "Test" } : {};
  return { ...colours, status, ...reason, ...shipped, ...more };
}

/** The operations that lead from setup to a state. */
export const waysTo: Readonly<Record<State, string>> = {
  ...{ setup: "", active: "start", decision_made: "start makeDecision" },
  ...{ abandoned: "start abandon", archived: "archive" },
};

export const stepsOf = (way: string): string[] => way.split(" ").filter((step) => step !== "");

/** Somebody takes the steps by the raw API, one after the other. */
export async function walk(way: string): Promise<void> {
  const { experiment } = subject.raw;
  for (const name of stepsOf(way)) {
    const test = (await listOf(id, "groups")).find((one) => one.name === "Test");
    const body = { decisionReason: "Because", ...(name === "makeDecision" ? { id: test?.id } : {}) };
    const takesReason = ["makeDecision", "abandon"].includes(name);
    await experiment[name as "start"](takesReason ? { id, body } : { id });
  }
}
