import type { PlantedFault } from "../fault";

/** Mistakes of the client that speaks to the console, and of the emulator that stands for it. */
export const consoleFaults: readonly PlantedFault[] = [
  {
    name: "a POST whose answer was lost is sent again",
    file: "provider/client/retry.ts",
    find: "return few && repeatable.has(attempt.method) ? backoff(attempt, 200) : undefined;",
    replace: "return few ? backoff(attempt, 200) : undefined;",
  },
  {
    name: "a console that repeats a page holds a list up for ever",
    file: "provider/client/pages.ts",
    find: "start === undefined || starts.has(start)",
    replace: "start === undefined",
  },
  {
    name: "a run sends one write more than the limit of the console allows",
    file: "provider/client/limits/windows.ts",
    find: "answered[answered.length - (most - underWay)]",
    replace: "answered[answered.length - (most - underWay) - 1]",
  },
  {
    name: "the key of the environment goes to the address of a program's own provider",
    file: "provider/pulumi/key-destination.ts",
    find: 'if (!isOfEnvironment && !shared.includes("key")) return undefined;',
    replace: 'if (isOfEnvironment || !shared.includes("key")) return undefined;',
  },
  {
    name: "a message shows the key that the console repeats",
    file: "provider/client/redact.ts",
    find: "left.replaceAll(one, hidden)",
    replace: "left.replace(one, hidden)",
  },
  {
    name: "the emulator accepts unknown environments when it is told to refuse them",
    file: "emulator/console/rules/named-objects.ts",
    find: 'if (switches.unknownEnvironments === "refuse") {',
    replace: 'if (switches.unknownReferences === "refuse") {',
  },
  {
    name: "the emulator takes ids while it still applies the ones before",
    file: "emulator/console/id-lists.ts",
    find: "if (isPending(call.world, id)) throw",
    replace: "if (isPending(call.world, id) && call.ports.idListDelayMs === 0) throw",
  },
  {
    name: "a user who is held out passes a gate all the same in the emulator's SDK endpoint",
    file: "emulator/sdk/spec/gates.ts",
    find: '...holdoutRules(reading.holdersOf("gateIDs", id), { returnValue: true, passPercentage: 0 }),\n    ...ownRules(gate),',
    replace:
      '...ownRules(gate),\n    ...holdoutRules(reading.holdersOf("gateIDs", id), { returnValue: true, passPercentage: 0 }),',
  },
];
