import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input } from "../../schema/field";
import { route } from "../../schema/verbs";
import { patched, plainLifecycle } from "../parts/lifecycle";
import { nameAsKey } from "../parts/names";

const item = "/roles/{id}";

/** Permissions that were known when this was written; the list grows. Source: console-api/project.md, section 7. */
export const knownPermissions = [
  ...["invitation_access", "create_configs", "edit_or_delete_configs", "launch_to_production"],
  ...["launch_or_disable_configs", "start_experiments", "create_or_edit_templates"],
  ...["create_or_edit_dashboards", "create_teams", "edit_dynamic_config_schemas", "create_release_pipelines"],
  ...["approve_required_review_release_pipeline_phase", "self_approve_review", "approve_reviews"],
  ...["bypass_reviews_for_overrides", "metric_management", "event_dimensions_access", "verify_metrics"],
  ...["use_metrics_explorer", "local_metrics", "manage_alerts", "integrations_edit_access"],
  ...["source_connection_and_creation", "data_warehouse_ingestion_and_exports_edit_access"],
  ...["edit_and_tag_configs_with_core_tag", "reset_experiments", "manual_whn_reload"],
] as const;

/** A role: what its members may do. Source: console-api/project.md, section 7. */
export const role = defineResource({
  kind: "Role",
  name: "role",
  title: "role",
  doc: "The permissions of its members in the project.",
  identity: { how: "key", argument: "name" },
  fields: {
    name: nameAsKey,
    permissions: input(z.record(z.string(), z.boolean()), {
      doc: `Its permissions, by the console's names. A missing permission stays as it is. Known: ${knownPermissions.join(", ")}.`,
      keepsOthers: true,
    }),
  },
  routes: {
    list: route("GET", "/roles", "items", "All roles."),
    create: route("POST", "/roles", "item", "Makes a role.", {
      status: 201,
      body: { requires: ["name", "permissions"] },
    }),
    get: route("GET", item, "item", "One role, by its name."),
    patch: route("PATCH", item, "item", "Changes the permissions, the only thing that can change.", {
      body: { only: ["permissions"], requires: ["permissions"] },
    }),
    delete: route("DELETE", item, "message", "Removes a role."),
  },
  lifecycle: plainLifecycle(patched),
});
