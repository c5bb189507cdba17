import type { PlantedFault } from "../fault";

/** Mistakes of the two adapters, of what a run remembers, of the settings, and of definitions. */
export const stackFaults: readonly PlantedFault[] = [
  {
    name: "a refresh shows a secret argument of a native resource in the clear",
    file: "provider/native/service.ts",
    find: "topNames([...state.secrets, ...inputs.secrets])",
    replace: "topNames(state.secrets)",
  },
  {
    name: "a native preview shows a change of the state as a change of the program",
    file: "provider/native/detailed-diff.ts",
    find: "return between(picked(state, set), set, false);",
    replace: "return between(picked(state, set), set, true);",
  },
  {
    name: "a dynamic resource that is imported long ago is imported again when it is replaced",
    file: "provider/pulumi/provider.ts",
    find: "[adoptMember]: isFulfilled ? undefined : imported",
    replace: "[adoptMember]: imported",
  },
  {
    name: "a failed update forgets the review that it had opened",
    file: "provider/pulumi/provider.ts",
    find: "{ ...state, ...own, ...seen, ...reviews }",
    replace: "{ ...state, ...own, ...seen }",
  },
  {
    name: "a stack deletes what another stack adopted eight days ago",
    file: "provider/pulumi/runs/journal.ts",
    find: 'return did === "adopt" || did === "unarchive" ? adoptionLifetimeMs : noteLifetimeMs;',
    replace: 'return did === "unarchive" ? adoptionLifetimeMs : noteLifetimeMs;',
  },
  {
    name: "a preview asks a console for its project whose address the state does not know",
    file: "provider/pulumi/runs/console-guard.ts",
    find: "if (!this.#isTold) await this.#learn();",
    replace: "if (!this.#isTold) void this.#learn();",
  },
  {
    name: "the stack's configuration beats the environment: a rotated key does not work",
    file: "provider/pulumi/provider-settings.ts",
    find: "explicit ? (configured ?? around) : (around ?? configured)",
    replace: "configured ?? around",
  },
  {
    name: "a change of a gate's idType overwrites its results in place",
    file: "provider/definitions/flags/gate.ts",
    find: 'so it replaces the gate.",\n      replaces: true,',
    replace: 'so it replaces the gate.",',
  },
  {
    name: "an id list is sent while the console still applies the chunk before",
    file: "provider/definitions/flags/segment.ts",
    find: '        busy: { route: "getIdListMetadata", member: "isUpdating" },\n',
    replace: "",
  },
  {
    name: "an alert without a delay has a difference for ever",
    file: "provider/definitions/measures/alert.ts",
    find: "evaluationDelayMs: live.evaluationDelayMs ?? 0",
    replace: "evaluationDelayMs: live.evaluationDelayMs",
  },
];
