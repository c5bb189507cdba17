import type { PlantedFault } from "../fault";

/** Mistakes in what the engine sends, one in each strategy, and in how it compares and merges values. */
export const engineFaults: readonly PlantedFault[] = [
  {
    name: "a tag that a person removed comes back with the next update of the tags",
    file: "provider/values/merge.ts",
    find: "[...program.filter((one) => !isIn(gone, one)), ...added]",
    replace: "[...program, ...added]",
  },
  {
    name: "an update writes over a state of the next version",
    file: "provider/values/upgrade.ts",
    find: "format <= stateFormat)",
    replace: "format <= stateFormat + 1)",
  },
  {
    name: "a lost answer makes two alerts of one name",
    file: "provider/engine/create.ts",
    find: 'sends >= mostSends || definition.identity.how === "server"',
    replace: "sends >= mostSends",
  },
  {
    name: "a late read of a refresh drops a gate from the state",
    file: "provider/engine/read.ts",
    find: "live === undefined && names.length > 0 && reads < mostReads",
    replace: "live === undefined && names.length === 0 && reads < mostReads",
  },
  {
    name: "an update revives a gate that a person has archived since the last refresh",
    file: "provider/engine/update.ts",
    find: "if (!isArchived(definition, live) || isArchived(definition, state) ||",
    replace: "if (!isArchived(definition, live) || !isArchived(definition, state) ||",
  },
  {
    name: "a delete fails because the object is gone already",
    file: "provider/engine/delete.ts",
    find: 'if (isConsoleError(error, "not-found")) return;',
    replace: 'if (isConsoleError(error, "not-found")) throw error;',
  },
  {
    name: "a change of the rules goes without the rollout strategy that the program sets beside them",
    file: "provider/decisions/plan.ts",
    find: "return leader !== undefined && leader in changes;",
    replace: "return leader === undefined && name in changes;",
  },
  {
    name: "an update of one rule sends it to the rule above",
    file: "provider/engine/elements.ts",
    find: "const id = change.live[part.id];",
    replace: "const id = (Object.values(subject.live[part.field] ?? [])[0] as JsonObject)[part.id];",
  },
  {
    name: "an update of a whole object takes back what nobody in the program manages",
    file: "provider/engine/update-strategies.ts",
    find: "{ ...kept, ...(await liveUnder(subject, part.over)), ...wantedBody }",
    replace: "{ ...kept, ...wantedBody }",
  },
  {
    name: "the rules of a segment are not sent to a console that wants them wrapped",
    file: "provider/engine/update-strategies.ts",
    find: 'part.wrapOn400 === undefined || !isConsoleError(error, "refused") || error.status !== 400',
    replace: 'part.wrapOn400 === undefined || !isConsoleError(error, "refused") || error.status === 400',
  },
  {
    name: "a launched gate cannot be disabled by isEnabled: false",
    file: "provider/engine/update-strategies.ts",
    find: "part.when === undefined || subject.live[part.when.field] === part.when.is",
    replace: "part.when === undefined || subject.live[part.when.field] !== part.when.is",
  },
  {
    name: "the rotation of a key ends the old value although the program keeps it",
    file: "provider/engine/rotate.ts",
    find: "(keeps ? makeAnother(subject) : rotate(subject, part))",
    replace: "(keeps ? rotate(subject, part) : makeAnother(subject))",
  },
  {
    name: "an experiment that is stopped goes on under its old groups: a move does not wait for its answer",
    file: "provider/engine/transitions.ts",
    find: "if (goesOn && subject.live[machine.field] !== move.to) await readAgain(subject);",
    replace: "if (goesOn && subject.live[machine.field] !== move.to) void readAgain(subject);",
  },
];
