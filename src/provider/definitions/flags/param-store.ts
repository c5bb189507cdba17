import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input, optional, output, writeOnly } from "../../schema/field";
import { route } from "../../schema/verbs";
import { audit } from "../parts/audit-fields";
import { plainLifecycle } from "../parts/lifecycle";
import { nameAsKey } from "../parts/names";
import { parameter, parameterProblems } from "../parts/store-parameter";
import { emptied, moving } from "../parts/traits";

const item = "/param_stores/{name}";
const atCreation = ["name", "description", "displayName", "targetAppIDs", "tags", "team"] as const;
const fixed = true;
const unordered = true;

/** A param store: parameters that code asks for, whatever stands behind them. Source: console-api/delivery.md, 2. */
export const paramStore = defineResource({
  kind: "ParamStore",
  name: "paramStore",
  title: "param store",
  doc: "Parameters that code asks for, each a fixed value or fed by a gate, config, layer or experiment.",
  identity: { how: "key", argument: "name" },
  fields: {
    name: nameAsKey,
    displayName: input(z.string(), { doc: "Shown in the console.", fixed }),
    description: input(z.string(), { doc: "Its purpose." }),
    parameters: optional(z.array(parameter), "The parameters; their order has no meaning.", {
      keyedBy: "name",
      ...emptied,
    }),
    team: optional(z.string().nullable(), "Name of the owning team (enterprise).", {
      names: "team",
      owner: "team",
      fixed,
    }),
    targetAppIDs: writeOnly(z.array(z.string()).optional(), {
      doc: "Ids, not names, of the target apps it belongs to.",
      refersTo: "targetApp",
      fixed,
      unordered,
    }),
    tags: writeOnly(z.array(z.string()).optional(), { doc: "Tag names.", fixed, unordered, refersTo: "tag" }),
    serverID: output(z.string(), { doc: "Its id inside the console; no path takes it.", wire: "id" }),
    createdTime: audit.createdTime,
    creatorID: output(z.string(), { doc: "Id of who made it.", serverDefault: "", audit: "madeById" }),
    lastModifierID: moving(z.string(), "Id of who last changed it.", ""),
    teamID: output(z.string().optional(), { doc: "Id of the owning team.", owner: "team-id" }),
  },
  routes: {
    list: route("GET", "/param_stores", "items", "All param stores. The specification shows no pagination.", {
      op: 16,
    }),
    create: route("POST", "/param_stores", "item", "Makes a param store, without parameters.", {
      body: { only: atCreation, requires: ["name", "description", "displayName"] },
    }),
    get: route("GET", item, "item", "One param store."),
    update: route("POST", item, "item", "Changes what the body names; parameters are replaced whole.", {
      body: { only: ["description", "parameters"] },
    }),
    delete: route("DELETE", item, "message", "Removes a param store."),
  },
  whenGone: "code falls back to its own values",
  lifecycle: plainLifecycle({ how: "patch", route: "update" }),
  problems: parameterProblems,
});
