import type { UpdateStrategy } from "../../schema/verbs";

/**
 * Lifecycle of an object with routes of the usual names. No text describes a second create of the same name, so that the provider
 * looks before it creates one.
 */
export function plainLifecycle<const U extends readonly UpdateStrategy[]>(...update: U) {
  return {
    create: { how: "send", route: "create", duplicates: "unstated" },
    read: { how: "get", route: "get", list: "list" },
    update,
    delete: { remove: { route: "delete" }, onDeleteDefault: "delete" },
  } as const;
}

/** Update by the changed fields alone. */
export const patched = { how: "patch", route: "patch" } as const;
