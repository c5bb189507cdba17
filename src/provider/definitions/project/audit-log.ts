import { z } from "zod";
import { defineObject } from "../../schema/define";
import { output } from "../../schema/field";
import { route } from "../../schema/verbs";

const text = (doc: string) => output(z.string(), { doc });

/** Changes of the project with their authors: read, never managed. Source: console-api/corrections-2.md, section 1. */
export const auditLog = defineObject({
  kind: "AuditLog",
  name: "auditLog",
  title: "audit log",
  plural: "AuditLogs",
  doc: "An entry of the audit log: a change of an object, with its author.",
  identity: { how: "server" },
  fields: {
    id: text("Id of the entry."),
    name: text("Name of the changed object."),
    changeLog: text("The change, in a few words."),
    actionType: text("The kind of change, such as `delete_gate`."),
    date: text("The day, such as `2026-11-25`, in UTC."),
    time: text("The time of day, such as `10:03:59`, in UTC."),
    updatedBy: text("The author, as the console shows people: a name, or the text for keys."),
    updatedByUserID: text("Id of the author."),
    modifierEmail: output(z.string().nullable(), { doc: "E-mail address of the author; null for a key." }),
    changes: output(z.record(z.string(), z.unknown()), {
      doc: "The changed values, in a form of the console's own.",
    }),
    tags: output(z.array(z.string()), { doc: "Tags of the object." }),
    targetAppIDs: output(z.array(z.string()).optional(), { doc: "Ids of the target apps of the object." }),
  },
  routes: {
    list: route("GET", "/audit_logs", "items", "Changes of the project, newest first.", {
      query: [
        ...(["id", "sortKey", "sortOrder", "latestID", "tags"] as const),
        ...(["actionType", "actionTypes", "startDate", "endDate"] as const),
      ],
    }),
  },
});
