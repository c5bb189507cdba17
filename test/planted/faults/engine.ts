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
    name: "a refresh takes the gate that a person created anew for the one of the state",
    file: "provider/engine/read.ts",
    find: 'if (live !== undefined && isSameObject(definition, state, live) === "other") {',
    replace: 'if (live !== undefined && isSameObject(definition, state, live) === "unknown") {',
  },
  {
    name: "an update revives a gate that a person has archived since the last refresh",
    file: "provider/decisions/plan.ts",
    find: "comesBack(definition, live, program) && !isArchived(definition, seen)",
    replace: "comesBack(definition, live, program) && isArchived(definition, seen)",
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
    replace: "const id = (Object.values(target.live[part.field] ?? [])[0] as JsonObject)[part.id];",
  },
  {
    name: "an update that sends a whole object drops what the program leaves alone",
    file: "provider/engine/update-strategies.ts",
    find: "{ ...kept, ...over, ...wantedBody }",
    replace: "{ ...wantedBody }",
  },
  {
    name: "the rules of a segment are sent in the form of another route",
    file: "provider/engine/update-strategies.ts",
    find: "const value = beside.length === 0 ? bare :",
    replace: "const value = beside.length !== 0 ? bare :",
  },
  {
    name: "a gate that an update archives bears no mark of its stack",
    file: "provider/engine/update-strategies.ts",
    find: "reasonBody(definition, route, withReason(target))",
    replace: "reasonBody(definition, route, target.program)",
  },
  {
    name: "the rotation of a key ends the old value although the program keeps it",
    file: "provider/engine/rotate.ts",
    find: "keeps ? makeAnother(target) : context.client.item(route, { params })",
    replace: "keeps ? context.client.item(route, { params }) : makeAnother(target)",
  },
  {
    name: "the start of an experiment fails because its first answer was lost",
    file: "provider/engine/transitions.ts",
    find: "|| hasMoved(current) ?",
    replace: "|| !hasMoved(current) ?",
  },
];
