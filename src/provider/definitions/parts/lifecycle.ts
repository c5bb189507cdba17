import { route, type UpdateStrategy } from "../../schema/verbs";

const read = { how: "get", route: "get", list: "list" } as const;

/** Create and read by routes of the usual names, where the console refuses a key that is taken. */
export const keyed = { create: { how: "send", route: "create", duplicates: "refused" }, read } as const;

/**
 * Lifecycle of an object with routes of the usual names. No text describes a second create of the same name, so that the provider
 * looks before it creates one.
 */
export function plainLifecycle<const U extends readonly UpdateStrategy[]>(...update: U) {
  return {
    create: { how: "send", route: "create", duplicates: "unstated" },
    read,
    update,
    delete: { remove: { route: "delete" }, onDeleteDefault: "delete" },
  } as const;
}

/** Update by the changed fields alone. */
export const patched = { how: "patch", route: "patch" } as const;

/** Identity and lifecycle of settings, which every project has from the start. `why`: nothing deletes them. */
export function singleton(why: string) {
  return {
    identity: { how: "singleton", id: "project" },
    lifecycle: {
      create: { how: "claim", why: "Every project has its settings from the start." },
      read: { how: "get", route: "get" },
      // A full body removes each member that it leaves out (console-api, section 7).
      update: [{ how: "put", route: "replace", over: "get" }],
      delete: { why, onDeleteDefault: "retain" },
    },
  } as const;
}

/** Read and full replacement of settings at `path`. */
export function settingsRoutes<const P extends string, const F extends string>(
  path: P,
  requires: readonly F[],
) {
  return {
    get: route("GET", path, "item", "The settings."),
    replace: route("POST", path, "item", "Replaces the settings: what is left out is gone.", {
      body: { requires },
    }),
  };
}
