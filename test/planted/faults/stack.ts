import type { PlantedFault } from "../fault";

/** Mistakes of the two adapters, of what a run remembers, of the settings, and of definitions. */
export const stackFaults: readonly PlantedFault[] = [
  {
    name: "the state of a native resource shows what its kind keeps secret",
    file: "provider/native/kind-values.ts",
    find: "new Set([...secretNames(definition), ...given, ...echoes, ...hidden])",
    replace: "new Set([...given, ...echoes, ...hidden])",
  },
  {
    name: "a native preview shows a change inside of a parameter that has only moved",
    file: "provider/native/detailed-diff.ts",
    find: "if (!isSame || !isObject(left) || !isObject(right)) return [];",
    replace: "if (!isObject(left) || !isObject(right)) return [];",
  },
  {
    name: "an object of another key is created only after the old one is gone",
    file: "provider/pulumi/provider.ts",
    find: 'deleteBeforeReplace: replacementOrder(definition, id, news) === "delete-first",',
    replace: "deleteBeforeReplace: true,",
  },
  {
    name: "a refused key is reported for each object of a refresh",
    file: "provider/pulumi/runs/refresh-reads.ts",
    find: "      this.#failed.set(scope, failed);\n",
    replace: "",
  },
  {
    name: "a stack deletes what another stack adopted eight days ago",
    file: "provider/pulumi/runs/journal.ts",
    find: 'return did === "adopt" || did === "unarchive" ? adoptionLifetimeMs : createLifetimeMs;',
    replace: 'return did === "unarchive" ? adoptionLifetimeMs : createLifetimeMs;',
  },
  {
    name: "a preview asks a console for its project whose address the state does not know",
    file: "provider/pulumi/runs/console-guard.ts",
    find: "await this.#learning;",
    replace: "void this.#learning;",
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
    name: "ids that join the list of a user store leave it",
    file: "provider/definitions/flags/segment.ts",
    find: 'add: "addUserStoreIds",\n        remove: "removeUserStoreIds",',
    replace: 'add: "removeUserStoreIds",\n        remove: "addUserStoreIds",',
  },
  {
    name: "a key that a person has deactivated stays in the state",
    file: "provider/definitions/project/key.ts",
    find: 'gone: { field: "status", is: "deactivated" }',
    replace: 'gone: { field: "status", is: "inactive" }',
  },
];
