import type { JsonObject } from "../../../schema/json";
import type { Machine } from "../../../schema/verbs";

const running = ["active", "experiment_stopped", "assignment_stopped"];
const ended = ["decision_made", "abandoned"];
const allowReset = "allowReset";

/**
 * The states of an experiment and the ways between them, as the provider plans. Source: console-api/experiments.md, 1.4. The
 * emulator knows them on its own; a test compares the two (test/emulator/experiment-moves.test.ts).
 */
export const experimentMachine = {
  how: "machine",
  field: "status",
  initial: "setup",
  states: {
    setup: { edits: "all", says: "has not been started" },
    active: { edits: "most", says: "has been started" },
    // Reached in the console only; whether fields may change there is unstated.
    experiment_stopped: { edits: "none", says: "was stopped in the console" },
    assignment_stopped: { edits: "none", says: "was stopped in the console" },
    decision_made: { edits: "none", says: "has ended with a decision" },
    abandoned: { edits: "none", says: "has ended without a decision" },
    archived: { edits: "none", says: "is archived" },
  },
  moves: [
    { from: ["setup"], to: "active", route: "start" },
    // Before the decision: a way that only passes through an end takes the one that ships nothing.
    {
      from: running,
      to: "abandoned",
      route: "abandon",
      body: { decisionReason: "decisionReason" },
      needs: ["decisionReason"],
    },
    {
      from: running,
      to: "decision_made",
      route: "makeDecision",
      body: { id: "launchedGroup", decisionReason: "decisionReason", removeTargeting: "removeTargeting" },
      needs: ["launchedGroup", "decisionReason"],
    },
    { from: ended, to: "setup", route: "reset", option: allowReset },
    {
      from: ["setup", ...running, ...ended],
      to: "archived",
      route: "archive",
      body: { archiveReason: "archiveReason" },
    },
  ],
  edit: "patch",
  locked: ["idType"],
  switches: [
    {
      field: "disabledGroups",
      of: "groups",
      member: "disabled",
      on: "disableGroups",
      off: "enableGroups",
      body: "group_names",
    },
  ],
  options: {
    [allowReset]: {
      doc: "Whether it may go back to setup, which deletes its results. Left out: such a change is refused.",
      loses: "its results are lost",
    },
  },
  restored: { to: ["setup", ...ended], of: restoredState },
} as const satisfies Machine;

/** An experiment that ran before it was archived comes back as ended, not as running. */
function restoredState({ startTime, launchedGroupID }: JsonObject): string {
  if (typeof startTime !== "number") return "setup";
  return typeof launchedGroupID === "string" && launchedGroupID !== "" ? "decision_made" : "abandoned";
}
