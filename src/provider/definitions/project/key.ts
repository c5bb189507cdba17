import { z } from "zod";
import { defineResource, type Problem } from "../../schema/define";
import { input, optional, output, writeOnly } from "../../schema/field";
import { adoptMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { route } from "../../schema/verbs";
import { assignment } from "../../texts/argument-names";
import { description } from "../parts/names";
import { set } from "../parts/traits";

const item = "/keys/{id}";
/** The path holds the key itself. */
const secret = { secretPath: true } as const;
const later = ["description", "scopes", "environments", "targetAppID", "secondaryTargetAppIDs"] as const;
const atCreation = ["type", ...later] as const;

const scopes = [
  ...["omni_read_only", "omni_read_write", "client_download_config_specs", "none_hash_enabled"],
  ...["can_access_keys", "client_can_write_user_store", "personal_read_only", "personal_read_write"],
] as const;

/** A key to the console or to its SDKs. Source: console-api/project.md, section 8. */
export const key = defineResource({
  kind: "Key",
  name: "key",
  title: "key",
  doc:
    "A key for servers, clients or the console. Its value is a secret output; its id is a digest that opens nothing. " +
    "Destroy deactivates it, which `onDelete` calls `archive`.",
  identity: { how: "server", argument: "description", secret: "value" },
  fields: {
    description: input(description, { doc: "Its purpose. People distinguish keys by it alone." }),
    type: input(z.enum(["SERVER", "CLIENT", "CONSOLE", "SCIM", "ORG"]), {
      doc: "The access that it gives.",
      replaces: true,
    }),
    scopes: input(z.array(z.enum(scopes)).optional(), { doc: "Its permissions.", ...set }),
    environments: optional(z.array(z.string()), "Environments that it is for; none: all of them.", set),
    targetAppID: writeOnly(z.string().nullable().optional(), {
      doc: "Id of the target app whose objects it sees.",
      refersTo: "targetApp",
      clearWith: null,
    }),
    secondaryTargetAppIDs: writeOnly(z.array(z.string()).nullable().optional(), {
      doc: "Ids of further target apps whose objects it sees.",
      refersTo: "targetApp",
      unordered: true,
      clearWith: null,
    }),
    rotation: writeOnly(z.string().optional(), {
      doc: "Any text, for example a date. A change gives the key another value.",
      startsAction: true,
    }),
    onRotation: writeOnly(z.enum(["deactivate", "keep"]).optional(), {
      doc:
        "The end of the old value: `deactivate`, at once, or `keep`: it stays active, and it is yours to deactivate in the " +
        "console. Left out: deactivate.",
      startsAction: true,
    }),
    value: output(z.string(), { doc: "The key itself.", wire: "key", secret: true }),
    status: output(z.string(), {
      doc: "`active`; what has been deactivated counts as gone.",
      serverDefault: "active",
    }),
    primaryTargetApp: output(z.string().nullable(), { doc: "The target app, as the console shows it." }),
    secondaryTargetApps: output(z.array(z.string()).nullable(), {
      doc: "Further target apps, as the console shows them.",
    }),
    lastUsed: output(z.string().nullable(), { doc: "When it was last used.", volatile: true }),
  },
  routes: {
    list: route("GET", "/keys", "items", "All keys.", { query: ["primaryTargetApp", "environment"] }),
    create: route("POST", "/keys", "item", "Makes a key and answers its value.", {
      body: { only: atCreation, requires: ["description", "type"] },
    }),
    get: route("GET", item, "item", "One key, by its value.", secret),
    patch: route("PATCH", item, "item", "Changes what the body names.", { ...secret, body: { only: later } }),
    deactivate: route("PATCH", `${item}/deactivate`, "message", "Takes it out of use for ever.", secret),
    rotate: route(
      "PATCH",
      `${item}/rotate`,
      "item",
      "Gives it another value; the old one stops working.",
      secret,
    ),
    delete: route("DELETE", item, "message", "Removes a key.", secret),
  },
  lifecycle: {
    create: { how: "send", route: "create", duplicates: "unstated" },
    read: {
      how: "get",
      route: "get",
      list: "list",
      listShowsLess: true,
      gone: { field: "status", is: "deactivated" },
    },
    update: [
      { how: "patch", route: "patch" },
      { how: "rotate", field: "rotation", route: "rotate", keep: { field: "onRotation", is: "keep" } },
    ],
    delete: { archive: { route: "deactivate" }, remove: { route: "delete" }, onDeleteDefault: "archive" },
  },
  grantsWrites: ({ type, scopes }) =>
    type === "CONSOLE" && Array.isArray(scopes) && scopes.some((one) => /_read_write$/.test(String(one))),
  problems: (args) => [...descriptionProblems(args), ...importProblems(args)],
});

/** The console takes an empty description; this package would find no key by it again. */
function descriptionProblems({ description }: JsonObject): Problem[] {
  if (description !== "") return [];
  return [
    {
      path: ["description"],
      message: "empty; describe the key's purpose: people distinguish keys by it alone",
    },
  ];
}

/** The option would stand in state and previews as it is. */
function importProblems(args: JsonObject): Problem[] {
  if (args[adoptMember] === undefined) return [];
  const message = `a key cannot be imported: what leads to it is the key itself. Set ${assignment("adopt", true)} to take over the one of that description`;
  return [{ path: ["import"], message }];
}
