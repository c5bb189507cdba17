import { z } from "zod";
import { defineObject } from "../../schema/define";
import { output } from "../../schema/field";
import { route } from "../../schema/verbs";

/** The account of the key: read, never managed. Source: console-api/corrections-2.md, section 1. */
export const company = defineObject({
  kind: "Company",
  name: "company",
  plural: "Companies",
  title: "company",
  doc: "The account that the key belongs to.",
  identity: { how: "singleton", id: "company" },
  fields: {
    companyID: output(z.string(), { doc: "Id of the account." }),
    companyName: output(z.string(), { doc: "Name of the account." }),
    isWarehouseNative: output(z.boolean(), { doc: "Whether it computes in a warehouse of its own." }),
    orgID: output(z.string().nullable(), { doc: "Id of the organisation." }),
    orgName: output(z.string().nullable(), { doc: "Name of the organisation." }),
  },
  routes: { get: route("GET", "/company", "item", "The account of the key.") },
});
