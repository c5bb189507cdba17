import { route } from "../../schema/verbs";

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
