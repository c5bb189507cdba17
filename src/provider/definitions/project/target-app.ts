import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input, writeOnly } from "../../schema/field";
import { route } from "../../schema/verbs";
import { patched, plainLifecycle } from "../parts/lifecycle";

// The path is singular, also that of the list.
const all = "/target_app";
const item = `${all}/{id}`;
const ids = z.array(z.string()).optional();

const firstMembers = (what: string, kind: string) =>
  writeOnly(z.array(z.string()).optional(), {
    doc: `Ids of the ${what} that belong to it from the start. Later, set \`targetApps\` of the object.`,
    fixed: true,
    unordered: true,
    refersTo: kind,
  });

/** A target app: an application that objects are meant for. Source: console-api/project.md, section 2. */
export const targetApp = defineResource({
  kind: "TargetApp",
  name: "targetApp",
  title: "target app",
  doc: "An application that gates, configs and experiments are meant for.",
  identity: { how: "server", argument: "name" },
  fields: {
    name: input(z.string().min(1).optional(), {
      doc: "The name that other objects use in `targetApps`. Left out: the resource name.",
    }),
    description: writeOnly(z.string(), { doc: "Its purpose." }),
    gates: firstMembers("gates", "gate"),
    dynamicConfigs: firstMembers("dynamic configs", "dynamicConfig"),
    experiments: firstMembers("experiments", "experiment"),
    layers: firstMembers("layers", "layer"),
    parameterStores: firstMembers("param stores", "paramStore"),
  },
  routes: {
    list: route("GET", all, "items", "All target apps."),
    create: route("POST", all, "item", "Makes a target app; the answer may be bare.", {
      body: { requires: ["name", "description"] },
    }),
    bulkAssign: route("PATCH", all, "message", "Makes objects belong to target apps, by their ids.", {
      body: {
        schema: z.object({
          targetApps: z.array(z.string()).min(1),
          gates: ids,
          dynamicConfigs: ids,
          experiments: ids,
        }),
      },
    }),
    get: route("GET", item, "item", "One target app: its id and name, nothing else."),
    patch: route("PATCH", item, "message", "Changes what the body names; answers a message alone.", {
      body: { only: ["name", "description"] },
    }),
    delete: route("DELETE", item, "message", "Removes a target app."),
  },
  lifecycle: plainLifecycle(patched),
});
