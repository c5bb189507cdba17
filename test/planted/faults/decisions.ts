import type { PlantedFault } from "../fault";

/** One mistake in each decision about an object. */
export const decisionFaults: readonly PlantedFault[] = [
  {
    name: "a create revives a gate that the program of another stack keeps archived",
    file: "provider/decisions/claim.ts",
    find: 'when: { origin: ["kept-elsewhere"] },',
    replace: 'when: { origin: ["kept-elsewhere"], match: ["stuck"] },',
  },
  {
    name: "a destroy deletes an object that another stack has adopted since",
    file: "provider/decisions/claim.ts",
    find: "when: { takenSince: [true] },",
    replace: 'when: { takenSince: [true], onDelete: ["archive"] },',
  },
  {
    name: "a person's edit since the last refresh passes the protection against concurrent edits",
    file: "provider/decisions/console-edits.ts",
    find: "return isMarked && from === to ? undefined",
    replace: "return isMarked && from !== to ? undefined",
  },
  {
    name: "an update clears an argument that the program removes, although a person has just changed it",
    file: "provider/decisions/console-edits.ts",
    find: "return [{ name, value: undefined, paths: [], conflicts: [{ path: [name], within: [], ...three }] }];",
    replace: "return [];",
  },
  {
    name: "settings that demand teams do not stop a gate without a team that stands after them",
    file: "provider/decisions/declared-demands.ts",
    find: "for (const kind of kinds) this.#demanding.set(kind, title);",
    replace: "for (const kind of kinds) if (this.#teamless.has(kind)) this.#demanding.set(kind, title);",
  },
  {
    name: "a misspelt name is reported although a name of the program is not known yet",
    file: "provider/decisions/declared-names.ts",
    find: "declared === undefined || declared.names.has(UNKNOWN)",
    replace: "declared === undefined",
  },
  {
    name: "two experiments that share a layer exactly are reported as asking for too much",
    file: "provider/decisions/declared-shares.ts",
    find: "return percent > 100 ?",
    replace: "return percent >= 100 ?",
  },
  {
    name: "ignoreChanges gives a rule the percentage of its neighbour after the list has moved",
    file: "provider/decisions/ignored-places.ts",
    find: "if (from === at) return straysAt(",
    replace: "if (from !== undefined) return straysAt(",
  },
  {
    name: "a refresh with a wrong address drops all five objects of a stack from its state",
    file: "provider/decisions/missing-objects.ts",
    find: "total >= fewest &&",
    replace: "total > fewest &&",
  },
  {
    name: "the key counts as the owner of an object",
    file: "provider/decisions/owner.ts",
    find: 'ownerType === "SDK_KEY" ?',
    replace: 'ownerType === "SDK" ?',
  },
  {
    name: "an argument that moves to its twin is cleared: team to teamID",
    file: "provider/decisions/plan.ts",
    find: "exclusiveWith(definition, name).some((other) => program[other] !== undefined)",
    replace: "exclusiveWith(definition, name).some((other) => live[other] === program[other])",
  },
  {
    name: "a new gate cannot get the name of the one that it replaces",
    file: "provider/decisions/replacement-order.ts",
    find: 'hasNameBeside(definition) || definition.identity.how === "server";',
    replace: 'definition.identity.how === "server";',
  },
  {
    name: "a gate that a person deleted and created again counts as the gate of the state",
    file: "provider/decisions/same-object.ts",
    find: 'return isSameTime(then, now) ? "same" : "other";',
    replace: 'if (isSameTime(then, now)) return "same";',
  },
  {
    name: "a stack revives what another stack of the same backend has archived",
    file: "provider/decisions/stack-mark.ts",
    find: "if (first.name !== second.name) return false;",
    replace: "",
  },
  {
    name: "an argument that is not known yet counts as set beside the one that excludes it",
    file: "provider/decisions/check.ts",
    find: "args[name] !== undefined && args[name] !== UNKNOWN",
    replace: "args[name] !== undefined",
  },
];
